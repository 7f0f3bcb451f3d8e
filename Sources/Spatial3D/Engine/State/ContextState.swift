internal import AudioSupport
internal import Synchronization

/// Everything that the lock of a context guards, and the operations on it.
///
/// The lock also orders the changes for the library: an operation that calls the library runs to its end before another
/// operation begins. The operations are in one file for each subsystem.
struct ContextState: Sendable {
  let handle: ContextHandle
  let device: AudioDevice
  /// The queue of subscriptions that have notifications to deliver.
  let deliveries: any NotificationDispatcher
  let scheduleSequence: ScheduleSequence
  /// The address of the context, which identifies the batches of its threads.
  var contextAddress = 0

  var scene = Scene()
  var listenerOwners = ListenerOwners()
  /// The loudspeakers of the output.
  var loudspeakers: Loudspeakers = []
  /// One record for each source.
  var records = SourceTable()
  /// Sources that wait for their start time, where the library has no start delay.
  var schedule = StartSchedule()
  /// Whether a call changes the schedule, and the library with it.
  var isChangingSchedule = false
  /// How many frames a real output mixes at once at a rate of the mix; `nil` until it is first read.
  var mixLength: (rate: Int, frames: Int)?
  /// Closed batches, kept for their memory; as many as were ever open at once.
  var spareBatches: [Batch] = []
  /// How the context observes its sources and the output.
  var observation = ObservationState()
  /// The sources that only the context keeps, until they end, with the tokens of their observations.
  var oneShots: [ObjectIdentifier: (source: SoundSource, token: NotificationToken)] = [:]
  /// Whether a source was released before the mixer played it, and the report that an offline context makes at the next
  /// mix: without one, nothing was missed.
  var hasReportedRelease = false
  var releaseReport: Diagnostic?
  /// The sources with calls that are postponed.
  var deferred = DeferredCallQueue()
  /// Sources of the library that fade out, where it would cut them.
  var endings = EndingSources()
  /// The gains that move over several short mixes of an offline context.
  var gainRamps = GainRamps()
  /// The fades that the game has asked for.
  var fades = RunningFades()
  /// The closures that the context calls at ticks.
  var ticks: [RunningTick] = []
  /// Whether a thread calls closures of ticks that are due.
  var isTakingTicks = false

  /// The number of frames of the clock, which stands still while the device is frozen.
  var mixedFrames: Int { handle.mixFrame(at: .nanoseconds(handle.clock)) }

  /// The frame of a notification: offline a frame of the rendered mix, which goes on while the device is frozen.
  var framePosition: Int { device.isOffline ? device.renderedFrames.load(ordering: .relaxed) : mixedFrames }

  /// How many frames a real output mixes at once.
  mutating func framesPerMix() -> Int {
    let rate = handle.sampleRate
    if let (known, frames) = mixLength, known == rate { return frames }
    let frames = rate / (handle.refreshRate ?? 50)
    mixLength = (rate, frames)
    return frames
  }
}
