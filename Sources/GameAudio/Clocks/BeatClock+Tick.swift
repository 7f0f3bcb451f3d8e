internal import Spatial3D

extension BeatClock {
  /// A line of a grid that the clock has reached.
  public struct Tick: Hashable, Sendable {
    /// The number of the bar, from 1.
    public let bar: Int
    /// The number of the meter's beat in the bar, from 1; the beat before the line, if the line is inside of a beat.
    public let beat: Int
    /// The exact position in quarter notes.
    public let position: Double
    /// The exact moment, as a time of the context's `AudioContext.clock`.
    ///
    /// The listener hears the line later by `AudioContext.latency`, and should see it then.
    public let moment: Duration
  }
}

extension BeatClock.Tick: Coalescing {
  package var isJoinable: Bool { false }
  package var isCount: Bool { false }
  package func joined(with later: BeatClock.Tick) -> BeatClock.Tick? { nil }
}
