import Glibc

/// The marks of an axis: multiples of a round step.
@_spi(Drawing) public struct Ticks: Hashable, Sendable {
  /// The distance between two marks.
  public let step: Double

  /// The marks inside the range, lowest first.
  public let values: [Double]

  /// Marks of a range in steps of 1, 2 or 5 times a power of ten, with a number as near to `count` as possible.
  public init(in range: ClosedRange<Double>, about count: Int) {
    let powers = (-9...9).map { pow(10, Double($0)) }
    self.init(in: range, about: count, steps: powers.flatMap { [$0, 2 * $0, 5 * $0] })
  }

  /// Marks of a range of seconds, in steps of a clock: 1, 2, 3, 5, 10, 15 and 30 seconds and minutes, and so on.
  public init(inSeconds range: ClosedRange<Double>, about count: Int) {
    let clock: [Double] = [1, 2, 3, 5, 10, 15, 30]
    let short = [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5]
    let long = [1, 2, 3, 6, 12, 24, 48, 96, 192].map { $0 * 3_600.0 }
    self.init(in: range, about: count, steps: short + clock + clock.map { $0 * 60 } + long)
  }

  private init(in range: ClosedRange<Double>, about count: Int, steps: [Double]) {
    let wanted = (range.upperBound - range.lowerBound) / Double(max(count, 1))
    // Compares ratios: half the number of marks is as far off as twice the number.
    let step = steps.min { abs(log($0 / wanted)) < abs(log($1 / wanted)) } ?? 1
    self.step = step
    guard wanted > 0, wanted.isFinite else {
      values = [range.lowerBound]
      return
    }
    // A bound that is a multiple of the step except for rounding has its mark.
    let slack = 1e-9
    let first = (range.lowerBound / step - slack).rounded(.up)
    let last = (range.upperBound / step + slack).rounded(.down)
    // Adding 0 turns -0 into 0.
    values = first <= last ? stride(from: first, through: last, by: 1).map { $0 * step + 0 } : []
  }
}
