internal import Spatial3D

/// A value that a property does not take as it was set, in words.
///
/// Pure: no call and no lock. A value in its range makes no words, and allocates nothing.
struct ValueFault: Hashable, Sendable {
  /// The reason for which a property has another value.
  enum Cause: Hashable, Sendable {
    /// No nearest value is in the range, as for NaN.
    case unusable
    /// The value is outside of the range.
    case outside(range: String)
  }

  /// The names of the property and of its part, such as `cone.outerGain`.
  let property: String
  let value: String
  let cause: Cause
  /// The value in force, such as `18.0 is used`.
  let result: String

  private init(_ property: String, _ value: String, _ cause: Cause, _ result: String) {
    (self.property, self.value, self.cause, self.result) = (property, value, cause, result)
  }

  /// The key by which an owner reports a fault once: a property has one for each cause.
  func key(of owner: String) -> String {
    switch cause {
    case .unusable: "\(property) of \(owner)"
    case .outside: "range of the \(property) of \(owner)"
    }
  }
}

extension ValueFault {
  /// A value that a property cannot take.
  init(unusable property: String, _ value: String, _ result: String = "it keeps its value") {
    self.init(property, value, .unusable, result)
  }

  /// A value outside of a range.
  init(_ property: String, _ value: String, outside range: String, used: String) {
    self.init(property, value, .outside(range: range), "\(used) is used")
  }

  /// A value outside of a range; `nil` for a value in the range.
  init?<Value: RangedValue>(_ property: String, _ value: Value, in range: ClosedRange<Value>) {
    let used = range.nearest(to: value)
    guard value.differs(from: used) else { return nil }
    self.init(property, "\(value)", outside: "\(range.lowerBound) to \(range.upperBound)", used: "\(used)")
  }

  /// A value below a range that has no upper end; `nil` for a value in the range.
  init?<Value: RangedValue>(_ property: String, _ value: Value, in range: PartialRangeFrom<Value>) {
    let used = range.nearest(to: value)
    guard value.differs(from: used) else { return nil }
    self.init(property, "\(value)", outside: "\(range.lowerBound) and up", used: "\(used)")
  }

  /// A vector with a component outside of -10⁹ to 10⁹, and the vector that is used.
  init(_ property: String, _ vector: SIMD3<Float>, used: SIMD3<Float>) {
    let limit: Float = 1e9
    self.init(property, vector.inWords, outside: "\(-limit) to \(limit) in each component", used: used.inWords)
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

/// A value that a property limits to a range.
protocol RangedValue: Comparable {
  /// Whether the value in force differs from the value that was set.
  func differs(from used: Self) -> Bool
}

extension RangedValue {
  func differs(from used: Self) -> Bool { self != used }
}

extension RangedValue where Self: BinaryFloatingPoint {
  /// A ten-thousandth of the end is rounding: a blend of snapshots goes from gains to decibels and back, and a door
  /// opens in steps.
  func differs(from used: Self) -> Bool { (self - used).magnitude > 1e-4 * (used == 0 ? 1 : used.magnitude) }
}

extension Int: RangedValue {}
extension Duration: RangedValue {}
extension Float: RangedValue {}
extension Double: RangedValue {}

extension Gain: RangedValue {
  func differs(from used: Gain) -> Bool { rawValue.differs(from: used.rawValue) }
}

extension Decibels: RangedValue {
  /// Silence is a valid level of each range: the lowest level stands for it.
  func differs(from used: Decibels) -> Bool { self != .silence && rawValue.differs(from: used.rawValue) }
}
