internal import SignalProcessing
public import Spatial3D

extension Insert {
  /// A distortion: a curve that adds harmonics.
  ///
  /// The curve runs at four times the sample rate of a mix of up to 80 kHz, so that few harmonics become aliases.
  /// A tone of -12 dB keeps its level with any drive. The latency is 41 frames at 48 kHz.
  ///
  /// AVFAudio: `AVAudioUnitDistortion`. FMOD: `FMOD_DSP_TYPE_DISTORTION`. Wwise: Guitar Distortion.
  public struct Distortion: Hashable, Sendable {
    /// The curve from the sample that enters to the sample that leaves.
    public enum Curve: String, Hashable, Sendable, Codable, CaseIterable {
      /// Nearly straight up to one half, and then ever flatter: an amplifier.
      case soft
      /// The soft curve around a point beside 0, with even harmonics as well: a valve.
      case tube
      /// Straight, and cut at full scale: a small loudspeaker.
      case hard
      /// A sine: a sample beyond full scale comes back, as in a synthesizer.
      case fold
    }

    /// The curve; a change crossfades.
    ///
    /// Default: ``Curve/soft``.
    public var curve: Curve

    /// The gain before the curve: more drive, more harmonics.
    ///
    /// Range: 0 to 48 dB. Default: 12 dB.
    public var drive: Decibels

    /// The corner frequency of the low-pass filter behind the curve, in hertz.
    ///
    /// Range: 100 to 20,000 Hz. Default: 8,000 Hz.
    public var tone: Float = 8_000

    /// The gain behind the curve.
    ///
    /// Range: -48 to 24 dB. Default: 0 dB.
    public var level: Decibels = 0

    /// A distortion by its curve and its drive.
    public init(_ curve: Curve = .soft, drive: Decibels = 12) {
      (self.curve, self.drive) = (curve, drive)
    }
  }
}

// MARK: - The processor

extension Insert.Distortion {
  var settings: SignalProcessing.Distortion.Settings {
    var settings = SignalProcessing.Distortion.Settings()
    (settings.drive, settings.tone) = (Double(drive.rawValue), Double(tone))
    settings.level = Double(level.rawValue)
    settings.curve =
      switch curve {
      case .soft: .soft
      case .tube: .tube
      case .hard: .hard
      case .fold: .fold
      }
    return settings
  }
}

extension Insert.Distortion: InsertSettings {
  static let standard = Self()
  static let properties = [
    InsertProperty<Self>("curve", \.curve),
    InsertProperty(level: "drive", \.drive, in: 0...48),
    InsertProperty("tone", \.tone, in: 100...20_000),
    InsertProperty(level: "level", \.level, in: -48...24),
  ]
}

// MARK: - Files

extension Insert.Distortion: Codable {
  /// Decodes the properties by their names; an absent property has its default.
  public init(from decoder: any Decoder) throws { self = try Self.decodeProperties(from: decoder) }

  /// Encodes the properties that differ from their defaults.
  public func encode(to encoder: any Encoder) throws { try encodeProperties(to: encoder) }
}
