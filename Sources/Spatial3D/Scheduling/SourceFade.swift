/// A change of a source's gain over time, linear in the gain, and the call at its end.
///
/// Times are in nanoseconds of the clock, because the mix rate may change meanwhile. Pure: no call and no lock.
struct SourceFade: Equatable, Sendable {
  let begin: Int64
  let end: Int64
  /// The factors of the gain at the beginning and at the end.
  let from: Float
  let to: Float
  /// The call at the end; `nil` for none.
  let call: ContextHandle.Verb?

  init(from: Float, to: Float, begin: Int64, duration: Int64, then call: ContextHandle.Verb? = nil) {
    let (end, isTooLate) = begin.addingReportingOverflow(max(duration, 1))
    (self.begin, self.end, self.from, self.to, self.call) = (begin, isTooLate ? .max : end, from, to, call)
  }

  /// The factor at a time.
  func gain(at clock: Int64) -> Float {
    if clock <= begin { return from }
    if clock >= end { return to }
    return from + (to - from) * Float(Double(clock - begin) / Double(end - begin))
  }

  /// The factor for a step of the mix, which the library reaches in the course of it.
  ///
  /// It is the lower one of the two ends: a sound begins at the lowest gain, and has it before it ends.
  func gain(from clock: Int64, to next: Int64) -> Float { min(gain(at: clock), gain(at: next)) }

  /// The number of frames from one change of the gain to the next: 32 changes in a short fade.
  ///
  /// The library smooths each change over 64 frames or more. A step of 512 frames is 11 ms at 48 kHz.
  func stepLength(at rate: Int) -> Int {
    Int(saturating: Double(end - begin) / 1e9 * Double(rate) / 32).clamped(to: 64...512)
  }
}
