extension SampleMemory {
  /// Reads all remaining samples of a reader, with the memory of one copy and one block.
  static func reading<Reader: PCMReader & ~Copyable>(
    _ reader: inout Reader,
    of format: PCMFormat
  ) throws(AudioError) -> SampleMemory {
    let limit = SoundDescription<Sample>.frameLimit(format)
    let room = CapacityGrowth(claim: reader.frameCount, limit: limit)
    let channelCount = format.channelCount
    guard var memory = SampleMemory(capacity: room.initial * channelCount) else {
      throw .noMemory(room.initial, format)
    }
    var block = PCMBuffer<Float>(format: format)
    block.reserveCapacity(frames: CapacityGrowth.blockSize)
    while try reader.readBlock(into: &block) {
      guard block.format == format else {
        throw .formatChanged(AudioError.creatingBuffer, from: format, to: block.format)
      }
      if let (index, value) = SampleCheck.firstUnusable(in: block.samples) {
        throw .invalidSample(memory.count + index, value, of: reader.name, format)
      }
      if block.samples.count > memory.capacity - memory.count {
        let frameCount = memory.count / channelCount
        guard let next = room.next(after: frameCount, arriving: block.frameCount) else {
          throw .tooLarge(frameCount + block.frameCount, format)
        }
        guard memory.resize(capacity: next * channelCount) else { throw .noMemory(next, format) }
      }
      let samples = block.samples.span
      memory.append { output in
        for index in samples.indices { output.append(Sample(signal: samples[index])) }
      }
    }
    // The excess memory is freed; a failure to do so does no harm.
    _ = memory.resize(capacity: memory.count)
    return memory
  }
}

extension SampleMemory {
  /// A loop range that a reader claims, if it lies within the read samples.
  func fitting(_ range: Range<Int>?, of format: PCMFormat) -> Range<Int>? {
    guard let range, !range.isEmpty, range.lowerBound >= 0, range.upperBound <= count / format.channelCount else {
      return nil
    }
    return range
  }
}

extension SampleMemory {
  /// Throws where a sample is not usable.
  func checkSamples(of name: String?, _ format: PCMFormat) throws(AudioError) {
    if let (index, value) = firstUnusable { throw .invalidSample(index, value, of: name, format) }
  }
}

extension PCMReader where Self: ~Copyable {
  /// Reads a block; returns false at the end.
  fileprivate mutating func readBlock(into block: inout PCMBuffer<Float>) throws(AudioError) -> Bool {
    do throws(Failure) {
      _ = try read(into: &block, maxFrames: CapacityGrowth.blockSize)
      return block.frameCount > 0
    } catch {
      throw .readFailed(AudioError.creatingBuffer, "\(error)")
    }
  }
}

extension AudioError {
  static func noMemory(_ frameCount: Int, _ format: PCMFormat) -> AudioError {
    AudioError(
      code: .outOfMemory,
      operation: creatingBuffer,
      message: "\(frameCount) frames of \(format) could not be stored. Drop buffers that no sound needs, or stream the"
        + " sound."
    )
  }
}
