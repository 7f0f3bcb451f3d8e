/// The tempo of a piece of music over time, and the conversion between its beats and moments.
///
/// A beat is a quarter note, as in ``Tempo``. Beat 0 is at the moment zero. The tempo is constant from one change to
/// the next. The first tempo also holds before beat 0, where positions and moments are negative. A map has no meter:
/// the calls that count bars take one.
///
/// The map computes with integers, so that errors do not grow with time. It rounds a position to 1/55,351,296,000 beat,
/// 9 ps at 120 beats a minute. The moment of that position is exact to half an attosecond, and to as much again for
/// each change of tempo before it. At 48 kHz, no beat of an hour is a frame off. The position at the moment of a beat,
/// of a triplet or of a MIDI file's tick is exactly the position that the moment was computed from.
///
/// Each call takes any value. Positions are clamped to ±10⁸ beats, and a moment beyond them counts as the outermost.
public struct TempoMap: Hashable, Sendable {
  /// The first starts at 0, unless tempos were dropped.
  private var segments: TempoSegments

  /// The distance from zero of the last moment, 10⁸ beats of 60 s, in attoseconds.
  private static let lastMoment: Int128 = 6_000_000_000 * 1_000_000_000_000_000_000

  /// A map of one tempo.
  public init(_ tempo: Tempo) {
    segments = TempoSegments(tempo)
  }

  /// Sets the tempo from a position to the next change.
  ///
  /// Replaces a change at the same position. Later changes keep their beats, so their moments move. A position before 0
  /// counts as 0, and a value that is not a number leaves the map as it was.
  public mutating func setTempo(_ tempo: Tempo, atBeat position: Double) {
    if !position.isNaN { segments.set(tempo, atPulse: Pulses.nearest(toBeat: position)) }
  }

  /// Sets the tempo from a moment to the next change.
  ///
  /// As ``setTempo(_:atBeat:)`` at the position that the map has at the moment before the call.
  public mutating func setTempo(_ tempo: Tempo, at moment: Duration) {
    segments.set(tempo, atPulse: pulse(at: moment))
  }

  /// Drops the tempos that end before a moment.
  ///
  /// Conversions from that moment on stay as they were. Before it, its tempo counts.
  package mutating func dropTempos(before moment: Duration) {
    segments.drop(before: moment.attoseconds)
  }

  /// The tempo at a moment; at the moment of a change, the new one.
  public func tempo(at moment: Duration) -> Tempo {
    segments.segment(atPulse: pulse(at: moment)).tempo
  }

  /// The position in beats at a moment, −10⁸ to 10⁸.
  public func beat(at moment: Duration) -> Double { Pulses.beat(of: pulse(at: moment)) }

  /// The moment of a position in beats.
  ///
  /// A value that is not a number counts as 0.
  public func moment(ofBeat position: Double) -> Duration { moment(ofPulse: Pulses.nearest(toBeat: position)) }

  /// The moment of the first line of a grid at or after a moment.
  ///
  /// The result is never before `moment`, and the line after a line is the first one from an attosecond later. If no
  /// line is left up to the last position, 10⁸ beats, the result is the moment of that position, or `moment` after it.
  public func next(_ grid: Grid, from moment: Duration, in meter: Meter) -> Duration {
    let spacing = grid.spacing(in: meter)
    let line = -(-pulse(at: moment)).flooredQuotient(by: spacing) * spacing
    let found = self.moment(ofPulse: Pulses.clamped(line))
    // The position at the moment is rounded, so a line may have passed by less than that.
    return found >= moment ? found : max(self.moment(ofPulse: Pulses.clamped(line + spacing)), moment)
  }

  private func pulse(at moment: Duration) -> Int128 {
    let moment = min(max(moment.attoseconds, -Self.lastMoment), Self.lastMoment)
    return Pulses.clamped(segments.segment(at: moment).pulse(at: moment))
  }

  private func moment(ofPulse pulse: Int128) -> Duration {
    Duration(attoseconds: segments.segment(atPulse: pulse).moment(of: pulse))
  }
}
