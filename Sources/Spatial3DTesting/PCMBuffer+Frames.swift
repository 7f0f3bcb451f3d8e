public import PCM

extension PCMBuffer {
  /// A part of the buffer, in frames; the range is clamped to the buffer.
  ///
  /// It serves to measure a moment of a mix: `mix.frames(4_800..<9_600).level`.
  public func frames(_ range: Range<Int>) -> PCMBuffer {
    let range = range.clamped(to: 0..<frameCount)
    var part = PCMBuffer(format: format)
    part.append(frames: range.count) { span in
      for sample in samples[(range.lowerBound * format.channelCount)..<(range.upperBound * format.channelCount)] {
        span.append(sample)
      }
    }
    return part
  }

  /// A part of the buffer, in time from its start; the range is clamped to the buffer.
  ///
  /// Both ends are rounded to whole frames.
  public func frames(in range: Range<Duration>) -> PCMBuffer {
    frames(format.frameCount(in: range.lowerBound)..<format.frameCount(in: range.upperBound))
  }
}
