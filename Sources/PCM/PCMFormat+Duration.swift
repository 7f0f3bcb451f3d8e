extension PCMFormat {
  /// The duration of a number of frames; zero if the rate is zero or below.
  public func duration(ofFrames frameCount: Int) -> Duration {
    guard sampleRate > 0 else { return .zero }
    let (seconds, frames) = frameCount.quotientAndRemainder(dividingBy: sampleRate)
    // The remainder is below the rate, so the product fits 128 bits for every rate.
    let attoseconds = Int128(frames) * 1_000_000_000_000_000_000 / Int128(sampleRate)
    return Duration(secondsComponent: Int64(seconds), attosecondsComponent: Int64(attoseconds))
  }

  /// The number of frames in a duration, rounded to the nearest.
  ///
  /// A negative duration has none. A duration beyond the range of `Int` returns `Int.max`.
  public func frameCount(in duration: Duration) -> Int {
    guard sampleRate > 0, duration >= .zero else { return 0 }
    // Components would trap if the seconds do not fit 64 bits. The rest is below a second, so its product fits.
    let second: Int128 = 1_000_000_000_000_000_000
    let (seconds, rest) = duration.attoseconds.quotientAndRemainder(dividingBy: second)
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: Int128(sampleRate))
    guard !isTooLong else { return .max }
    return Int(clamping: whole + (rest * Int128(sampleRate) + second / 2) / second)
  }
}
