internal import SignalProcessing
internal import Spatial3D

extension Insert {
  /// A bit crusher: fewer bits, and a lower sample rate with its aliases.
  ///
  /// There is no latency.
  ///
  /// AVFAudio: the decimation of `AVAudioUnitDistortion`. FMOD: the plug-in Bitcrusher.
  public struct BitCrusher: Hashable, Sendable {
    /// The number of bits of a sample; a fraction of a bit counts.
    ///
    /// Range: 1 to 24. Default: 8.
    public var bits: Float

    /// The sample rate in hertz; from the rate of the mix on it has no effect.
    ///
    /// Range: 100 Hz and up. Default: 11,025 Hz.
    public var sampleRate: Float

    /// A bit crusher by its bits and its rate in hertz.
    public init(bits: Float = 8, sampleRate: Float = 11_025) {
      (self.bits, self.sampleRate) = (bits, sampleRate)
    }
  }
}

// MARK: - The processor

extension Insert.BitCrusher {
  var settings: SignalProcessing.BitCrusher.Settings {
    var settings = SignalProcessing.BitCrusher.Settings()
    (settings.bits, settings.sampleRate) = (Double(bits), Double(sampleRate))
    return settings
  }
}

extension Insert.BitCrusher: InsertSettings {
  static let standard = Self()
  static let properties = [
    InsertProperty<Self>("bits", \.bits, in: 1...24),
    InsertProperty("sampleRate", \.sampleRate, in: 100 ... .infinity),
  ]
}

// MARK: - Files

extension Insert.BitCrusher: Codable {
  /// Decodes the properties by their names; an absent property has its default.
  public init(from decoder: any Decoder) throws { self = try Self.decodeProperties(from: decoder) }

  /// Encodes the properties that differ from their defaults.
  public func encode(to encoder: any Encoder) throws { try encodeProperties(to: encoder) }
}
