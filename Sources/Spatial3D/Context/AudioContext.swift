internal import AudioSupport
internal import Synchronization

/// An audible scene: one listener, and the sources around it.
///
/// Every method and property may be used from any thread. Several contexts work side by side, on one device or on many.
/// Sources and buffers keep their context alive; it ends, and falls silent, when the last of them and the last
/// reference to it are gone.
///
/// The OpenAL counterpart is `ALCcontext`, together with its listener. The package has no current context.
public final class AudioContext: Sendable {
  /// The output of the context.
  public let device: AudioDevice

  /// The settings that the context was created with; ``output`` has the granted ones.
  public let settings: OutputSettings

  let handle: ContextHandle
  /// The queue of subscriptions that have notifications to deliver.
  let deliveries: any NotificationDispatcher
  /// How many effects a source may feed, as granted when the context was created.
  let sendLimit: Int
  /// How many frames of a sound the mixer consumes per frame of the mix, at most.
  let stepLimit: Double

  /// Whether the library sums the channels of a placed sound; before 1.22 it took their mean.
  let addsUpChannels: Bool
  let state = Lock(State())
  /// Odd while the schedule has a source or is changed, and another number after each change.
  ///
  /// A lock-free reader detects an empty schedule by it.
  let scheduleMark = Atomic<UInt64>(0)
  /// Whether calls for sources are postponed; written under the lock.
  let defersCommands = Atomic(false)
  /// Whether a limited gain was reported.
  let hasReportedLimit = Atomic(false)
  private let diagnosticHandler = Lock(DiagnosticHandler(call: nil))

  /// The values under the lock, which also orders the changes for the library.
  struct State: Sendable {
    var scene = Scene()
    /// Sources that wait for their start time, where the library has no start delay.
    var schedule = StartSchedule()
    /// Whether a call changes the schedule, and the library with it.
    var isChangingSchedule = false
    /// How many frames a real output mixes at once at a rate of the mix; `nil` until it is first read.
    var mixLength: (rate: Int, frames: Int)?
    /// Closed batches, kept for their memory; as many as were ever open at once.
    var spareBatches: [Batch] = []
    /// The observed sources.
    var observation = ObservationTable()
    /// The sources that only the context keeps, until they end.
    var oneShots = OneShots()
    /// Positions of sources, while a lost device may forget them.
    var positions: [SourceKey: RecordedPlayback] = [:]
    /// How many frames of an offline context were mixed.
    var renderedFrames = 0
    /// Calls for sources that are postponed.
    var deferred = DeferredCommands()
  }

  /// The struct avoids one more wrapper each time that the lock returns the closure.
  private struct DiagnosticHandler: Sendable {
    var call: (@Sendable (Diagnostic) -> Void)?
  }

  /// A context on a device, or on the default output.
  ///
  /// - Parameters:
  ///   - device: An open device, or ``AudioDevice/silent``; `nil` opens the default output.
  ///   - settings: The request to the output. Settings other than the defaults restart the device: the sounds of its
  ///     other contexts have a gap, and all contexts get what the output grants the newest.
  /// - Throws: ``AudioError`` with the code `deviceUnavailable` where no output opens, `contextUnavailable` where the
  ///   device refuses, `formatUnsupported` for a layout that no output has, `hrtfUnavailable` for an HRTF by an unknown
  ///   name.
  ///
  /// The OpenAL counterpart is `alcCreateContext`.
  public convenience init(
    device: AudioDevice? = nil,
    settings: OutputSettings = OutputSettings()
  ) throws(AudioError) {
    let device = if let device { device } else { try AudioDevice() }
    self.init(handle: try ContextHandle(on: device, settings: settings), settings: settings)
  }

  init(handle: consuming ContextHandle, settings: OutputSettings) {
    device = handle.device
    addsUpChannels = handle.isAtLeast(1, 22)
    stepLimit = handle.isAtLeast(1, 22) ? 10 : 255
    deliveries = device.isOffline ? SynchronousDispatcher() : BackgroundDispatcher.all
    self.settings = settings
    let sendLimit = handle.sendLimit
    self.sendLimit = sendLimit
    self.handle = handle
    state.withLock { $0.scene.sendLimit = sendLimit }
    device.join(self)
    if let mixer = device.clockMixer {
      mixer.add(self)
    } else if !device.isOffline {
      state.withLock { listen(&$0) }
    }
  }

  deinit {
    guard !handle.isInherited else { return }
    device.leave(self)
    let subscriptions = state.withLock { $0.observation.eventSubscriptions }
    for subscription in subscriptions where subscription.finish() { deliveries.schedule(subscription) }
    if device.isOffline { deliveries.deliver() }
  }

  /// The listener of the scene.
  ///
  /// The setter applies only the parts that differ. Setting one part reads and writes the whole listener: let one
  /// thread move it. An unusable part, such as a position that is not finite, keeps its value and is reported to
  /// ``onDiagnostic`` once.
  public var listener: Listener {
    get {
      // The batch is this thread's own, and open.
      if let staged = unsafe Batch.ofThread(for: self)?.pointee.stagedListener { return staged }
      return state.withLock { $0.scene.listener }
    }
    set {
      let unusable: ListenerProperties
      if let batch = unsafe Batch.ofThread(for: self) {
        let base = listener
        // The batch is this thread's own, and open.
        unusable = unsafe batch.pointee.stage(newValue, over: base)
      } else {
        unusable = state.withLock { state in
          let (changed, unusable) = changingScene(&state) { $0.setListener(newValue) }
          if !changed.isEmpty { handle.apply(changed, ofListenerIn: state.scene) }
          return unusable
        }
      }
      guard !unusable.isEmpty else { return }
      report(unusable: newValue, state.withLock { $0.scene.complain(about: unusable) })
    }
  }

  /// The handler of each ``Diagnostic``; `nil`, the default, writes them to standard error.
  ///
  /// The context calls it on the thread of the cause, which may be any, and without a lock held. A handler that holds
  /// its context, or a source of it, keeps both alive.
  public var onDiagnostic: (@Sendable (Diagnostic) -> Void)? {
    get { diagnosticHandler.withLock { $0 }.call }
    set {
      // The old handler is released after the lock, because what it held may report in turn.
      var handler = DiagnosticHandler(call: newValue)
      diagnosticHandler.withLock { swap(&$0, &handler) }
    }
  }

  /// The factor that turns the sum of a placed sound's channels into their mean, where the library does not.
  func channelFactor(of format: PCMFormat?) -> Float {
    guard addsUpChannels, let format else { return 1 }
    return 1 / Float(format.layout.placedChannelCount)
  }

  /// Reports that a sound is not audible from its source's position, once for each sound.
  func report(unplaced sound: MultichannelWarning) {
    if sound.takeFirstReport() { report(.notPlaced(sound)) }
  }

  func report(_ diagnostic: Diagnostic) {
    if let handler = onDiagnostic {
      handler(diagnostic)
    } else {
      logToStandardError("Spatial3D: \(diagnostic)")
    }
  }

  private func report(unusable listener: Listener, _ parts: ListenerProperties) {
    let told: [(ListenerProperties, String, String)] = [
      (.position, "position", "\(listener.position)"),
      (.velocity, "velocity", "\(listener.velocity)"),
      (.orientation, "orientation", "a forward direction without a finite length"),
      (.gain, "gain", "\(listener.gain)"),
    ]
    for (part, name, value) in told where parts.contains(part) {
      report(.unusable(name, of: "the listener", value: value))
    }
  }
}
