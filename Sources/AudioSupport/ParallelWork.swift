internal import Glibc
internal import Synchronization

/// Does work on many items with several threads, which end with the call.
///
/// Swift's shared threads stay free for work that does not block. `progress` is called on the threads after each item,
/// in order, one call at a time, and with no lock held.
///
/// - Parameters:
///   - items: The items.
///   - width: The number of items at a time, clamped to 1 to 64; by default the number of processors that the process
///     may use.
///   - progress: Receives the number of finished items and their total.
///   - work: The work on one item. Its second argument returns whether the task is cancelled: all items that are left
///     are still passed to it.
/// - Returns: The results, in the order of the items.
package func processInParallel<Item: Sendable, Result: Sendable>(
  _ items: [Item],
  width: Int? = nil,
  progress: (@Sendable (_ finished: Int, _ total: Int) -> Void)?,
  _ work: @escaping @Sendable (_ item: Item, _ isCancelled: @escaping @Sendable () -> Bool) -> Result
) async -> [Result] {
  guard !items.isEmpty else { return [] }
  let parallel = ParallelWork(items, progress, work)
  let processorCount = Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  // More items at a time would not be faster.
  let threadCount = min(max(width ?? processorCount, 1), 64, items.count)
  return await withTaskCancellationHandler {
    await receive { deliver in
      let run: @Sendable () -> Void = { parallel.run(deliver) }
      var started = 0
      while started < threadCount, startThread(run) { started += 1 }
      // If the system starts no thread, the current one does the work.
      if started == 0 { run() }
    }
  } onCancel: {
    parallel.isCancelled.store(true, ordering: .relaxed)
  }
}

/// The work of one call, which its threads share.
private final class ParallelWork<Item: Sendable, Result: Sendable>: Sendable {
  private struct State: Sendable {
    var next = 0
    var results: [Result?]

    mutating func begin() -> Int? {
      guard next < results.count else { return nil }
      defer { next += 1 }
      return next
    }
  }

  private let items: [Item]
  private let work: @Sendable (Item, @escaping @Sendable () -> Bool) -> Result
  private let progress: SharedProgress
  private let state: Lock<State>
  let isCancelled = Atomic(false)

  init(
    _ items: [Item],
    _ progress: (@Sendable (Int, Int) -> Void)?,
    _ work: @escaping @Sendable (Item, @escaping @Sendable () -> Bool) -> Result
  ) {
    (self.items, self.work) = (items, work)
    self.progress = SharedProgress(of: items.count, report: progress)
    state = Lock(State(results: Array(repeating: nil, count: items.count)))
  }

  /// Works on one item after the other until none is left; the thread that reports the last item delivers the results.
  func run(_ deliver: ([Result]) -> Void) {
    while let index = state.withLock({ $0.begin() }) {
      let result = work(items[index]) { self.isCancelled.load(ordering: .relaxed) }
      state.withLock { $0.results[index] = result }
      progress.advance { deliver(state.withLock { $0.results.compactMap(\.self) }) }
    }
  }
}
