#if DesktopSession

  internal import AudioSupport
  internal import CSpatial3DDesktop

  /// The thread that receives the events of the desktop, and reports to a session.
  final class DesktopConnection: Sendable {
    private struct Storage: Sendable {
      var effect = AudioSession.OtherAudioEffect.nothing
      var isOver = false
      var hasThread = false
    }

    private let handle: DesktopHandle
    private let storage = Lock(Storage())

    var otherAudioEffect: AudioSession.OtherAudioEffect { storage.withLock { $0.effect } }

    init(named name: String, server: String?, bus: String?) throws(SessionError) {
      handle = try DesktopHandle(named: name, server: server, bus: bus)
    }

    /// Starts the thread, which keeps the connection and not the session.
    func begin(reportingTo session: AudioSession) {
      let reference = Weak(session)
      let problem: SessionDiagnostic? = storage.withLock { storage in
        guard !storage.hasThread else { return .backendInUse }
        storage.hasThread = startThread { self.run(reportingTo: reference) }
        return storage.hasThread ? nil : .noThread
      }
      if let problem { session.report(problem) }
    }

    /// Ends the thread.
    func end() {
      storage.withLock { $0.isOver = true }
      handle.wake()
    }

    func setLowering(_ isLowering: Bool) { handle.setLowering(isLowering) }

    private func run(reportingTo session: Weak<AudioSession>) {
      var state = DesktopState(process: DesktopHandle.process)
      var diagnostics: Set<SessionDiagnostic> = []
      while !storage.withLock({ $0.isOver }) {
        guard let event = handle.wait() else { continue }
        let inputs = state.handle(event)
        let effect = state.policies.effectOfPhone
        storage.withLock { $0.effect = effect }
        // The session is retained for one event, no longer.
        for input in inputs { session.object?.report(input) }
        if case .sleep(let number) = event { permitSleep(number, after: session.object) }
        guard let diagnostic = problem(of: event, causing: inputs), diagnostics.insert(diagnostic).inserted else {
          continue
        }
        session.object?.report(diagnostic)
      }
    }

    /// Permits the sleep when the observers of the session have returned, on whichever thread.
    private func permitSleep(_ number: UInt32, after session: AudioSession?) {
      guard let session else { return handle.permitSleep(number) }
      session.afterDeliveries { [handle] in handle.permitSleep(number) }
    }

    private func problem(of event: DesktopEvent, causing inputs: [SessionInput]) -> SessionDiagnostic? {
      switch event {
      // A server that was there before is reported as a loss of the services.
      case .serverLost: inputs.isEmpty ? .noSoundServer : nil
      case .loginMissing(let reason): .noLoginManager(reason)
      case .userSessionMissing(let reason): .noUserSession(reason)
      default: nil
      }
    }
  }

#else

  /// The connection of a build without the trait: the initializer throws an error that names the trait.
  final class DesktopConnection: Sendable {
    var otherAudioEffect: AudioSession.OtherAudioEffect { .nothing }

    init(named name: String, server: String?, bus: String?) throws(SessionError) {
      throw SessionError(
        .traitNeeded,
        "DesktopSession needs the trait DesktopSession of the package Spatial3D. Add traits: [\"DesktopSession\"] to the"
          + " dependency in Package.swift, and install libpulse-dev and libsystemd-dev."
      )
    }

    func begin(reportingTo session: AudioSession) {}
    func end() {}
    func setLowering(_ isLowering: Bool) {}
  }

#endif
