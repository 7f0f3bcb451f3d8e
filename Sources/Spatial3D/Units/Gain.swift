/// A factor of the amplitude of a sound: 1 leaves a sound as it is, 0.5 halves it, 0 is silence.
///
/// A number literal is the factor, as in OpenAL and AVAudioEngine. A number of decibels has its name:
///
/// ```swift
/// music.gain = 0.5
/// sfx.gain = .decibels(-6)
/// ```
///
/// The OpenAL counterparts are `AL_GAIN` and its like, the AVFoundation counterpart is `AVAudioMixing.volume`.
public struct Gain: RawRepresentable, Hashable, Sendable {
  /// The factor.
  public var rawValue: Float

  /// A factor.
  public init(rawValue: Float) {
    self.rawValue = rawValue
  }

  /// A factor that was computed.
  public init(_ factor: Float) {
    rawValue = factor
  }

  /// The factor of a level: 10 to the power of a twentieth of the decibels.
  public static func decibels(_ level: Decibels) -> Gain { Gain(level.factor) }

  /// The level of the factor: 20 times its decimal logarithm.
  ///
  /// It is ``Decibels/silence`` for a factor of 0, and NaN for a negative one.
  public var decibels: Decibels { rawValue < 0 ? Decibels(.nan) : Decibels(factor: rawValue) }

  /// The factor 1: no change.
  public static let unity = Gain(rawValue: 1)

  /// The factor 0: no sound at all.
  public static let silence = Gain(rawValue: 0)
}

extension Gain: ExpressibleByFloatLiteral, ExpressibleByIntegerLiteral {
  /// A factor.
  public init(floatLiteral value: Float) {
    rawValue = value
  }

  /// A whole factor.
  public init(integerLiteral value: Int) {
    rawValue = Float(value)
  }
}

extension Gain: Comparable {
  /// Whether a factor is below another.
  public static func < (left: Gain, right: Gain) -> Bool {
    left.rawValue < right.rawValue
  }
}

extension Gain {
  /// The gain of two gains one after the other.
  public static func * (left: Gain, right: Gain) -> Gain {
    Gain(rawValue: left.rawValue * right.rawValue)
  }

  /// Multiplies a gain by another.
  public static func *= (left: inout Gain, right: Gain) {
    left.rawValue *= right.rawValue
  }
}

extension Gain: CustomStringConvertible {
  /// The factor and its level, such as `"0.5 (-6.0 dB)"`, the level to a tenth; the factor alone, where it is no gain.
  public var description: String {
    guard isUsable else { return "\(rawValue)" }
    let level = decibels.rawValue
    return "\(rawValue) (\(level.isFinite ? (level * 10).rounded() / 10 : level) dB)"
  }
}

extension Gain {
  /// Whether the factor is finite and not negative.
  @inlinable package var isUsable: Bool { rawValue >= 0 && rawValue < .infinity }

  /// An unusable factor for a diagnostic, with the form of a level: a negative number is likely meant as decibels.
  package var inWords: String {
    "\(rawValue) (a level is written as .decibels(\(rawValue.isFinite ? "\(rawValue)" : "-6")))"
  }
}
