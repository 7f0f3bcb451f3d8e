extension PCMFormat {
  /// How long a number of frames lasts; zero where the rate is zero or below.
  public func duration(ofFrames frameCount: Int) -> Duration {
    guard sampleRate > 0 else { return .zero }
    let (seconds, frames) = frameCount.quotientAndRemainder(dividingBy: sampleRate)
    // A remainder is below the rate, so the product fits 128 bits for every rate.
    let attoseconds = Int128(frames) * 1_000_000_000_000_000_000 / Int128(sampleRate)
    return Duration(secondsComponent: Int64(seconds), attosecondsComponent: Int64(attoseconds))
  }

  /// How many frames a duration holds, rounded to the nearest.
  ///
  /// A negative duration holds none. One too long to count holds `Int.max`.
  public func frameCount(in duration: Duration) -> Int {
    let (seconds, attoseconds) = duration.components
    guard sampleRate > 0, seconds >= 0, attoseconds >= 0 else { return 0 }
    let part = (Int128(attoseconds) * Int128(sampleRate) + 500_000_000_000_000_000) / 1_000_000_000_000_000_000
    let total = Int128(seconds) * Int128(sampleRate) + part
    return Int(clamping: total)
  }
}
