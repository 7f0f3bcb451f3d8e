extension Decoder {
  /// The most memory that the samples of a whole file may take, in bytes.
  static let byteLimit = 1 << 31

  /// Decodes the file from its first frame to its last.
  mutating func whole(byteLimit: Int) throws(AudioFileError) -> PCMBuffer<Float> {
    var buffer = PCMBuffer<Float>(format: stream.format)
    try fill(&buffer, byteLimit: byteLimit) { (decoder, frameCount, buffer) throws(AudioFileError) in
      try decoder.appendBlock(of: frameCount, to: &buffer)
    }
    return buffer
  }

  /// Decodes the file from its first frame to its last, and converts it block by block.
  mutating func whole<Sample>(
    as type: Sample.Type,
    byteLimit: Int
  ) throws(AudioFileError) -> PCMBuffer<Sample> {
    if type == Float.self, let buffer = try whole(byteLimit: byteLimit) as? PCMBuffer<Sample> { return buffer }
    var block = PCMBuffer<Float>(format: stream.format)
    block.reserveCapacity(frames: Decoder.blockSize)
    var buffer = PCMBuffer<Sample>(format: stream.format)
    try fill(&buffer, byteLimit: byteLimit) { (decoder, frameCount, buffer) throws(AudioFileError) in
      block.removeAll(adopting: decoder.stream.format)
      let arrived = try decoder.appendBlock(of: frameCount, to: &block)
      buffer.append(frames: arrived) { SampleConversion.append(block.samples.span, to: &$0) }
      return arrived
    }
    return buffer
  }

  /// Appends blocks from the first frame on, into memory that grows with what arrives.
  private mutating func fill<Sample>(
    _ buffer: inout PCMBuffer<Sample>,
    byteLimit: Int,
    appendingBlock: (inout Decoder, Int, inout PCMBuffer<Sample>) throws(AudioFileError) -> Int
  ) throws(AudioFileError) {
    let frameLimit = byteLimit / (MemoryLayout<Sample>.stride * stream.format.channelCount)
    let density = stream.density
    // Where samples have a fixed size, the claim was checked against the file's.
    if density == .fixed, let frameCount = stream.frameCount, frameCount > frameLimit { throw .tooLarge(path) }
    try seek(toFrame: 0)
    var room = min(density.initialReservation(claim: stream.frameCount, byteCount: source.size), frameLimit)
    buffer.reserveCapacity(frames: room)
    while !isAtEnd {
      if buffer.frameCount >= room {
        guard room <= frameLimit else { throw .tooLarge(path) }
        let next = FrameDensity.nextReservation(claim: stream.frameCount, decoded: buffer.frameCount)
        // One frame beyond the limit tells a file that ends at it from one that does not.
        room = min(next, frameLimit + 1)
        buffer.reserveCapacity(frames: room)
      }
      _ = try appendingBlock(&self, room - buffer.frameCount, &buffer)
    }
    guard buffer.frameCount <= frameLimit else { throw .tooLarge(path) }
  }
}

extension AudioFileError {
  fileprivate static func tooLarge(_ path: String) -> AudioFileError {
    AudioFileError(
      .tooLarge,
      path: path,
      message: "\(path) has more samples than are read into memory at once (2 GiB)."
        + " Read it in blocks with read(into:maxFrames:), or stream it."
    )
  }
}
