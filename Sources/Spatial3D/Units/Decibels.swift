import Glibc

/// A level, or a difference of two levels: 0 is the same amplitude, -6.02 half, -20 a tenth.
///
/// A number literal is a level: `let level: Decibels = -6`. A property named gain, volume or send is a ``Gain``.
public struct Decibels: RawRepresentable, Hashable, Sendable {
  /// The number of decibels.
  public var rawValue: Float

  /// A number of decibels.
  public init(rawValue: Float) {
    self.rawValue = rawValue
  }

  /// A number of decibels that was computed.
  public init(_ value: Float) {
    rawValue = value
  }

  /// The level of a factor of the amplitude, whose sign does not matter: 20 times its decimal logarithm.
  package init(factor: Float) {
    rawValue = 20 * log10(abs(factor))
  }

  /// The factor of the amplitude: 10 to the power of a twentieth of the level.
  package var factor: Float { pow(10, rawValue / 20) }

  /// No sound at all: minus infinity decibels, the level of ``Gain/silence``.
  public static let silence = Decibels(rawValue: -.infinity)
}

extension Decibels: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// A number of decibels.
  public init(floatLiteral value: Float) {
    rawValue = value
  }

  /// A whole number of decibels.
  public init(integerLiteral value: Int) {
    rawValue = Float(value)
  }
}

extension Decibels: Comparable {
  /// Whether a level is below another.
  public static func < (left: Decibels, right: Decibels) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension Decibels: AdditiveArithmetic {
  /// The level of ``Gain/unity``.
  public static let zero = Decibels(rawValue: 0)

  /// The level of two gains one after the other.
  public static func + (left: Decibels, right: Decibels) -> Decibels {
    Decibels(rawValue: left.rawValue + right.rawValue)
  }

  /// The difference between two levels.
  public static func - (left: Decibels, right: Decibels) -> Decibels {
    Decibels(rawValue: left.rawValue - right.rawValue)
  }
}

extension Decibels: CustomStringConvertible {
  /// The level with its unit, such as `"-6.0 dB"`.
  public var description: String { "\(rawValue) dB" }
}
