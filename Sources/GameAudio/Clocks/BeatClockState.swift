internal import MusicalTime
internal import Spatial3D

/// The beats of a clock, and those who observe them.
struct BeatClockState: Sendable {
  /// A subscription to the lines of a grid.
  struct Observation: Sendable {
    let subscription: Subscription<BeatClock.Tick>
    let grid: Grid
    /// The moment from which on lines are still to be reported.
    var next: Duration
  }

  var timeline: BeatTimeline
  private(set) var observations: [Observation] = []

  init(timeline: BeatTimeline) { self.timeline = timeline }

  var needsTicks: Bool { timeline.isRunning && !observations.isEmpty }

  /// Takes over the time of the mix, and posts the lines that are due; returns whether a sequence has lost its first
  /// line.
  mutating func report(until clock: Duration, in context: AudioContext) -> Bool {
    timeline.adopt(clock)
    var isFirstLoss = false
    for index in observations.indices {
      let subscription = observations[index].subscription
      timeline.takeLines(of: observations[index].grid, from: &observations[index].next) { line in
        if subscription.post(line, in: context) { isFirstLoss = true }
      }
    }
    return isFirstLoss
  }

  /// Begins at a position; the lines from there on are reported.
  mutating func start(at moment: Duration?, fromBeat position: Double) {
    timeline.start(at: moment, fromBeat: position)
    for index in observations.indices { observations[index].next = timeline.start }
  }

  mutating func subscribe(_ subscription: Subscription<BeatClock.Tick>, to grid: Grid) {
    let next = max(timeline.now, timeline.start)
    observations.append(Observation(subscription: subscription, grid: grid, next: next))
  }

  mutating func unsubscribe(_ subscription: Subscription<BeatClock.Tick>) {
    observations.removeAll { $0.subscription === subscription }
  }
}
