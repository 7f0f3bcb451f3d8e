internal import SignalProcessing
public import Spatial3D

extension Insert {
  /// Width, balance and gain of a stereo sound, by its middle and its side.
  ///
  /// A sound with another number of channels has the gain alone. There is no latency.
  public struct Width: Hashable, Sendable {
    /// The gain of the difference between left and right: 0 is mono, and 1 changes nothing.
    ///
    /// Range: 0 to 2. Default: 1.
    public var width: Float

    /// The balance: -1 is the left channel alone, and 1 the right channel alone.
    ///
    /// Range: -1 to 1. Default: 0.
    public var balance: Float = 0

    /// The gain of all channels.
    ///
    /// Range: -80 to 24 dB. Default: 0 dB.
    public var level: Decibels = 0

    /// A width, from 0 for mono to 2.
    public init(_ width: Float = 1) { self.width = width }
  }
}

// MARK: - The processor

extension Insert.Width {
  var settings: StereoWidth.Settings {
    var settings = StereoWidth.Settings()
    (settings.width, settings.balance) = (Double(width), Double(balance))
    settings.gain = Double(level.rawValue)
    return settings
  }
}

extension Insert.Width: InsertSettings {
  static let standard = Self()
  static let properties = [
    InsertProperty<Self>("width", \.width, in: 0...2),
    InsertProperty("balance", \.balance, in: -1...1),
    InsertProperty(level: "level", \.level, in: -80...24),
  ]
}

// MARK: - Files

extension Insert.Width: Codable {
  /// Decodes the properties by their names; an absent property has its default.
  public init(from decoder: any Decoder) throws { self = try Self.decodeProperties(from: decoder) }

  /// Encodes the properties that differ from their defaults.
  public func encode(to encoder: any Encoder) throws { try encodeProperties(to: encoder) }
}
