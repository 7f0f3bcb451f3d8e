/// The arithmetic of frames whose numbers a program, a reader of its own or a recording has chosen.
///
/// No result overflows: it is the nearest number of the range. `Int.max` stands for no end, and stays so in a sum.
enum Frames {
  /// The last frame at which something begins, nearly 3,000 years at 48 kHz.
  ///
  /// A `Double` holds each frame up to it, and sums of a thousand such frames fit an `Int`.
  static let last = 1 << 52

  /// The nearest frame from `-last` to `last`.
  static func usable(_ frame: Int) -> Int { min(max(frame, -last), last) }

  /// The sum of two numbers of frames.
  static func sum(_ first: Int, _ second: Int) -> Int {
    let (sum, overflow) = first.addingReportingOverflow(second)
    return overflow ? (second < 0 ? .min : .max) : sum
  }

  /// The product of two numbers of frames or laps, which are 0 and up.
  static func product(_ first: Int, _ second: Int) -> Int {
    let (product, overflow) = first.multipliedReportingOverflow(by: second)
    return overflow ? .max : product
  }
}
