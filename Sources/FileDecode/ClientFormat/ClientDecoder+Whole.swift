extension ClientDecoder {
  /// Decodes the sound from its first frame to its last.
  mutating func whole(_ reading: WholeReading) throws(AudioFileError) -> PCMBuffer<Float> {
    if let ratio, let count = decoder.stream.frameCount, let loop = decoder.annotations.forwardLoop {
      return try resampledLoop(LoopResampling(loop, frameCount: count, ratio), reading)
    }
    var buffer = PCMBuffer<Float>(format: format)
    try fill(&buffer, reading) { (decoder, frameCount, buffer) throws(AudioFileError) in
      try decoder.appendBlock(of: frameCount, to: &buffer)
    }
    return buffer
  }

  /// Decodes the sound from its first frame to its last, and converts it block by block.
  mutating func whole<Sample>(
    as type: Sample.Type,
    _ reading: WholeReading
  ) throws(AudioFileError) -> PCMBuffer<Sample> {
    if type == Float.self, let buffer = try whole(reading) as? PCMBuffer<Sample> { return buffer }
    var buffer = PCMBuffer<Sample>(format: format)
    if ratio != nil {
      // A loop is converted as a whole.
      let floats = try whole(reading)
      buffer.append(frames: floats.frameCount) { SampleConversion.append(floats.samples.span, to: &$0) }
      return buffer
    }
    if type == Int16.self, mix == nil, decoder.holdsInt16 {
      var exact = PCMBuffer<Int16>(format: format)
      try fill(&exact, reading) { (client, frameCount, buffer) throws(AudioFileError) in
        // Each call decodes a part, so that a cancelled task stops soon.
        try client.decoder.appendInt16(min(frameCount, 1 << 18), to: &buffer)
      }
      if let result = exact as? PCMBuffer<Sample> { return result }
    }
    var block = PCMBuffer<Float>(format: format)
    block.reserveCapacity(frames: SampleConversion.blockSize)
    try fill(&buffer, reading) { (decoder, frameCount, buffer) throws(AudioFileError) in
      block.removeAll(adopting: decoder.format)
      let arrived = try decoder.appendBlock(of: frameCount, to: &block)
      buffer.append(frames: arrived) { SampleConversion.append(block.samples.span, to: &$0) }
      return arrived
    }
    return buffer
  }

  /// Appends blocks from the first frame on, into memory that grows with the arrived frames.
  private mutating func fill<Sample>(
    _ buffer: inout PCMBuffer<Sample>,
    _ reading: WholeReading,
    appendingBlock: (inout ClientDecoder, Int, inout PCMBuffer<Sample>) throws(AudioFileError) -> Int
  ) throws(AudioFileError) {
    let frameLimit = reading.byteLimit / (MemoryLayout<Sample>.stride * format.channelCount)
    let stream = decoder.stream
    // If samples have a fixed size, the claim was checked against the size of the file.
    if stream.plausibility == .fixed, let frameCount, frameCount > frameLimit { throw .tooLarge(decoder.path) }
    try seek(toFrame: 0)
    let claim = stream.frameCount
    let likely = stream.plausibility.initialReservation(claim: claim, byteCount: decoder.source.size)
    var room = min(ratio?.converted(likely) ?? likely, frameLimit)
    buffer.reserveCapacity(frames: room)
    while !isAtEnd {
      if reading.isCancelled() { throw .cancelled(decoder.path) }
      if buffer.frameCount >= room {
        guard room <= frameLimit else { throw .tooLarge(decoder.path) }
        let next = SizePlausibility.nextReservation(claim: frameCount, decoded: buffer.frameCount)
        // One frame beyond the limit distinguishes a file that ends at it from a longer one.
        room = min(next, frameLimit + 1)
        buffer.reserveCapacity(frames: room)
      }
      _ = try appendingBlock(&self, room - buffer.frameCount, &buffer)
    }
    guard buffer.frameCount <= frameLimit else { throw .tooLarge(decoder.path) }
  }
}

/// The limits for the reading of a whole file.
struct WholeReading {
  /// The most memory that the samples may take, in bytes.
  var byteLimit = 1 << 31

  /// Whether the caller has cancelled the reading.
  var isCancelled: () -> Bool = { false }
}

extension AudioFileError {
  static func tooLarge(_ path: String) -> AudioFileError {
    AudioFileError(
      .tooLarge,
      path: path,
      message: "\(path) has more samples than are read into memory at once (2 GiB)."
        + " Read it in blocks with read(into:maxFrames:), or stream it."
    )
  }

  static func cancelled(_ path: String) -> AudioFileError {
    AudioFileError(
      .cancelled,
      path: path,
      message: "\(path) was not read to its end: the task that reads it was cancelled."
    )
  }
}
