import AudioSupport
@testable import Spatial3D

/// The notifications of a source, in order.
final class NotificationLog: Sendable {
  private let entries = Lock<[SourceNotification]>([])

  var all: [SourceNotification] { entries.withLock { $0 } }
  var kinds: [SourceNotification.Kind] { all.map(\.kind) }
  var count: Int { entries.withLock { $0.count } }

  var loops: Int { all.loops }
  var processed: Int { all.processed }

  var states: [SourceState] {
    all.compactMap { if case .stateChanged(let state) = $0.kind { state } else { nil } }
  }

  func append(_ notification: SourceNotification) {
    let waiting = entries.withLock { entries in
      entries.append(notification)
      return self.waiting.withLock { waiting in
        defer { waiting.removeAll { $0.isDone(entries) } }
        return waiting.filter { $0.isDone(entries) }
      }
    }
    for waiter in waiting { waiter.continuation.resume() }
  }

  /// Waits until the notifications satisfy a condition.
  func wait(until isDone: @escaping @Sendable ([SourceNotification]) -> Bool) async {
    await withCheckedContinuation { continuation in
      let isDoneAlready = entries.withLock { entries in
        guard !isDone(entries) else { return true }
        waiting.withLock { $0.append(Waiter(isDone: isDone, continuation: continuation)) }
        return false
      }
      if isDoneAlready { continuation.resume() }
    }
  }

  private struct Waiter: Sendable {
    let isDone: @Sendable ([SourceNotification]) -> Bool
    let continuation: CheckedContinuation<Void, Never>
  }

  private let waiting = Lock<[Waiter]>([])

  /// Removes all notifications, and returns them.
  func take() -> [SourceNotification] {
    entries.withLock { entries in
      defer { entries = [] }
      return entries
    }
  }
}

extension SoundSource {
  /// Records notifications until the token is released.
  func record(in log: NotificationLog, of kinds: SourceNotification.Kinds = .all) -> NotificationToken {
    observe(kinds) { log.append($0) }
  }
}

extension [SourceNotification] {
  /// The total number of loop iterations.
  var loops: Int { reduce(0) { sum, next in if case .looped(let count) = next.kind { sum + count } else { sum } } }

  /// The total number of played buffers.
  var processed: Int {
    reduce(0) { sum, next in if case .buffersProcessed(let count) = next.kind { sum + count } else { sum } }
  }
}
