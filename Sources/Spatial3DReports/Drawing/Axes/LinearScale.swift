/// A linear scale from values to pixels of a drawing.
@_spi(Drawing) public struct LinearScale: Hashable, Sendable {
  private let values: ClosedRange<Double>
  private let start: Double
  private let end: Double

  /// A scale that puts the lower bound of `values` at `start` and the upper one at `end`, both in pixels.
  ///
  /// `end` may be smaller: on a drawing, up is towards 0.
  public init(_ values: ClosedRange<Double>, from start: Double, to end: Double) {
    self.values = values
    self.start = start
    self.end = end
  }

  /// The position of a value, in pixels; a value outside the range gives the nearest end.
  ///
  /// A range without extent maps all values to the start.
  public func callAsFunction(_ value: Double) -> Double {
    let extent = values.upperBound - values.lowerBound
    guard extent > 0, !value.isNaN else { return start }
    let inside = min(max(value, values.lowerBound), values.upperBound)
    return start + (inside - values.lowerBound) / extent * (end - start)
  }
}
