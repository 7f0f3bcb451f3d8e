internal import Spatial3D

/// A value that a property does not take as it was set.
///
/// Pure: no call and no lock. It holds numbers, and forms words for a report alone: a game that sets a number out of
/// its range in each frame allocates nothing for it.
struct ValueFault: Hashable, Sendable {
  /// The reason for which a property has another value.
  enum Cause: Hashable, Sendable {
    /// No nearest value is in the range, as for NaN; and what the property does with the value.
    case unusable(Remedy)
    /// The value is outside of a range, and the value in force; `nil` as the end of a range without an upper one.
    case outside(lower: FaultValue, upper: FaultValue?, used: FaultValue)
  }

  /// The handling of a value that is not usable.
  enum Remedy: Hashable, Sendable, CustomStringConvertible {
    case keepsValue
    /// The property has a value that the report states.
    case keeps(FaultValue)
    /// What the property does with the value, in a sentence.
    case other(String)

    var description: String {
      switch self {
      case .keepsValue: "it keeps its value"
      case .keeps(let value): "it stays \(value)"
      case .other(let sentence): sentence
      }
    }
  }

  /// The names of the property and of its part, such as `cone.outerGain`.
  let property: String
  let value: FaultValue
  let cause: Cause

  /// Whether the value is not usable: a property reports such a value and a value out of its range apart.
  var isUnusable: Bool {
    if case .unusable = cause { true } else { false }
  }
}

extension ValueFault {
  /// A value that a property cannot take.
  init(unusable property: String, _ value: FaultValue, _ remedy: Remedy = .keepsValue) {
    self.init(property: property, value: value, cause: .unusable(remedy))
  }

  /// A value outside of a range; `nil` for a value in the range.
  init?<Value: RangedValue>(_ property: String, _ value: Value, in range: ClosedRange<Value>) {
    let used = range.nearest(to: value)
    guard value.differs(from: used) else { return nil }
    let (lower, upper) = (range.lowerBound.faultValue, range.upperBound.faultValue)
    self.init(
      property: property,
      value: value.faultValue,
      cause: .outside(lower: lower, upper: upper, used: used.faultValue)
    )
  }

  /// A value below a range that has no upper end; `nil` for a value in the range.
  init?<Value: RangedValue>(_ property: String, _ value: Value, in range: PartialRangeFrom<Value>) {
    let used = range.nearest(to: value)
    guard value.differs(from: used) else { return nil }
    let cause = Cause.outside(lower: range.lowerBound.faultValue, upper: nil, used: used.faultValue)
    self.init(property: property, value: value.faultValue, cause: cause)
  }

  /// A vector with a component outside of -10⁹ to 10⁹, and the vector that is used.
  init(_ property: String, _ vector: SIMD3<Float>, used: SIMD3<Float>) {
    let cause = Cause.outside(lower: .float(-1e9), upper: .float(1e9), used: .vector(used))
    self.init(property: property, value: .vector(vector), cause: cause)
  }
}

extension [ValueFault] {
  /// Appends a fault, if there is one.
  mutating func add(_ fault: ValueFault?) {
    if let fault { append(fault) }
  }
}

extension ClosedRange {
  /// The nearest value in the range.
  @inline(__always)
  func nearest(to value: Bound) -> Bound { Swift.min(Swift.max(value, lowerBound), upperBound) }
}

extension PartialRangeFrom {
  /// The nearest value in the range.
  @inline(__always)
  func nearest(to value: Bound) -> Bound { Swift.max(value, lowerBound) }
}
