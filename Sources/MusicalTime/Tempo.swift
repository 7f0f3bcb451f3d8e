/// The speed of music, in beats a minute.
///
/// A beat of a tempo is a quarter note in every meter, as in a MIDI file, in `AVAudioSequencer` and in the transport of
/// a music editor: at 120, a bar of 4/4 lasts 2 s and a bar of 6/8 lasts 1.5 s.
///
/// The range is 1 to 60,000,000 beats a minute, or 60 s to 1 µs a beat. It contains every tempo of a MIDI file. A value
/// out of range is clamped.
public struct Tempo: Hashable, Sendable {
  /// The duration of a beat, 1 µs to 60 s.
  ///
  /// The tempo stores this value, so it is exact. A number of beats a minute rounds it to the nearest attosecond.
  public let beatDuration: Duration

  /// A tempo of a number of beats a minute.
  ///
  /// The number is clamped to 1 to 60,000,000. A value that is not a number is 120, the default of MIDI.
  public init(_ beatsPerMinute: Double) {
    let tempo = beatsPerMinute.isNaN ? 120 : min(max(beatsPerMinute, 1), 60_000_000)
    // A Double of 1 or above is a whole multiple of 2⁻⁵².
    let multiple = (1 << 52 | Int128(tempo.significandBitPattern)) << tempo.exponent
    beatDuration = Duration(attoseconds: Self.minute.scaled(by: 1 << 52, over: multiple))
  }

  /// A tempo of which each beat lasts a given time, clamped to 1 µs to 60 s.
  ///
  /// MIDI: the tempo meta event has microseconds per quarter note.
  public init(beatDuration: Duration) {
    self.beatDuration = min(max(beatDuration, .microseconds(1)), .seconds(60))
  }

  /// The number of beats a minute, 1 to 60,000,000.
  ///
  /// A tempo up to 6,000 returns the number that it was made with. Setting it clamps as ``init(_:)`` does.
  public var beatsPerMinute: Double {
    get { Double(Self.minute.scaled(by: 1 << 60, over: beatDuration.attoseconds)) * 0x1p-60 }
    set { self = Tempo(newValue) }
  }

  /// A minute in attoseconds.
  private static let minute: Int128 = 60_000_000_000_000_000_000
}

extension Tempo: ExpressibleByIntegerLiteral, ExpressibleByFloatLiteral {
  /// A tempo of a literal number of beats a minute, such as `120`.
  public init(integerLiteral value: Int) { self.init(Double(value)) }

  /// A tempo of a literal number of beats a minute, such as `120.5`.
  public init(floatLiteral value: Double) { self.init(value) }
}
