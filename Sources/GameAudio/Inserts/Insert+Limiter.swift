internal import SignalProcessing
public import Spatial3D

extension Insert {
  /// A limiter with look-ahead: no sample that leaves is above a ceiling, for any sound.
  ///
  /// The latency is the look-ahead, and 11 frames more with true peak at 48 kHz.
  ///
  /// AVFAudio: the effect `kAudioUnitSubType_PeakLimiter`. FMOD: `FMOD_DSP_TYPE_LIMITER`. Wwise: Peak Limiter.
  public struct Limiter: Hashable, Sendable {
    /// The highest level that leaves.
    ///
    /// Range: -60 to 0 dB. Default: -1 dB.
    public var ceiling: Decibels

    /// Whether the ceiling holds between the samples as well, by ITU-R BS.1770-4, annex 2; a change crossfades.
    ///
    /// Between the samples, a sound below 20 kHz passes the ceiling by at most 0.4 dB. Default: `true`.
    public var isTruePeak: Bool

    /// The time by which the gain begins to fall before a peak; a change crossfades.
    ///
    /// Range: 0.5 to 20 ms. Default: 1.5 ms.
    public var lookAhead: Duration = .microseconds(1_500)

    /// The time in which 63 % of the gain returns.
    ///
    /// Range: 10 ms to 5 s. Default: 80 ms.
    public var release: Duration = .milliseconds(80)

    /// A limiter to a level.
    public init(ceiling: Decibels = -1, isTruePeak: Bool = true) {
      (self.ceiling, self.isTruePeak) = (ceiling, isTruePeak)
    }
  }
}

// MARK: - The processor

extension Insert.Limiter {
  var settings: LookAheadLimiter.Settings {
    var settings = LookAheadLimiter.Settings()
    (settings.ceiling, settings.isTruePeak) = (Double(ceiling.rawValue), isTruePeak)
    (settings.lookAhead, settings.release) = (lookAhead / .seconds(1), release / .seconds(1))
    return settings
  }
}

extension Insert.Limiter: InsertSettings {
  static let standard = Self()
  static let properties = [
    InsertProperty<Self>(level: "ceiling", \.ceiling, in: -60...0),
    InsertProperty("isTruePeak", \.isTruePeak),
    InsertProperty(seconds: "lookAhead", \.lookAhead, in: .microseconds(500) ... .milliseconds(20)),
    InsertProperty(seconds: "release", \.release, in: .milliseconds(10) ... .seconds(5)),
  ]
}

// MARK: - Files

extension Insert.Limiter: Codable {
  /// Decodes the properties by their names, times in seconds; an absent property has its default.
  public init(from decoder: any Decoder) throws { self = try Self.decodeProperties(from: decoder) }

  /// Encodes the properties that differ from their defaults.
  public func encode(to encoder: any Encoder) throws { try encodeProperties(to: encoder) }
}
