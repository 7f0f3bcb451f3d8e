internal import AudioSupport

/// The relation of a program to the sound of others: its category, its interruptions and its route.
///
/// A session applies the rules of Apple's audio sessions and of Wwise on every platform. It makes no sound: a game
/// layer carries out its ``directives``, and a ``SessionBackend`` reports the happenings of the system. A program has
/// one session, sets its category at the start, and activates it while it plays. A session that was never activated
/// directs the game to be silent.
///
/// ```swift
/// let session = AudioSession()
/// let isOtherAudioPlaying = session.isOtherAudioPlaying ?? false
/// try session.setCategory(
///   .recommended(isOtherAudioPlaying: isOtherAudioPlaying)
/// )
/// try session.activate()
/// ```
///
/// Any thread may use every method and property. Releasing the session deactivates it.
///
/// The counterparts are `AVAudioSession` and Wwise's `AkAudioSessionProperties`.
public final class AudioSession: Sendable {
  private struct Storage: Sendable {
    var policy: SessionPolicy
    var observers = SessionObservers()
    var deliveries = DeliveryQueue<Delivery>()
    var diagnosticHandler: (@Sendable (SessionDiagnostic) -> Void)?
  }

  private enum Delivery: Sendable {
    case effect(SessionEffect, observers: [Int])
    /// A closure that waits for all deliveries before it.
    case mark(@Sendable () -> Void)
  }

  private let backend: any SessionBackend
  private let storage: Lock<Storage>
  /// The time since an arbitrary start; a test has a clock of its own.
  private let now: @Sendable () -> Duration

  /// Creates an inactive session of the category ``SessionCategory/soloAmbient``.
  ///
  /// By default the game reports all inputs. `playsInBackground` declares that the categories
  /// ``SessionCategory/playback``, ``SessionCategory/record`` and ``SessionCategory/playAndRecord`` continue in the
  /// background. `suspendsInBackground` suspends every category there. `onDiagnostic` is the first value of the
  /// property ``onDiagnostic``: the handler also receives the diagnostics of a backend that connects.
  public convenience init(
    _ backend: any SessionBackend = .manual,
    playsInBackground: Bool = false,
    suspendsInBackground: Bool = false,
    onDiagnostic: (@Sendable (SessionDiagnostic) -> Void)? = nil
  ) {
    self.init(
      backend,
      behavior: BackgroundBehavior(plays: playsInBackground, suspends: suspendsInBackground),
      onDiagnostic: onDiagnostic,
      now: { .nanoseconds(monotonicTime()) }
    )
  }

  init(
    _ backend: any SessionBackend,
    behavior: BackgroundBehavior,
    onDiagnostic: (@Sendable (SessionDiagnostic) -> Void)?,
    now: @escaping @Sendable () -> Duration
  ) {
    self.backend = backend
    self.now = now
    storage = Lock(Storage(policy: SessionPolicy(behavior: behavior), diagnosticHandler: onDiagnostic))
    backend.connect(to: self)
  }

  deinit {
    for sequence in storage.withLock({ $0.observers.sequences }) { sequence.finish() }
    if state == .active { backend.update(.inactive) }
  }
}

// MARK: - Category and activation

extension AudioSession {
  /// The category.
  public var category: SessionCategory { policy.configuration.category }

  /// The mode.
  public var mode: SessionMode { policy.configuration.mode }

  /// The options in force: the options that the program has set, and the options that they and the mode imply.
  public var options: SessionOptions { policy.configuration.options }

  /// Sets the category, the mode and the options; they take effect at once.
  ///
  /// Throws a ``SessionError`` for a combination that the rules do not allow, and then changes nothing.
  public func setCategory(
    _ category: SessionCategory,
    mode: SessionMode = .default,
    options: SessionOptions = []
  ) throws(SessionError) {
    let configuration = try SessionConfiguration(category: category, mode: mode, options: options)
    change { $0.setCategory(configuration) }
  }

  /// Whether the session is active or interrupted.
  public var state: SessionState { policy.state }

  /// Makes the session active: the program is audible, unless a suspension of its ``directives`` holds.
  ///
  /// A session that does not mix interrupts the others that do not mix. Throws ``SessionError/Code/interrupted`` during
  /// a phone call, an alarm or sleep, and ``SessionError/Code/servicesLost`` without a sound service. A session that
  /// another session has interrupted may take the output back. An active session stays as it is.
  public func activate() throws(SessionError) {
    try change { policy throws(SessionError) in try policy.activate() }
  }

  /// Makes the session inactive.
  ///
  /// With `notifyingOthers`, the sessions that it has interrupted are asked to resume. Use it for a call or a prompt.
  public func deactivate(notifyingOthers: Bool = false) {
    change { $0.deactivate(notifyingOthers: notifyingOthers) }
  }

  private var policy: SessionPolicy { storage.withLock { $0.policy } }
}

// MARK: - The system

extension AudioSession {
  /// The effect of a session on the sound of others.
  public enum OtherAudioEffect: Hashable, Sendable, CaseIterable {
    /// Others play on.
    case nothing

    /// Others are lowered.
    case ducked

    /// Others are paused.
    case paused
  }

  /// The effect that ``SessionOptions/duckOthers`` has in this system.
  public var otherAudioEffect: OtherAudioEffect { backend.otherAudioEffect }

  /// Whether another program plays; `nil` if nothing has reported that.
  public var isOtherAudioPlaying: Bool? { policy.conditions.isOtherAudioPlaying }

  /// The route, without outputs or inputs that the category does not use.
  public var route: SessionRoute { policy.route }

  /// The effects of the session on the sound of the program.
  public var directives: SessionDirectives { policy.directives }

  /// Takes a report of the system.
  ///
  /// The directives are carried out and the observers have returned when this returns. There are two exceptions: inside
  /// an observer, and while another thread delivers. The report then takes effect at once, and the thread that delivers
  /// calls the observers afterwards.
  public func report(_ input: SessionInput) { change { $0.handle(input) } }
}

// MARK: - Observers

extension AudioSession {
  /// Calls a closure with each event from now on, until the token is released.
  ///
  /// All observers receive the events in the same order, one after the other and without a lock, on the thread that
  /// reports or calls. A closure may call the session: the events that it causes come after the current one. The
  /// directives of an event are carried out before.
  public func observe(_ handler: @escaping @Sendable (SessionEvent) -> Void) -> NotificationToken {
    add(.events(handler))
  }

  /// Returns a sequence of the events from now on, for a loop.
  ///
  /// The events come in order, and none is lost while at most 16,384 wait. Beyond this number, the oldest event is
  /// dropped, and `lostCount` of the sequence counts on. The sequence ends with the session's release.
  public func events() -> NotificationSequence<SessionEvent> { events(from: UnreadNotifications()) }

  /// Returns a sequence of the elements of a queue, to which the session appends its events from now on.
  func events(from unread: UnreadNotifications<SessionEvent>) -> NotificationSequence<SessionEvent> {
    NotificationSequence(
      token: add(.sequence(unread)),
      takeNext: { await unread.next() },
      countLost: { unread.lostCount }
    )
  }

  /// Calls a closure with the directives, now and each time that they change, until the token is released.
  ///
  /// It is for the layer that carries them out. It is called like the closure of ``observe(_:)``, and ahead of the
  /// events of the change. Inside an observer, and while another thread delivers, the first call comes afterwards.
  public func observeDirectives(_ handler: @escaping @Sendable (SessionDirectives) -> Void) -> NotificationToken {
    let id = storage.withLock { storage in
      let id = storage.observers.add(.directives(handler))
      storage.deliveries.append(.effect(.directives(storage.policy.directives), observers: [id]))
      return id
    }
    deliver()
    return token(of: id)
  }

  private func add(_ observer: SessionObservers.Observer) -> NotificationToken {
    token(of: storage.withLock { $0.observers.add(observer) })
  }

  private func token(of id: Int) -> NotificationToken {
    NotificationToken { [weak self] in
      // The captures of a closure are released without the lock.
      let observer = self?.storage.withLock { $0.observers.remove(id) }
      withExtendedLifetime(observer) {}
    }
  }
}

// MARK: - Diagnostics

extension AudioSession {
  /// The game's handler of each ``SessionDiagnostic``; `nil`, the default, writes them to standard error.
  ///
  /// A tool beside the game uses ``observeDiagnostics(_:)``. The session calls the handler on the thread of the cause,
  /// which may be any, and without a lock held.
  public var onDiagnostic: (@Sendable (SessionDiagnostic) -> Void)? {
    get { storage.withLock { $0.diagnosticHandler } }
    set {
      let old = storage.withLock { storage in
        defer { storage.diagnosticHandler = newValue }
        return storage.diagnosticHandler
      }
      // The captures of the old closure are released here, without the lock.
      withExtendedLifetime(old) {}
    }
  }

  /// Calls a closure with each diagnostic from now on, until the token is released.
  ///
  /// It is for tools beside the game, such as a console: the game's own handler is ``onDiagnostic``. The closure is
  /// called after that handler, on the thread of the cause, without a lock held. Without a handler the session also
  /// writes the diagnostic to standard error.
  public func observeDiagnostics(_ handler: @escaping @Sendable (SessionDiagnostic) -> Void) -> NotificationToken {
    add(.diagnostics(handler))
  }

  func report(_ diagnostic: SessionDiagnostic) {
    let (handler, ids) = storage.withLock { ($0.diagnosticHandler, $0.observers.ids) }
    if let handler { handler(diagnostic) } else { logToStandardError("AudioSessions: \(diagnostic)") }
    for id in ids {
      // Another observer may have removed this observer.
      guard case .diagnostics(let observer)? = storage.withLock({ $0.observers[id] }) else { continue }
      observer(diagnostic)
    }
  }
}

// MARK: - Delivery

extension AudioSession {
  private func change<Failure>(
    _ body: (inout SessionPolicy) throws(Failure) -> [SessionEffect]
  ) throws(Failure) {
    try storage.withLock { storage throws(Failure) in
      for effect in try body(&storage.policy) {
        storage.deliveries.append(.effect(effect, observers: storage.observers.ids))
      }
    }
    deliver()
  }

  /// Delivers the effects that are due, unless a thread does that already.
  private func deliver() {
    guard storage.withLock({ $0.deliveries.claim() }) else { return }
    while let delivery = storage.withLock({ $0.deliveries.next() }) {
      switch delivery {
      case .mark(let closure): closure()
      case .effect(let effect, let observers):
        if case .requests(let requests) = effect { backend.update(requests) }
        for id in observers { deliver(effect, to: id) }
      }
    }
  }

  /// Calls a closure when the observers of all earlier changes have returned, on the thread that delivers.
  func afterDeliveries(_ closure: @escaping @Sendable () -> Void) {
    storage.withLock { $0.deliveries.append(.mark(closure)) }
    deliver()
  }

  private func deliver(_ effect: SessionEffect, to id: Int) {
    // Another observer may have removed this observer.
    guard let observer = storage.withLock({ $0.observers[id] }) else { return }
    switch (observer, effect) {
    case (.directives(let handler), .directives(let directives)): handler(directives)
    case (.sequence(let unread), .event(let event)): unread.append(event)
    case (.events(let handler), .event(let event)):
      let start = now()
      handler(event)
      guard case .interruptionBegan = event else { return }
      if let diagnostic = SessionDiagnostic.slowHandler(taking: now() - start) { report(diagnostic) }
    default: break
    }
  }
}
