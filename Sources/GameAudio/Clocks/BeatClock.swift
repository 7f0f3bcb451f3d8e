internal import AudioSupport
public import MusicalTime
public import Spatial3D

/// A clock that counts beats and bars on the time of the mix, so that sounds start on them.
///
/// ```swift
/// let beats = BeatClock(120, in: world)
/// beats.start(at: world.context.clock + .milliseconds(200))
/// drums.play(at: beats.next(.bar))
/// ```
///
/// All moments are times of the context's `AudioContext.clock`, which counts the mixed frames. A suspension stops the
/// beats if it freezes the context, and does not if it mutes the context. A change of the output's rate does not change
/// the moments. A beat of the tempo and of ``position`` is a quarter note in every meter. The beats are exact: after an
/// hour, no line is a frame off.
///
/// Every method and property may be used from any thread. A clock that is stopped, or that nobody observes, has no
/// ticks of the mix and costs nothing.
public final class BeatClock: Sendable {
  /// The world of the clock.
  public let world: AudioWorld
  /// The meter.
  public let meter: Meter

  /// The time that the start of a sound on a line needs.
  private let lead: Duration
  private let state: SharedState
  /// The token of the ticks of the mix, while the clock runs and somebody observes it.
  private let ticks = Lock<NotificationToken?>(nil)
  /// The number of the clock in its world, for snapshots.
  private let number: Int

  /// The state, which the world reads for its snapshots: it keeps the state and not the clock.
  private final class SharedState: Sendable {
    private let state: Lock<BeatClockState>

    init(_ state: BeatClockState) { self.state = Lock(state) }

    func withLock<Result: Sendable>(_ body: (inout BeatClockState) -> Result) -> Result {
      state.withLock { state in body(&state) }
    }
  }

  /// A clock that is stopped at bar 1, beat 1.
  ///
  /// - Parameters:
  ///   - tempo: The tempo, in quarter notes a minute.
  ///   - meter: The meter.
  ///   - world: The world whose context has the time; the clock keeps it.
  public init(_ tempo: Tempo, meter: Meter = Meter(4, 4), in world: AudioWorld) {
    self.world = world
    self.meter = meter
    lead = Self.lead(in: world.context)
    let shared = SharedState(BeatClockState(timeline: BeatTimeline(tempo, meter: meter)))
    state = shared
    number = world.withState { state in
      state.clocks.add { number in
        { clock in
          shared.withLock { state in
            var timeline = state.timeline
            timeline.adopt(clock)
            return WorldSnapshot.Clock(number, timeline, meter)
          }
        }
      }
    }
  }

  deinit {
    // A forked child lacks the threads that may hold the locks.
    guard !world.context.isInherited else { return }
    world.withState { $0.clocks.remove(number) }
    state.withLock { state in
      for observation in state.observations { observation.subscription.finish(in: world.context) }
    }
    world.context.deliverNotifications()
  }

  /// The time from now to the first line on which a sound can start exactly.
  private static func lead(in context: AudioContext) -> Duration {
    if context.device.mixesOnRequest {
      return PCMFormat.mono(sampleRate: context.sampleRate).duration(ofFrames: MixTime.tick)
    }
    // The mix in progress has begun already, and so may the next mix have when the sound is started. Chosen: 50 ms are
    // two mixes of 21 ms. A source on an output that cannot delay starts plays silence from 100 ms before its start.
    let startsExactly = context.device.mixesByFrames || context.capabilities.contains(.startDelay)
    return .milliseconds(startsExactly ? 50 : 100)
  }
}

// MARK: - Running

extension BeatClock {
  /// Starts the clock, or starts it again.
  ///
  /// The tempo in force stays, and tempo changes that lie ahead are dropped.
  ///
  /// - Parameters:
  ///   - moment: The moment of the first beat, up to 6 · 10⁹ s; `nil` and moments that have passed are now. A sound
  ///     that is to start on the first beat needs a moment ahead: see ``next(_:)``.
  ///   - position: The position at that moment, in quarter notes; 0 is beat 1 of bar 1. Range: 0 to 10⁸, clamped, and
  ///     NaN is 0; `AudioContext.onDiagnostic` reports either once. The ``position`` of a stopped clock lets it go on.
  public func start(at moment: Duration? = nil, fromBeat position: Double = 0) {
    act { $0.start(at: moment, fromBeat: position) }
    if position.isNaN { reportUnusable("position", .double(position), .other("0 is used")) }
    check("position", position, in: 0...BeatTimeline.lastPosition)
  }

  /// Stops the clock at its position.
  ///
  /// The tempo in force stays, and tempo changes that lie ahead are dropped. Sounds play on, and those that were given
  /// a moment start then.
  public func stop() { act { $0.timeline.stop() } }

  /// Whether the clock was started; also before the moment of its start.
  public var isRunning: Bool { state.withLock { $0.timeline.isRunning } }

  /// The position in quarter notes, exact to 1/55,351,296,000.
  ///
  /// Before the moment of the start it counts up to the position of the start, from below: -2 is two quarter notes
  /// before bar 1.
  public var position: Double { read { $0.position } }

  /// The tempo in force; before the start, the first one.
  ///
  /// ``setTempo(_:at:)`` changes it.
  public var tempo: Tempo { read { $0.tempo } }

  /// Changes the tempo from a moment to the next change.
  ///
  /// Later changes keep their beats, so they come earlier or later. The clock does not move sounds: a sound with the
  /// moment of a line starts at that moment, although the line may now lie elsewhere. Take the moment of the change
  /// from ``next(_:)`` and start sounds up to it, or start those behind it afterwards.
  ///
  /// - Parameters:
  ///   - tempo: The tempo.
  ///   - moment: The moment; `nil` and moments that have passed are now, and those before the start are the start. A
  ///     stopped clock takes the tempo at once.
  public func setTempo(_ tempo: Tempo, at moment: Duration? = nil) {
    act { $0.timeline.setTempo(tempo, at: moment) }
  }

  /// The moment of the next line of a grid on which a sound can start exactly.
  ///
  /// It is the first line from now on that leaves the mixer enough time: 512 frames offline; 50 ms on
  /// `AudioDevice.silent`, and on outputs with `Capabilities.startDelay`; 100 ms on others. Before the start, it is the
  /// first line from the start on. A clock that is stopped answers as if it started now.
  ///
  /// Pass the moment to `play(at:)` soon. To the listener the sound is later by `AudioContext.latency`.
  public func next(_ grid: Grid) -> Duration {
    let lead = lead
    return read { $0.next(grid, lead: lead) }
  }

  /// The moment of a position in quarter notes, by the tempo changes that are set so far.
  ///
  /// With it, the line that has passed starts the sounds up to the next one. Range: -10⁸ to 10⁸, clamped, and NaN is 0,
  /// both without a report. A position that has passed is now. A clock that is stopped answers as if it started now.
  public func moment(ofBeat position: Double) -> Duration { read { $0.moment(ofBeat: position) } }
}

// MARK: - Observation

extension BeatClock {
  /// Returns a sequence of the lines of a grid from now on, for a loop.
  ///
  /// No line is lost, however late the tick of the mix is, and as long as no more than 16,384 wait for a slow loop: see
  /// `NotificationSequence`. The lines arrive within one tick of 512 frames after their ``Tick/moment``, and on outputs
  /// one mix later. If lines are less than a millisecond apart, some are left out. Before the start, the sequence
  /// waits. It ends with the clock's release.
  public func events(_ grid: Grid = .beat) -> NotificationSequence<Tick> {
    let subscription = Subscription<Tick>(calling: nil)
    return NotificationSequence(subscription, token: subscribe(subscription, to: grid))
  }

  /// Calls a closure with each line of a grid from now on, until the token is released.
  ///
  /// The closure receives the same lines as a sequence of ``events(_:)``, and no line is lost. The closure runs offline
  /// on the thread that renders or calls, else on a thread of this package. No lock is held: the closure may use the
  /// clock, and start sounds.
  public func observe(_ grid: Grid = .beat, _ handler: @escaping @Sendable (Tick) -> Void) -> NotificationToken {
    subscribe(Subscription(calling: handler), to: grid)
  }

  private func subscribe(_ subscription: Subscription<Tick>, to grid: Grid) -> NotificationToken {
    act { $0.subscribe(subscription, to: grid) }
    return NotificationToken(in: world.context) { [weak self] _ in
      self?.act { $0.unsubscribe(subscription) }
      subscription.cancel()
    }
  }
}

// MARK: - The time of the mix

extension BeatClock: FaultReporter {
  func report(_ fault: ValueFault) { world.report(fault, of: .kind("a beat clock")) }
}

extension BeatClock {
  private func read<Value: Sendable>(_ body: (BeatTimeline) -> Value) -> Value {
    let clock = world.context.clock
    return state.withLock { state in
      state.timeline.adopt(clock)
      return body(state.timeline)
    }
  }

  /// Reports the lines up to now, and then changes the state.
  private func act(_ body: (inout BeatClockState) -> Void) {
    let clock = world.context.clock
    let hasLost = state.withLock { state in
      let hasLost = state.report(until: clock, in: world.context)
      body(&state)
      return hasLost
    }
    updateTicks()
    deliver(hasLost: hasLost)
  }

  /// Begins or ends the ticks of the mix.
  private func updateTicks() {
    let gone = ticks.withLock { token -> NotificationToken? in
      let isNeeded = state.withLock { $0.needsTicks }
      guard isNeeded != (token != nil) else { return nil }
      let gone = token
      token = isNeeded ? world.context.onTick(every: MixTime.tick) { [weak self] in self?.tick(at: $0) } : nil
      return gone
    }
    withExtendedLifetime(gone) {}
  }

  private func tick(at clock: Duration) {
    deliver(hasLost: state.withLock { $0.report(until: clock, in: world.context) })
  }

  private func deliver(hasLost: Bool) {
    if hasLost { world.context.report(.eventsLost(of: "a BeatClock")) }
    world.context.deliverNotifications()
  }

  /// Whether the clock has ticks of the mix.
  var hasTicks: Bool { ticks.withLock { $0 != nil } }
}

extension WorldSnapshot.Clock {
  fileprivate init(_ number: Int, _ timeline: BeatTimeline, _ meter: Meter) {
    self.init(
      id: number,
      isRunning: timeline.isRunning,
      tempo: timeline.tempo.beatsPerMinute,
      meter: [meter.beats, meter.unit],
      position: timeline.position.atMicro
    )
  }
}
