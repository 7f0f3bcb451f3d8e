internal import SignalProcessing
public import Spatial3D

extension Insert {
  /// A leveler: moves the gain slowly towards a loudness, as a hand at a fader does.
  ///
  /// The loudness of the last 3 s by ITU-R BS.1770 decides the gain. The gain rests during silence and soft scenes:
  /// below -50 LUFS, and below 20 LU under the target. There is no latency.
  public struct Leveler: Hashable, Sendable {
    /// The loudness, in LUFS.
    ///
    /// Range: -60 to 0 LUFS. Default: -23 LUFS, the loudness of EBU R 128.
    public var target: Decibels

    /// The largest change of the gain, up and down.
    ///
    /// Range: 0 to 24 dB. Default: 9 dB.
    public var range: Decibels = 9

    /// The change of the gain in a second, in decibels.
    ///
    /// Range: 0.01 to 20 dB. Default: 1 dB.
    public var speed: Decibels = 1

    /// A leveler to a loudness in LUFS.
    public init(target: Decibels = -23) { self.target = target }
  }
}

// MARK: - The processor

extension Insert.Leveler {
  var settings: SignalProcessing.Leveler.Settings {
    var settings = SignalProcessing.Leveler.Settings()
    (settings.target, settings.range) = (Double(target.rawValue), Double(range.rawValue))
    settings.speed = Double(speed.rawValue)
    return settings
  }
}

extension Insert.Leveler: InsertSettings {
  static let standard = Self()
  static let properties = [
    InsertProperty<Self>(level: "target", \.target, in: -60...0),
    InsertProperty(level: "range", \.range, in: 0...24),
    InsertProperty(level: "speed", \.speed, in: 0.01...20),
  ]
}

// MARK: - Files

extension Insert.Leveler: Codable {
  /// Decodes the properties by their names; an absent property has its default.
  public init(from decoder: any Decoder) throws { self = try Self.decodeProperties(from: decoder) }

  /// Encodes the properties that differ from their defaults.
  public func encode(to encoder: any Encoder) throws { try encodeProperties(to: encoder) }
}
