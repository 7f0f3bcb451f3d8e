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

  /// The settings that the context was created with, or the later settings of ``AudioDevice/reset(_:)``.
  ///
  /// ``output`` has the granted settings.
  public var settings: OutputSettings { requestedSettings.withLock { $0 } }

  let requestedSettings: Lock<OutputSettings>

  let handle: ContextHandle
  /// How many effects a source may feed, as granted when the context was created.
  package let sendLimit: Int
  /// The queue of subscriptions that have notifications to deliver.
  let deliveries: any NotificationDispatcher
  /// The state that all threads share; the lock also orders the changes for the library.
  let state: Lock<ContextState>
  let scheduleSequence: ScheduleSequence
  /// Whether calls for sources are postponed; written under the lock.
  let defersCommands = Atomic(false)
  /// Whether a limited gain was reported.
  let hasReportedLimit = Atomic(false)
  /// Whether a source of another context was reported.
  let hasReportedLeftOutSource = Atomic(false)
  /// Whether a listener that the program sets is to be reported; written under the lock.
  let reportsListener = Atomic(false)
  let diagnosticHandler = Lock(DiagnosticHandler(call: nil))
  let diagnosticObservers = Lock<[CancellableHandler<Diagnostic>]>([])

  /// A context on a device, or on the default output.
  ///
  /// - Parameters:
  ///   - device: An open device, ``AudioDevice/processed``, ``AudioDevice/silent``, or the device of an
  ///     ``OfflineRenderer``, which then mixes this context as well; `nil` opens the default output.
  ///   - settings: The request to the output. Settings other than the defaults restart the device: the sounds of its
  ///     other contexts have a gap, and all contexts get what the output grants the newest. A context whose output
  ///     changes so posts ``ContextEvent/Kind/outputChanged``.
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
    let others = device.livingContexts.map { (context: $0, output: $0.output) }
    self.init(handle: try device.makeContext(settings), on: device, settings: settings)
    // Handlers of an offline device run here, without a lock.
    for other in others where other.context.output != other.output { other.context.withState { $0.postMove() } }
  }

  init(handle: ContextHandle, on device: AudioDevice, settings: OutputSettings) {
    self.device = device
    deliveries = device.mixesOnRequest ? SynchronousDispatcher() : BackgroundDispatcher.all
    requestedSettings = Lock(settings)
    self.handle = handle
    sendLimit = handle.sendLimit
    scheduleSequence = ScheduleSequence()
    state = Lock(
      ContextState(handle: handle, device: device, deliveries: deliveries, sequence: scheduleSequence)
    )
    let address = unsafe Int(bitPattern: Unmanaged.passUnretained(self).toOpaque())
    state.withLock { state in
      state.scene.sendLimit = sendLimit
      state.batches.contextAddress = address
    }
    device.join(self)
    // After the device knows the context: a later change of the output reaches it.
    state.withLock { $0.updateLoudspeakers() }
    switch device.mixing {
    case .byClock(let mixer): mixer.add(self)
    case .forOutput(let mixer): if !isStem { mixer.add(self) }
    case .onRequest: break
    case .byLibrary:
      state.withLock { state in
        state.observation.listen()
        // An output that was lost ahead of that sends no event.
        state.observation.updateConnection()
      }
      EventMonitor.all.add(self)
    }
  }

  deinit {
    guard !isInherited else { return }
    device.leave(self)
    let subscriptions = state.withLock { $0.observation.eventSubscriptions }
    for subscription in subscriptions { subscription.finish(over: deliveries) }
    if device.mixesOnRequest { deliveries.deliver() }
  }

  /// Runs a closure under the lock, and then delivers the notifications that this thread has to deliver.
  @inline(__always)
  func withState<Result: ~Copyable, Failure: Error>(
    _ body: (inout ContextState) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    defer { if device.mixesOnRequest { deliveries.deliver() } }
    return try state.withLock { state throws(Failure) in try body(&state) }
  }

  /// Applies the work of the mixer; returns the nanoseconds until the next poll, `nil` for never.
  ///
  /// For an audible context only. One thread at a time calls it.
  func poll(at now: Int64) -> Int64? {
    let (wait, isConnected, fades) = state.withLock {
      ($0.poll(at: now), $0.observation.isConnected, !$0.fades.isEmpty)
    }
    if fades { endFades() }
    if !isConnected, device.handle.survivesLoss, !device.handle.isPlaceholder { device.reconnect(atOnce: false) }
    return wait
  }

  /// The listener of the scene.
  ///
  /// The setter applies only the parts that differ. Setting one part reads and writes the whole listener: let one
  /// thread move it. An unusable part, such as a position that is not finite, keeps its value and is reported to
  /// ``onDiagnostic`` once.
  ///
  /// An `AudioWorld` of the module GameAudio sets it from `AudioWorld.listener`, and replaces a listener that the
  /// program sets here: ``onDiagnostic`` reports that once.
  public var listener: Listener {
    get {
      // The batch is this thread's own, and open.
      if let staged = unsafe Batch.ofThread(for: self)?.pointee.stagedListener { return staged }
      return state.withLock { $0.scene.listener }
    }
    set {
      if reportsListener.load(ordering: .relaxed) { reportOwnedListener(newValue) }
      setListener(newValue)
    }
  }

  /// Sets the listener, for the program or for an owner of the listener.
  package func setListener(_ newValue: Listener) {
    let unusable: ListenerProperties
    if let batch = unsafe Batch.ofThread(for: self) {
      let base = listener
      // The batch is this thread's own, and open.
      unusable = unsafe batch.pointee.stage(newValue, over: base)
    } else {
      unusable = state.withLock { state in
        let (changed, unusable) = state.changingScene { $0.setListener(newValue) }
        if !changed.isEmpty { handle.apply(changed, ofListenerIn: state.scene) }
        return unusable
      }
    }
    guard !unusable.isEmpty else { return }
    report(unusable: newValue, state.withLock { $0.scene.complain(about: unusable) })
  }
}
