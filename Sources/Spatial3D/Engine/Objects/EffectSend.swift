/// The send of a source to an ``EffectUnit``.
public struct EffectSend: Sendable {
  /// The unit that the source feeds.
  public let unit: EffectUnit

  /// The gain of the send.
  ///
  /// Range: 0 to 1, clamped. Default: 1. The dry sound stays as it is.
  public var gain: Gain

  /// The level of the send at 5 kHz, on top of the source's ``SoundSource/occlusion``.
  ///
  /// Range: -100 to 0 dB, clamped. Default: 0.
  public var highFrequencyLevel: Decibels

  /// A send to a unit.
  public init(to unit: EffectUnit, gain: Gain = .unity, highFrequencyLevel: Decibels = 0) {
    self.unit = unit
    self.gain = gain
    self.highFrequencyLevel = highFrequencyLevel
  }
}

extension EffectSend: Hashable {
  /// Whether two sends feed the same unit alike.
  public static func == (left: EffectSend, right: EffectSend) -> Bool {
    left.unit === right.unit && left.gain == right.gain && left.highFrequencyLevel == right.highFrequencyLevel
  }

  /// Hashes the unit, by its identity, and how it is fed.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(ObjectIdentifier(unit))
    hasher.combine(gain)
    hasher.combine(highFrequencyLevel)
  }
}

extension EffectSend {
  /// The value that no send can have, for a diagnostic; `nil` for a usable send.
  var unusableValue: String? {
    guard gain.isUsable else { return gain.inWords }
    return highFrequencyLevel.rawValue.isNaN ? "\(highFrequencyLevel)" : nil
  }
}
