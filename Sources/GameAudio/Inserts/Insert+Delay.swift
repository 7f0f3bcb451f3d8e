internal import SignalProcessing
internal import Spatial3D

extension Insert {
  /// A delay with repeats: an echo.
  ///
  /// The processed sound is the repeats alone: the mix of the insert decides the share of the sound itself. A new time
  /// crossfades, without a slide of the pitch.
  ///
  /// AVFAudio: `AVAudioUnitDelay`. FMOD: `FMOD_DSP_TYPE_ECHO`. Wwise: Delay.
  public struct Delay: Hashable, Sendable {
    /// The time to the first repeat, and from repeat to repeat.
    ///
    /// Range: 0 to 10 s, and one frame at least. Default: 375 ms.
    public var time: Duration

    /// The gain from repeat to repeat.
    ///
    /// Range: 0 to 0.98. Default: 0.35.
    public var feedback: Float

    /// The corner frequency of the low-pass filter between two repeats, in hertz.
    ///
    /// Range: 100 to 20,000 Hz. Default: 6,000 Hz.
    public var tone: Float = 6_000

    /// Whether the repeats of a stereo sound begin on the left and then change their side: a ping-pong delay.
    ///
    /// Default: `false`.
    public var crossesOver = false

    /// A delay by its time and its feedback.
    public init(_ time: Duration = .milliseconds(375), feedback: Float = 0.35) {
      (self.time, self.feedback) = (time, feedback)
    }
  }
}

// MARK: - The processor

extension Insert.Delay {
  var settings: FeedbackDelay.Settings {
    var settings = FeedbackDelay.Settings()
    (settings.time, settings.feedback) = (time / .seconds(1), Double(feedback))
    (settings.tone, settings.crossesOver) = (Double(tone), crossesOver)
    return settings
  }
}

extension Insert.Delay: InsertSettings {
  static let standard = Self()
  static let properties = [
    InsertProperty<Self>(seconds: "time", \.time, in: .zero ... .seconds(10)),
    InsertProperty("feedback", \.feedback, in: 0...0.98),
    InsertProperty("tone", \.tone, in: 100...20_000),
    InsertProperty("crossesOver", \.crossesOver),
  ]
}

// MARK: - Files

extension Insert.Delay: Codable {
  /// Decodes the properties by their names, the time in seconds; an absent property has its default.
  public init(from decoder: any Decoder) throws { self = try Self.decodeProperties(from: decoder) }

  /// Encodes the properties that differ from their defaults.
  public func encode(to encoder: any Encoder) throws { try encodeProperties(to: encoder) }
}
