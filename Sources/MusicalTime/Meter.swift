/// The beats of a bar, such as 4/4, 7/8 or 6/8.
///
/// A beat of a meter is a note of its unit: 4/4 has four quarter notes, 7/8 seven eighths, 6/8 six eighths. The beat of
/// a ``Tempo`` and of a ``TempoMap`` is the quarter note in every meter, so a bar of 6/8 takes three of them. Grid
/// lines at the two dotted quarter notes of 6/8 are `Grid.beats(3)`.
public struct Meter: Hashable, Sendable {
  /// The number of beats in a bar, clamped to 1 to 256.
  public var beats: Int {
    didSet { beats = Self.clamped(beats: beats) }
  }

  /// The note that is one beat, as a fraction of a whole note: 4 is a quarter note, 8 an eighth.
  ///
  /// It is 1, 2, 4, 8, 16, 32 or 64. Another number is rounded down to one of these, and a number below 1 is 1.
  public var unit: Int {
    didSet { unit = Self.clamped(unit: unit) }
  }

  /// A meter of a number of beats a bar, each of which is a note of a unit.
  ///
  /// The numbers are clamped as ``beats`` and ``unit`` are.
  public init(_ beats: Int, _ unit: Int) {
    self.beats = Self.clamped(beats: beats)
    self.unit = Self.clamped(unit: unit)
  }

  /// The numbers of the bar, and of the beat within the bar, at a position of a tempo map.
  ///
  /// Both count from 1: the position 0 is beat 1 of bar 1. Bar 0 is the bar before it, and earlier bars are negative.
  /// A position less than 9·10⁻¹² before a beat counts as that beat. The position is in quarter notes, and clamped as
  /// ``TempoMap`` does.
  public func barAndBeat(atBeat position: Double) -> (bar: Int, beat: Int) {
    let beat = Int(Pulses.nearest(toBeat: position).flooredQuotient(by: pulsesPerBeat))
    let bar = Int(Int128(beat).flooredQuotient(by: Int128(beats)))
    return (bar + 1, beat - bar * beats + 1)
  }

  /// The length of a beat.
  var pulsesPerBeat: Int128 { 4 * Pulses.perBeat / Int128(unit) }

  /// The length of a bar.
  var pulsesPerBar: Int128 { Int128(beats) * pulsesPerBeat }

  private static func clamped(beats: Int) -> Int { min(max(beats, 1), 256) }

  private static func clamped(unit: Int) -> Int {
    let unit = min(max(unit, 1), 64)
    return 1 << (Int.bitWidth - 1 - unit.leadingZeroBitCount)
  }
}
