internal import AudioSupport

/// The threads that open files and readers of the game for a world; offline the caller does.
///
/// There is no thread while there is nothing to open. ``LoadQueue`` decides how many there are.
final class SoundLoader: Sendable {
  private let isSynchronous: Bool
  private let queue = Lock(LoadQueue())

  init(isSynchronous: Bool) { self.isSynchronous = isSynchronous }

  /// Performs a work: offline now, else on a thread, in the order of the calls within its lane and its line.
  func perform(_ work: LoadQueue.Work) {
    if isSynchronous { return work.call() }
    queue.withLock { $0.add(work, at: monotonicTime()) }
    startThreads()
  }

  /// The works that have become late by a time in nanoseconds, each once; lets others go on beside them.
  func delays(at time: Int64) -> [LoadQueue.Delay] {
    let delays = queue.withLock { $0.isEmpty ? nil : $0.delays(at: time) }
    guard let delays else { return [] }
    // Also for work that found no thread.
    startThreads()
    return delays
  }

  private func startThreads() {
    while let begun = queue.withLock({ $0.begin(at: monotonicTime()) }) {
      let isStarted = startThread { [loader = Weak(self)] in Self.run(begun, for: loader) }
      guard isStarted else { return queue.withLock { $0.putBack(begun, at: monotonicTime()) } }
    }
  }

  /// Performs one work after the other until none may begin; the loader may be gone meanwhile.
  private static func run(_ first: LoadQueue.Begun, for loader: Weak<SoundLoader>) {
    var next: LoadQueue.Begun? = first
    while let begun = next {
      begun.work.call()
      next = loader.object?.next(after: begun)
    }
  }

  private func next(after begun: LoadQueue.Begun) -> LoadQueue.Begun? {
    let next = queue.withLock { queue in
      let time = monotonicTime()
      queue.end(begun, at: time)
      return queue.begin(at: time)
    }
    // The end of a work may let a work of another lane begin, too.
    startThreads()
    return next
  }
}
