/// The library's description of a sound, checked against the library's limits.
struct SoundDescription<Sample: PCMSample>: Hashable, Sendable {
  let format: PCMFormat
  let frameCount: Int
  let loopRange: Range<Int>

  var byteCount: Int { frameCount * format.channelCount * MemoryLayout<Sample>.size }

  /// Whether the whole sound loops, which is the library's default.
  var isWholeLoop: Bool { loopRange == 0..<frameCount }

  /// The most frames that fit the library's sizes, which are 32-bit.
  static func frameLimit(_ format: PCMFormat) -> Int {
    Int(Int32.max) / (MemoryLayout<Sample>.size * format.channelCount)
  }

  init(format: PCMFormat, frameCount: Int, loopRange: Range<Int>?) throws(AudioError) {
    guard Ranges.bufferRate.contains(format.sampleRate) else { throw .unplayable(format) }
    guard frameCount <= Self.frameLimit(format) else { throw .tooLarge(frameCount, format) }
    let loopRange = loopRange ?? 0..<frameCount
    guard loopRange.lowerBound >= 0, loopRange.upperBound <= frameCount, !loopRange.isEmpty || frameCount == 0 else {
      throw .loopRange(loopRange, frameCount: frameCount, AudioError.creatingBuffer)
    }
    self.format = format
    self.frameCount = frameCount
    self.loopRange = loopRange
  }
}

extension AudioError {
  static let creatingBuffer = "create a sound buffer"

  static func unplayable(_ format: PCMFormat) -> AudioError {
    AudioError(
      code: .formatUnsupported,
      operation: creatingBuffer,
      message: "\(format) cannot be played. Use mono, stereo, quad, 5.1 to 7.1 surround or B-Format, at 1,000 to"
        + " 768,000 Hz."
    )
  }

  static func tooLarge(_ frameCount: Int, _ format: PCMFormat) -> AudioError {
    AudioError(
      code: .bufferTooLarge,
      operation: creatingBuffer,
      message: "\(frameCount) frames of \(format) are more than the 2 GiB that a buffer holds. Stream the sound."
    )
  }

  static func invalidSample(_ index: Int, _ value: Float, of name: String?, _ format: PCMFormat) -> AudioError {
    AudioError(code: .invalidSamples, operation: creatingBuffer, message: aboutSample(index, value, of: name, format))
  }

  /// The sentence about a sample that no mix can take, counted from the sound's first.
  static func aboutSample(_ index: Int, _ value: Float, of name: String?, _ format: PCMFormat) -> String {
    let sound = name.map { "\"\($0)\"" } ?? "the sound"
    return "frame \(index / format.channelCount) of \(sound) has the sample \(value) in channel"
      + " \(index % format.channelCount), which would spoil the whole mix. Samples are finite and within ±1,000,000, full"
      + " scale is ±1: export the sound again, or scale its samples."
  }

  static func loopRange(_ range: Range<Int>, frameCount: Int?, _ operation: String) -> AudioError {
    let (frames, end) = frameCount.map { ("the sound's \($0) frames", "\($0)") } ?? ("the sound", "its length")
    return AudioError(
      code: .invalidLoopRange,
      operation: operation,
      message:
        "the loop range \(range) is no part of \(frames). Give at least one frame from 0 to \(end), or none for the"
        + " whole sound."
    )
  }
}
