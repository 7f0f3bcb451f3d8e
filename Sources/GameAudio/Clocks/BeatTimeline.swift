internal import MusicalTime

/// The beats of a clock on the time of the mix: its start, its tempos, and the lines of a grid that are due.
///
/// Pure: no call and no lock. All moments are times of the mix, so the rate of the output plays no part.
struct BeatTimeline: Sendable {
  let meter: Meter
  /// The latest time of the mix that a call has passed.
  private(set) var now = Duration.zero
  private(set) var isRunning = false
  /// The moment of the last start, which may lie ahead.
  private(set) var start = Duration.zero
  /// The moment of beat 0, before the start if that was at a later beat.
  private var origin = Duration.zero
  /// The tempos since the origin; the present one alone while the clock is stopped.
  private var map: TempoMap
  /// The position while the clock is stopped.
  private var stoppedPosition = 0.0

  init(_ tempo: Tempo, meter: Meter) {
    self.meter = meter
    map = TempoMap(tempo)
  }

  /// The tempo in force; before the start, the first one.
  var tempo: Tempo { map.tempo(at: max(now, start) - origin) }

  /// The position in quarter notes; before the start it is below the position of the start.
  var position: Double { isRunning ? map.beat(at: now - origin) : stoppedPosition }

  /// Takes over the time of the mix.
  ///
  /// Another thread may have read a later time, and passed it earlier.
  mutating func adopt(_ clock: Duration) { now = max(now, clock) }

  /// Begins at a position, and drops the tempo changes that lie ahead.
  mutating func start(at moment: Duration?, fromBeat position: Double) {
    let tempo = tempo
    map = TempoMap(tempo)
    start = usable(moment)
    let offset = map.moment(ofBeat: max(position, 0))
    origin = start - offset
    // The map begins there: a change at the start also holds before it.
    map.setTempo(tempo, at: offset)
    map.dropTempos(before: offset)
    isRunning = true
  }

  /// Keeps the position and the tempo in force.
  mutating func stop() {
    guard isRunning else { return }
    stoppedPosition = map.beat(at: max(now, start) - origin)
    map = TempoMap(tempo)
    (start, origin) = (.zero, .zero)
    isRunning = false
  }

  /// Changes the tempo from a moment to the next change; at once while the clock is stopped.
  mutating func setTempo(_ tempo: Tempo, at moment: Duration?) {
    guard isRunning else { return map = TempoMap(tempo) }
    // A game may change the tempo each frame, for hours.
    map.dropTempos(before: now - origin)
    map.setTempo(tempo, at: max(usable(moment), start) - origin)
  }

  /// The moment of the first line at least `lead` from now, of the clock as it is, or as if it started now.
  func next(_ grid: Grid, lead: Duration) -> Duration {
    guard isRunning else { return now + map.next(grid, from: lead, in: meter) }
    return origin + map.next(grid, from: max(now + lead, start) - origin, in: meter)
  }

  /// The moment of a position, at least now, of the clock as it is, or as if it started now.
  func moment(ofBeat position: Double) -> Duration {
    max((isRunning ? origin : now) + map.moment(ofBeat: position), now)
  }

  /// Passes the lines that are due to a closure, from a moment on, and moves that moment past them.
  func takeLines(of grid: Grid, from moment: inout Duration, _ body: (BeatClock.Tick) -> Void) {
    guard isRunning else { return }
    while let line = dueLine(of: grid, from: moment) {
      body(line)
      moment = line.moment + Self.leastDistance
    }
    moment = max(moment, now + Duration(attoseconds: 1))
  }

  private func dueLine(of grid: Grid, from moment: Duration) -> BeatClock.Tick? {
    guard moment <= now else { return nil }
    let line = map.next(grid, from: moment - origin, in: meter)
    let position = map.beat(at: line)
    // A map ends there, and returns later moments as they are.
    guard origin + line <= now, position < Self.lastPosition else { return nil }
    let (bar, beat) = meter.barAndBeat(atBeat: position)
    return BeatClock.Tick(bar: bar, beat: beat, position: position, moment: origin + line)
  }

  /// A moment from now on, in the range of a map.
  private func usable(_ moment: Duration?) -> Duration { max(min(moment ?? now, Self.lastMoment), now) }

  /// The least distance of two lines that are both reported.
  ///
  /// Chosen: a tick of 11 ms reports eleven lines of a grid at most, and no music has lines so close.
  static let leastDistance = Duration.milliseconds(1)
  /// The last position of a `TempoMap`, in quarter notes: 19 months at 120 quarter notes a minute.
  static let lastPosition = 100_000_000.0
  /// The last moment of a `TempoMap`: the last position at the slowest tempo, of 60 s for a quarter note.
  private static let lastMoment = Duration.seconds(6_000_000_000)
}
