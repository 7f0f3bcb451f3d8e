internal import AudioSupport

extension BackgroundDispatcher {
  /// The queue of all contexts on devices; the event monitor checks its progress.
  static let all = BackgroundDispatcher { EventMonitor.all.checkDispatcher() }
}

/// The thread that polls the mixers of all contexts on outputs.
///
/// It sleeps until the library sends an event, an observed sound is due, or a call signals new work. Without work it
/// sleeps forever. It runs no code of the program.
final class EventMonitor: Sendable {
  static let all = EventMonitor()

  private struct State: Sendable {
    var contexts: [Weak<AudioContext>] = []
    var isRunning = false
  }

  let semaphore = Semaphore()
  private let state = Lock(State())

  /// Polls a context from now on, for as long as it lives.
  func add(_ context: AudioContext) {
    state.withLock { $0.contexts.append(Weak(context)) }
    run()
  }

  /// Checks the progress of the deliveries, now and after a while.
  func checkDispatcher() { run() }

  private func run() {
    let isFirst = state.withLock { state in
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isFirst, !startThread({ self.work() }) {
      // The next call that adds a context tries again.
      state.withLock { $0.isRunning = false }
    }
    semaphore.signal()
  }

  private func work() {
    while true {
      let contexts = state.withLock { $0.contexts }
      var wait: Int64?
      for watched in contexts {
        // The strong reference lasts for one poll only: the release of the last one ends the context.
        let (isGone, next) = watched.object.map { (false, $0.poll(at: monotonicTime())) } ?? (true, nil)
        if isGone { state.withLock { $0.contexts.removeAll { $0 === watched } } }
        if let next { wait = min(wait ?? next, next) }
      }
      if let next = BackgroundDispatcher.all.checkProgress(at: monotonicTime()) { wait = min(wait ?? next, next) }
      semaphore.wait(atMost: wait)
    }
  }
}
