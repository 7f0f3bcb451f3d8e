internal import AudioSupport
internal import Synchronization

/// Everything that the lock of a context guards, and the operations on it.
///
/// The lock also orders the changes for the library: an operation that calls the library runs to its end before another
/// operation begins.
///
/// A subsystem owns its state. It takes the table of sources as an argument, calls the library, and calls no other
/// subsystem. The extensions of this type hold the order in which a call passes through the subsystems. An extension
/// calls only extensions that are earlier in this list: `Values`, `Endings`, `Positions`, `SourcePolling`,
/// `ScheduledStart`, `Streams`, `Reporting`, `Playback`. The others are on top.
struct ContextState: Sendable {
  let handle: ContextHandle
  let device: AudioDevice

  var scene = Scene()
  var listenerOwners = ListenerOwners()
  /// The loudspeakers of the output, and the length of its mixes.
  var output = OutputState()
  /// One record for each source.
  var records = SourceTable()
  /// Sources that wait for their start time, where the library has no start delay.
  var schedule: StartSchedule
  /// The records of the positions that a library forgets at a loss.
  var positions = PositionRecords()
  /// The batches of the threads that change several values at once.
  var batches = BatchPool()
  /// How the context observes its sources and the output.
  var observation: ObservationState
  /// The sources that only the context keeps, until they end, with the tokens of their observations.
  var oneShots: [ObjectIdentifier: (source: SoundSource, token: NotificationToken)] = [:]
  /// The report about a source that was released before the mixer played it.
  var releaseReport = ReleaseReport()
  /// The sources with calls that are postponed.
  var deferred = DeferredCallQueue()
  /// The fades of a few milliseconds that keep an end, a start or a new gain from clicking.
  var shortFades = ShortFades()
  /// The fades that the game has asked for.
  var fades = RunningFades()
  /// The closures that the context calls at ticks.
  var ticks = RunningTicks()

  init(handle: ContextHandle, device: AudioDevice, deliveries: any NotificationDispatcher, sequence: ScheduleSequence) {
    (self.handle, self.device) = (handle, device)
    schedule = StartSchedule(sequence: sequence)
    observation = ObservationState(handle: handle, device: device, deliveries: deliveries)
  }

  /// How many frames a real output mixes at once.
  mutating func framesPerMix() -> Int { output.framesPerMix(by: handle) }

  /// Runs a closure that calls the library for sources, and adjusts the scheduled sources.
  ///
  /// With `hidesSteps`, no reader gets a state from between two calls.
  mutating func performing(hidesSteps: Bool = false, _ body: (inout ContextState) -> Void) {
    if schedule.isEmpty, !hidesSteps { body(&self) } else { changingSchedule(body) }
  }

  /// Runs a closure that changes the schedule and the library together, so that lock-free readers of both get a
  /// consistent state.
  mutating func changingSchedule<Result>(_ body: (inout ContextState) -> Result) -> Result {
    schedule.beginChange()
    defer { schedule.endChange() }
    return body(&self)
  }
}
