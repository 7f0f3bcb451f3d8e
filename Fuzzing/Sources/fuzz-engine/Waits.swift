import Synchronization

/// Tasks that wait for something of the engine.
final class Waits: Sendable {
  private let tasks = Lock<[Task<Void, Never>]>([])
  private let pending = Atomic(0)

  /// How many tasks a round has at most.
  static let limit = 24

  /// How many have not ended.
  var pendingCount: Int { pending.load(ordering: .acquiring) }

  /// Starts a task, unless there are many.
  func begin(_ body: @escaping @Sendable () async -> Void) {
    tasks.withLock { tasks in
      guard tasks.count < Self.limit else { return }
      pending.add(1, ordering: .relaxed)
      tasks.append(
        Task.detached {
          await body()
          self.pending.subtract(1, ordering: .releasing)
        }
      )
    }
  }

  /// Cancels one of the tasks.
  func cancel(_ index: Int) {
    tasks.withLock { $0.indices.contains(index) ? $0[index] : nil }?.cancel()
  }

  /// Forgets all tasks, which have ended.
  func removeAll() { tasks.withLock { $0 = [] } }
}
