internal import AudioSupport

/// Several programs with a session each, which interrupt, lower and resume one another.
///
/// ```swift
/// let system = MultiAppSimulator()
/// let podcast = system.makeSession()
/// let navigation = system.makeSession()
/// ```
///
/// A session counts as audible for as long as it is active and its ``AudioSession/directives`` do not suspend it. The
/// simulator deactivates a session when its last reference is released. Phone calls and other reports come from the
/// test, with ``AudioSession/report(_:)``.
public final class MultiAppSimulator: Sendable {
  private struct Storage: Sendable {
    var rules = Arbitration()
    var sessions: [Weak<AudioSession>] = []
    /// The reports that are due, so that every program gets them in the order of their causes.
    var reports = DeliveryQueue<Arbitration.Report>()

    /// The next report with its session; `nil` lets another call report.
    mutating func next() -> (session: Weak<AudioSession>, input: SessionInput)? {
      reports.next().map { (sessions[$0.session], $0.input) }
    }
  }

  private let arbitration = Lock(Storage())

  /// Creates a simulator without programs.
  public init() {}

  /// Creates the inactive session of another program.
  public func makeSession(playsInBackground: Bool = false, suspendsInBackground: Bool = false) -> AudioSession {
    AudioSession(
      SimulatedApp(in: self),
      playsInBackground: playsInBackground,
      suspendsInBackground: suspendsInBackground
    )
  }

  /// How loud a program is.
  public enum Audibility: Hashable, Sendable, CaseIterable {
    /// The program is not audible.
    case silent

    /// The program is lowered by the session of another.
    case lowered

    /// The program is as loud as it plays.
    case full
  }

  /// How loud the program of a session is; a session of another simulator is silent.
  public func audibility(of session: AudioSession) -> Audibility {
    let isSuspended = !session.directives.suspensions.isEmpty
    return arbitration.withLock { arbitration in
      guard
        let index = arbitration.sessions.lastIndex(where: { $0.id == ObjectIdentifier(session) }),
        !isSuspended, !arbitration.rules.isSilenced(index)
      else { return .silent }
      return arbitration.rules.isLowered(index) ? .lowered : .full
    }
  }

  fileprivate func add(_ session: AudioSession) -> Int {
    let reference = Weak(session)
    return arbitration.withLock { arbitration in
      arbitration.sessions.append(reference)
      return arbitration.rules.add()
    }
  }

  fileprivate func update(_ index: Int, to requests: SessionRequests) {
    let mustReport = arbitration.withLock { arbitration in
      for report in arbitration.rules.update(index, to: requests) { arbitration.reports.append(report) }
      return arbitration.reports.claim()
    }
    guard mustReport else { return }
    while let report = arbitration.withLock({ $0.next() }) { report.session.object?.report(report.input) }
  }
}

/// The backend of one program.
private final class SimulatedApp: SessionBackend {
  private let simulator: MultiAppSimulator
  private let index = Lock<Int?>(nil)

  init(in simulator: MultiAppSimulator) { self.simulator = simulator }

  func connect(to session: AudioSession) {
    let added = simulator.add(session)
    index.withLock { $0 = added }
  }

  func update(_ requests: SessionRequests) {
    if let index = index.withLock({ $0 }) { simulator.update(index, to: requests) }
  }

  /// The simulated system lowers others.
  var otherAudioEffect: AudioSession.OtherAudioEffect { .ducked }
}
