internal import SignalProcessing
internal import Spatial3D

extension Insert {
  /// Delayed copies of the sound whose delays move: a chorus, a ``flanger`` or a ``vibrato`` by its numbers.
  ///
  /// The processed sound is the copies alone: the mix of the insert decides the share of the sound itself.
  ///
  /// FMOD: `FMOD_DSP_TYPE_CHORUS`, `FMOD_DSP_TYPE_FLANGE`. Wwise: Flanger.
  public struct Chorus: Hashable, Sendable {
    /// The number of copies, each with a movement of its own; a change crossfades.
    ///
    /// Range: 1 to 4. Default: 2.
    public var voices = 2

    /// The mean delay.
    ///
    /// Range: 0.5 to 50 ms. Default: 12 ms.
    public var delay: Duration = .milliseconds(12)

    /// The distance of the shortest and of the longest delay from the mean delay.
    ///
    /// Range: 0 to ``delay``. Default: 3 ms.
    public var depth: Duration = .milliseconds(3)

    /// The frequency of the movement in hertz.
    ///
    /// Range: 0.01 to 20 Hz. Default: 0.7 Hz.
    public var rate: Float = 0.7

    /// The gain with which the copies enter again; a negative gain inverts them.
    ///
    /// Range: -0.95 to 0.95. Default: 0.
    public var feedback: Float = 0

    /// A chorus with the default numbers.
    public init() {}

    private init(voices: Int, delay: Duration, depth: Duration, rate: Float, feedback: Float) {
      (self.voices, self.delay, self.depth) = (voices, delay, depth)
      (self.rate, self.feedback) = (rate, feedback)
    }

    /// A flanger, which sweeps notches through the sound: with a mix of 0.5.
    public static let flanger = Chorus(
      voices: 1,
      delay: .milliseconds(2),
      depth: .microseconds(1_500),
      rate: 0.25,
      feedback: 0.5
    )

    /// A vibrato, which moves the pitch by 30 cents up and down: with a mix of 1.
    public static let vibrato = Chorus(
      voices: 1,
      delay: .milliseconds(4),
      depth: .microseconds(500),
      rate: 5.5,
      feedback: 0
    )
  }
}

// MARK: - The processor

extension Insert.Chorus {
  var settings: ModulatedDelay.Settings {
    var settings = ModulatedDelay.Settings()
    (settings.taps, settings.delay, settings.depth) = (voices, delay / .seconds(1), depth / .seconds(1))
    (settings.rate, settings.feedback) = (Double(rate), Double(feedback))
    return settings
  }
}

extension Insert.Chorus: InsertSettings {
  static let standard = Self()
  static let properties = [
    InsertProperty<Self>(count: "voices", \.voices, in: 1...4),
    InsertProperty(seconds: "delay", \.delay, in: delays),
    InsertProperty(seconds: "depth", \.depth) { chorus, _ in .zero...delays.nearest(to: chorus.delay) },
    InsertProperty("rate", \.rate, in: 0.01...20),
    InsertProperty("feedback", \.feedback, in: -0.95...0.95),
  ]
  private static let delays: ClosedRange<Duration> = .microseconds(500) ... .milliseconds(50)
}

// MARK: - Files

extension Insert.Chorus: Codable {
  /// Decodes the properties by their names, times in seconds; an absent property has its default.
  public init(from decoder: any Decoder) throws { self = try Self.decodeProperties(from: decoder) }

  /// Encodes the properties that differ from their defaults.
  public func encode(to encoder: any Encoder) throws { try encodeProperties(to: encoder) }
}
