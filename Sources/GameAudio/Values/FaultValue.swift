internal import Spatial3D

/// A value of a property in a report.
enum FaultValue: Hashable, Sendable {
  case int(Int)
  case float(Float)
  case double(Double)
  case gain(Gain)
  case level(Decibels)
  case levels(ClosedRange<Decibels>)
  case filter(ToneFilter)
  case duration(Duration)
  case vector(SIMD3<Float>)
  /// A number of seconds that is no `Duration`.
  case seconds(Double)
  case words(String)
}

extension FaultValue {
  /// Whether a range of the value holds for each of its components.
  var isVector: Bool {
    if case .vector = self { true } else { false }
  }
}

extension FaultValue: CustomStringConvertible {
  var description: String {
    switch self {
    case .int(let count): "\(count)"
    case .float(let number): "\(number)"
    case .double(let number): "\(number)"
    case .gain(let gain): gain.isUsable ? "\(gain)" : gain.inWords
    case .level(let level): "\(level)"
    case .levels(let range): "\(range)"
    case .filter(let filter): "\(filter)"
    case .duration(let duration): "\(duration)"
    case .vector(let vector): vector.inWords
    case .seconds(let seconds): "\(seconds) seconds"
    case .words(let words): words
    }
  }
}

/// A value that a property limits to a range.
protocol RangedValue: Comparable {
  /// The value in a report.
  var faultValue: FaultValue { get }

  /// Whether a range has a nearest value.
  var isUsable: Bool { get }

  /// Whether the value in force differs from the value that was set.
  func differs(from used: Self) -> Bool
}

extension RangedValue {
  var isUsable: Bool { true }

  func differs(from used: Self) -> Bool { self != used }
}

extension RangedValue where Self: BinaryFloatingPoint {
  /// A ten-thousandth of the end is rounding: a blend of snapshots goes from gains to decibels and back, and a door
  /// opens in steps.
  func differs(from used: Self) -> Bool { (self - used).magnitude > 1e-4 * (used == 0 ? 1 : used.magnitude) }
}

extension Int: RangedValue {
  var faultValue: FaultValue { .int(self) }
}

extension Duration: RangedValue {
  var faultValue: FaultValue { .duration(self) }
}

extension Float: RangedValue {
  var isUsable: Bool { isFinite }
  var faultValue: FaultValue { .float(self) }
}

extension Double: RangedValue {
  var isUsable: Bool { isFinite }
  var faultValue: FaultValue { .double(self) }
}

extension Gain: RangedValue {
  var faultValue: FaultValue { .gain(self) }

  func differs(from used: Gain) -> Bool { rawValue.differs(from: used.rawValue) }
}

extension Decibels: RangedValue {
  var isUsable: Bool { !rawValue.isNaN }
  var faultValue: FaultValue { .level(self) }

  /// Silence is a valid level of each range: the lowest level stands for it.
  func differs(from used: Decibels) -> Bool { self != .silence && rawValue.differs(from: used.rawValue) }
}
