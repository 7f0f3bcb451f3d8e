internal import SignalProcessing
public import Spatial3D

extension Insert {
  /// A compressor: lowers the level above a threshold, with one gain for all channels.
  ///
  /// Source: Giannoulis, Massberg and Reiss, "Digital Dynamic Range Compressor Design" (2012). There is no latency.
  ///
  /// AVFAudio: the effect `kAudioUnitSubType_DynamicsProcessor`. FMOD: `FMOD_DSP_TYPE_COMPRESSOR`. Wwise: Compressor.
  public struct Compressor: Hashable, Sendable {
    /// The measure of the level.
    public enum Detector: String, Hashable, Sendable, Codable, CaseIterable {
      /// The largest magnitude: for drums and other sounds with an abrupt beginning.
      case peak
      /// The root mean square of 10 ms, which is nearer to loudness.
      case rms
    }

    /// The level from which on the gain is lowered.
    ///
    /// Range: -80 to 0 dB. Default: -18 dB.
    public var threshold: Decibels

    /// The decibels that enter for a decibel that leaves, above the threshold.
    ///
    /// Range: 1 to 1,000. Default: 3.
    public var ratio: Float

    /// The width of the bend of the curve around the threshold.
    ///
    /// Range: 0 to 24 dB. Default: 6 dB.
    public var knee: Decibels

    /// The gain behind the compressor.
    ///
    /// Range: -24 to 24 dB. Default: 0 dB.
    public var makeup: Decibels

    /// The time for 63 % of a reduction in decibels.
    ///
    /// Range: 0.1 ms to 1 s. Default: 10 ms.
    public var attack: Duration

    /// The time for the return of 63 % of a reduction in decibels.
    ///
    /// Range: 1 ms to 10 s. Default: 120 ms.
    public var release: Duration

    /// The measure of the level; a change crossfades.
    ///
    /// Default: ``Detector/rms``.
    public var detector = Detector.rms

    /// The frequency in hertz from which on the detector measures, so that a bass does not lower the rest; 0 for all.
    ///
    /// Range: 0, and 10 Hz to 0.49 of the sample rate. Default: 0.
    public var keyHighPass: Float = 0

    /// A compressor by its curve and its times.
    public init(
      threshold: Decibels = -18,
      ratio: Float = 3,
      knee: Decibels = 6,
      makeup: Decibels = 0,
      attack: Duration = .milliseconds(10),
      release: Duration = .milliseconds(120)
    ) {
      (self.threshold, self.ratio, self.knee, self.makeup) = (threshold, ratio, knee, makeup)
      (self.attack, self.release) = (attack, release)
    }

    /// The level that leaves for a steady level that enters: the static curve, with the make-up.
    ///
    /// An infinite level returns itself, and so does NaN.
    public func output(for input: Decibels) -> Decibels {
      guard input.rawValue.isFinite else { return input }
      let (settings, level) = (settings.limited(), Double(input.rawValue))
      let curve = CompressionCurve(threshold: settings.threshold, ratio: settings.ratio, knee: settings.knee)
      return Decibels(Float(level + curve.gain(at: level) + settings.makeup))
    }
  }
}

// MARK: - The processor

extension Insert.Compressor {
  var settings: SignalProcessing.Compressor.Settings {
    var settings = SignalProcessing.Compressor.Settings()
    (settings.threshold, settings.ratio) = (Double(threshold.rawValue), Double(ratio))
    (settings.knee, settings.makeup) = (Double(knee.rawValue), Double(makeup.rawValue))
    (settings.attack, settings.release) = (attack / .seconds(1), release / .seconds(1))
    settings.keyHighPass = Double(keyHighPass)
    settings.detector =
      switch detector {
      case .peak: .peak
      case .rms: .rootMeanSquare
      }
    return settings
  }
}

extension Insert.Compressor: InsertSettings {
  static let standard = Self()
  static let properties = [
    InsertProperty<Self>(level: "threshold", \.threshold, in: -80...0),
    InsertProperty("ratio", \.ratio, in: 1...1_000),
    InsertProperty(level: "knee", \.knee, in: 0...24),
    InsertProperty(level: "makeup", \.makeup, in: -24...24),
    InsertProperty(seconds: "attack", \.attack, in: .microseconds(100) ... .seconds(1)),
    InsertProperty(seconds: "release", \.release, in: .milliseconds(1) ... .seconds(10)),
    InsertProperty("detector", \.detector),
    InsertProperty("keyHighPass", \.keyHighPass) { compressor, sampleRate in
      let range = ClosedRange.filterFrequencies(sampleRate)
      return compressor.keyHighPass > 0 ? range : 0...range.upperBound
    },
  ]
}

// MARK: - Files

extension Insert.Compressor: Codable {
  /// Decodes the properties by their names, times in seconds; an absent property has its default.
  public init(from decoder: any Decoder) throws { self = try Self.decodeProperties(from: decoder) }

  /// Encodes the properties that differ from their defaults.
  public func encode(to encoder: any Encoder) throws { try encodeProperties(to: encoder) }
}
