/// The closures that observe a session.
struct SessionObservers: Sendable {
  /// A closure, and what it observes.
  enum Observer: Sendable {
    case events(@Sendable (SessionEvent) -> Void)
    case directives(@Sendable (SessionDirectives) -> Void)
    case diagnostics(@Sendable (SessionDiagnostic) -> Void)
    /// The end of the session too.
    case sequence(UnreadNotifications<SessionEvent>)
  }

  private var members: [(id: Int, observer: Observer)] = []
  private var lastID = 0

  var ids: [Int] { members.map(\.id) }

  subscript(_ id: Int) -> Observer? { members.first { $0.id == id }?.observer }

  var sequences: [UnreadNotifications<SessionEvent>] {
    members.compactMap { if case .sequence(let unread) = $0.observer { unread } else { nil } }
  }

  mutating func add(_ observer: Observer) -> Int {
    lastID += 1
    members.append((lastID, observer))
    return lastID
  }

  /// Removes and returns an observer, so that the caller releases it without the lock.
  mutating func remove(_ id: Int) -> Observer? {
    members.firstIndex { $0.id == id }.map { members.remove(at: $0).observer }
  }
}
