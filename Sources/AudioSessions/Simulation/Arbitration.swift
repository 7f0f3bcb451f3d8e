/// The rules between the sessions of several programs.
///
/// Pure: no call and no lock. A change of one session returns the reports to the others.
struct Arbitration: Sendable {
  /// A report to the session with an index.
  struct Report: Hashable, Sendable {
    let session: Int
    let input: SessionInput
  }

  private var requests: [SessionRequests] = []

  /// Adds an inactive session; returns its index.
  mutating func add() -> Int {
    requests.append(.inactive)
    return requests.count - 1
  }

  /// Takes over the requests of a session.
  mutating func update(_ session: Int, to next: SessionRequests) -> [Report] {
    let before = requests
    requests[session] = next
    return requests.indices.filter { $0 != session }.flatMap { other in
      Self.inputs(to: other, before: before, after: requests, mayResume: next.notifiesOthers)
        .map { Report(session: other, input: $0) }
    }
  }

  /// Whether another session lowers a session.
  func isLowered(_ session: Int) -> Bool { requests.others(of: session).contains { $0.lowersOthers } }

  /// Whether another session silences a session, because it records.
  func isSilenced(_ session: Int) -> Bool { requests.others(of: session).contains { $0.silencesOutput } }

  private static func inputs(
    to session: Int,
    before: [SessionRequests],
    after: [SessionRequests],
    mayResume: Bool
  ) -> [SessionInput] {
    let (old, new) = (before.others(of: session), after.others(of: session))
    var inputs: [SessionInput] = []
    switch (Strength(old), Strength(new)) {
    case let (before, after) where before == after: break
    case (_, .nonMixable): inputs = [.otherSessionActivated(mixable: false)]
    case (.none, .mixable): inputs = [.otherSessionActivated(mixable: true)]
    case (_, .none): inputs = [.otherSessionDeactivated(notifyingOthers: mayResume)]
    case (_, .mixable):
      inputs = [.otherSessionDeactivated(notifyingOthers: mayResume), .otherSessionActivated(mixable: true)]
    }
    switch (old.contains { $0.pausesSpokenAudio }, new.contains { $0.pausesSpokenAudio }) {
    case (false, true): inputs.append(.spokenPromptBegan)
    case (true, false): inputs.append(.spokenPromptEnded(shouldResume: mayResume))
    default: break
    }
    return inputs
  }

  private enum Strength {
    case none
    case mixable
    case nonMixable

    init(_ sessions: [SessionRequests]) {
      if sessions.contains(where: \.interruptsOthers) {
        self = .nonMixable
      } else {
        self = sessions.contains(where: \.isActive) ? .mixable : .none
      }
    }
  }
}

extension [SessionRequests] {
  fileprivate func others(of session: Int) -> [SessionRequests] {
    indices.filter { $0 != session }.map { self[$0] }
  }
}
