import FuzzSupport
import Synchronization

/// Tasks that wait for a source, for notifications or for events.
final class Waits: Sendable {
  private let tasks = Lock<[Task<Void, Never>]>([])
  private let pending = Atomic(0)

  /// The most tasks of a round.
  static let limit = 24

  /// How many tasks have not ended.
  var pendingCount: Int { pending.load(ordering: .acquiring) }

  /// Starts a task, up to the limit.
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

  /// Cancels a task.
  func cancel(_ index: Int) {
    tasks.withLock { $0.indices.contains(index) ? $0[index] : nil }?.cancel()
  }

  /// Removes all tasks.
  func removeAll() { tasks.withLock { $0 = [] } }
}
