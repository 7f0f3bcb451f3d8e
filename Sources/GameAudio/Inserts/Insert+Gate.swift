internal import SignalProcessing
public import Spatial3D

extension Insert {
  /// A gate: lowers the level of a sound below a threshold, with one gain for all channels.
  ///
  /// The gate opens at the threshold. It closes when the level has been lower than the threshold less the hysteresis
  /// for the hold time. An open gate keeps the samples to the bit. There is no latency.
  ///
  /// Wwise: Expander.
  public struct Gate: Hashable, Sendable {
    /// The level that opens the gate.
    ///
    /// Range: -100 to 0 dB. Default: -50 dB.
    public var threshold: Decibels

    /// The lowest gain of a closed gate.
    ///
    /// Range: -120 to 0 dB. Default: -60 dB.
    public var depth: Decibels = -60

    /// The decibels that leave for a decibel that enters, below the threshold.
    ///
    /// Range: 1 to 100. Default: 10.
    public var ratio: Float = 10

    /// The decibels between the threshold and the level that keeps the gate open.
    ///
    /// Range: 0 to 24 dB. Default: 4 dB.
    public var hysteresis: Decibels = 4

    /// The time for 63 % of the rise of the gain in decibels.
    ///
    /// Range: 0.1 ms to 1 s. Default: 1 ms.
    public var attack: Duration = .milliseconds(1)

    /// The time for which the gate stays open after the level has fallen.
    ///
    /// Range: 10 ms to 10 s. Default: 100 ms.
    public var hold: Duration = .milliseconds(100)

    /// The time for 63 % of the fall of the gain in decibels.
    ///
    /// Range: 1 ms to 10 s. Default: 150 ms.
    public var release: Duration = .milliseconds(150)

    /// A gate that opens at a level.
    public init(threshold: Decibels = -50) { self.threshold = threshold }
  }
}

// MARK: - The processor

extension Insert.Gate {
  var settings: SignalProcessing.Gate.Settings {
    var settings = SignalProcessing.Gate.Settings()
    (settings.threshold, settings.depth) = (Double(threshold.rawValue), Double(depth.rawValue))
    (settings.ratio, settings.hysteresis) = (Double(ratio), Double(hysteresis.rawValue))
    (settings.attack, settings.release) = (attack / .seconds(1), release / .seconds(1))
    settings.hold = hold / .seconds(1)
    return settings
  }
}

extension Insert.Gate: InsertSettings {
  static let standard = Self()
  static let properties = [
    InsertProperty<Self>(level: "threshold", \.threshold, in: -100...0),
    InsertProperty(level: "depth", \.depth, in: -120...0),
    InsertProperty("ratio", \.ratio, in: 1...100),
    InsertProperty(level: "hysteresis", \.hysteresis, in: 0...24),
    InsertProperty(seconds: "attack", \.attack, in: .microseconds(100) ... .seconds(1)),
    InsertProperty(seconds: "hold", \.hold, in: .milliseconds(10) ... .seconds(10)),
    InsertProperty(seconds: "release", \.release, in: .milliseconds(1) ... .seconds(10)),
  ]
}

// MARK: - Files

extension Insert.Gate: Codable {
  /// Decodes the properties by their names, times in seconds; an absent property has its default.
  public init(from decoder: any Decoder) throws { self = try Self.decodeProperties(from: decoder) }

  /// Encodes the properties that differ from their defaults.
  public func encode(to encoder: any Encoder) throws { try encodeProperties(to: encoder) }
}
