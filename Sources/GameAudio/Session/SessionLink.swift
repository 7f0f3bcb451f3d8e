internal import AudioSessions
internal import AudioSupport
internal import Spatial3D

/// The link by which a world carries out the directives of an audio session.
///
/// It lasts for as long as it is kept, and ends with ``cancel()`` or its release: the suspensions of the session end
/// then, and with the last link of a device its earlier policy is back. It keeps the world and the session.
///
/// `AudioContext.onDiagnostic` reports once that a link was released without a call of ``cancel()``, in the mix in
/// which it began and within a second.
public final class SessionLink: Sendable {
  /// The effect of an interruption on the world.
  public enum InterruptionStyle: String, Hashable, Sendable, CaseIterable, Codable {
    /// The time of all sounds stops, and players are paused: as in Apple's audio sessions.
    case freeze
    /// The world is silent, and its time goes on: as in Wwise.
    case mute
  }

  /// The code that resumes players after an interruption.
  public enum Resumption: Hashable, Sendable {
    /// The game resumes players: they stay paused until it plays them.
    case manual
    /// The link: players that the interruption has paused go on, if the system suggests it and no call has touched them
    /// since.
    ///
    /// They go back by the time, or for `nil` by the time of the session's mode: two seconds for spoken audio, else
    /// none. Range: 0 and up, clamped.
    case players(rewind: Duration? = nil)
  }

  /// The effect of an output that is unplugged, or pulled out, such as headphones.
  ///
  /// A link sets the policy of the device to `DevicePolicy.follow` when it begins. It reports to
  /// `AudioContext.onDiagnostic` once that this replaces `DevicePolicy.pauseOnOutputLoss`, except with ``pauseAll``. A
  /// policy that the program sets later is in force.
  public enum OutputLoss: String, Hashable, Sendable, CaseIterable, Codable {
    /// All players pause, and emitters go on.
    case pausePlayers
    /// The main bus pauses: ``Bus/resume(_:)`` lets it go on.
    case pauseAll
    /// All sounds go on, on the next output.
    case keepPlaying
  }

  private struct State: Sendable {
    var directives: SessionDirectives?
    var tokens: [NotificationToken] = []
    var isEnded = false
  }

  private let world: AudioWorld
  private let session: AudioSession
  private let reason = SuspensionReason.ofSession()
  private let style: InterruptionStyle
  private let resumption: Resumption
  private let outputLoss: OutputLoss
  /// The frame of the mix in which the link began.
  private let firstFrame: Int
  /// The time at which the link began.
  private let firstTime: Duration
  private let state = Lock(State())

  init(
    _ world: AudioWorld,
    _ session: AudioSession,
    _ style: InterruptionStyle,
    _ resumption: Resumption,
    _ outputLoss: OutputLoss,
    beganAt time: Duration = UnkeptObject.time
  ) {
    (self.world, self.session) = (world, session)
    (self.style, self.resumption, self.outputLoss) = (style, resumption, outputLoss)
    (firstFrame, firstTime) = (world.context.physics.frame, time)
  }

  deinit {
    // A forked child lacks the threads that may hold the locks of the world and of its context.
    guard !world.context.isInherited else { return }
    reportRelease()
    cancel()
  }

  /// Ends the link; a second call has no effect.
  public func cancel() {
    let ended = state.withLock { state -> State? in
      guard !state.isEnded else { return nil }
      defer { state = State(isEnded: true) }
      return state
    }
    guard let ended else { return }
    for token in ended.tokens { token.cancel() }
    release()
    FollowedDevices.all.end(world.context.device)
  }

  /// Begins to carry out the directives.
  func begin() {
    let policy = FollowedDevices.all.begin(world.context.device)
    if policy == .pauseOnOutputLoss, outputLoss != .pauseAll {
      reportOnce(.devicePolicyReplaced(outputLoss.rawValue))
    }
    world.act { state in
      state.session.follow(for: reason)
    }
    let directives = session.observeDirectives { [weak self] in self?.apply($0) }
    let events = session.observe { [weak self] in self?.take($0) }
    let lost = world.context.observe { [weak self] event in
      guard event.kind == .deviceLost else { return }
      self?.takeDeviceLoss()
    }
    state.withLock { state in
      guard !state.isEnded else { return }
      state.tokens = [directives, events, lost]
    }
  }
}

// MARK: - Reports

extension SessionLink {
  /// Reports a link that was released right after its beginning: the program has not kept it.
  ///
  /// The frames of a suspended context stand still, also while the session is not active. The age of the link decides
  /// then.
  private func reportRelease() {
    guard !state.withLock({ $0.isEnded }) else { return }
    let isMixed = world.context.physics.frame != firstFrame
    guard UnkeptObject.isReported(isMixed: isMixed, age: UnkeptObject.time - firstTime) else { return }
    reportOnce(.sessionLinkReleased)
  }

  /// Reports a diagnostic, once for each world.
  private func reportOnce(_ diagnostic: Diagnostic) {
    guard world.withState({ $0.playback.outbox.isNew(.code(diagnostic.code)) }) else { return }
    world.context.report(diagnostic)
  }
}

// MARK: - Carrying out

extension SessionLink {
  /// Carries out directives, in the order in which the session delivers them.
  private func apply(_ directives: SessionDirectives) {
    let directives = style == .mute ? directives.mutingInterruptions() : directives
    let old = state.withLock { state -> SessionDirectives?? in
      guard !state.isEnded else { return nil }
      defer { state.directives = directives }
      return .some(state.directives)
    }
    guard let old else { return }
    let mode = directives.mode
    if let mode { world.context.suspend(mode, for: reason) } else { world.context.resume(from: reason) }
    world.act { state in
      state.session.setInterrupted(directives.suspensions[.interruption] != nil)
      state.apply(.otherAudio(isPlaying: directives.mutesWithOtherAudio))
    }
    if directives.pausesPlayers, old?.pausesPlayers != true {
      // Sounds that stand still need no fade, and would be audible for its length at the end of the suspension.
      world.perform(.beginInterruption(isStanding: mode != nil && mode != .mute))
    }
    // Another thread may have ended the link meanwhile.
    if state.withLock({ $0.isEnded }) { return release() }
    guard directives.shouldReactivate, old?.shouldReactivate != true else { return }
    do { try session.activate() } catch { world.context.report(.sessionNotResumed("\(error)")) }
  }

  private func take(_ event: SessionEvent) {
    switch event {
    case .interruptionEnded(let shouldResume):
      var rewind: Duration?
      if case .players(let own) = resumption { rewind = own ?? session.directives.resumeRewind }
      world.perform(.endInterruption(shouldResume: shouldResume, rewind: rewind))
    case .routeChanged(let change) where change.reason == .oldDeviceUnavailable: loseOutput()
    default: break
    }
  }

  /// Handles the loss of the device, unless the backend reports routes.
  private func takeDeviceLoss() {
    if session.route.outputs.isEmpty { loseOutput() }
  }

  /// Pauses what ``OutputLoss`` names, because the output was unplugged (pulled out).
  ///
  /// The session reports that as a change of the route, after `SessionInput.outputUnplugged` (`SessionPolicy`). The
  /// loss of the device (`AudioDevice.placeholder`) counts instead if the backend reports no routes. A program without
  /// a link has `DevicePolicy.pauseOnOutputLoss`.
  private func loseOutput() {
    switch outputLoss {
    case .pausePlayers: world.perform(.pausePlayers)
    case .pauseAll: if !world.mixer.main.isPaused { world.mixer.main.pause() }
    case .keepPlaying: break
    }
  }

  /// Takes back all that the directives have changed.
  private func release() {
    world.act { state in
      state.session.endFollowing(for: reason)
      state.session.setInterrupted(false)
      state.apply(.otherAudio(isPlaying: false))
    }
    world.context.resume(from: reason)
  }
}

extension SessionDirectives {
  /// The strongest suspension that holds; `nil` for none.
  fileprivate var mode: SuspensionMode? {
    if suspensions.values.contains(.queue) { return .queue }
    if suspensions.values.contains(.freeze) { return .freeze }
    return suspensions.isEmpty ? nil : .mute
  }
}
