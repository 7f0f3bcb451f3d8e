/// The thread that sees what mixers have done, for all contexts on outputs.
///
/// It sleeps until the library hints at something, a sound that is observed is due, or a call says that there is something to
/// watch; with nothing to watch, for ever. It runs no code of the program's.
final class Lookout: Sendable {
  static let all = Lookout()

  private struct State: Sendable {
    var contexts: [WatchedContext] = []
    var lastNumber = 0
    var isRunning = false
  }

  let bell = Bell()
  private let state = Lock(State())

  /// Looks after a context from now on, for as long as it lives.
  func watch(_ context: AudioContext) {
    state.withLock { state in
      state.lastNumber += 1
      state.contexts.append(WatchedContext(number: state.lastNumber, context: context))
    }
    run()
  }

  /// Looks after the deliveries once, in a while.
  func watchDeliveries() { run() }

  private func run() {
    let isFirst = state.withLock { state in
      defer { state.isRunning = true }
      return !state.isRunning
    }
    if isFirst, !startThread({ self.work() }) {
      // Tried again by the next who has something to watch.
      state.withLock { $0.isRunning = false }
    }
    bell.ring()
  }

  private func work() {
    while true {
      let contexts = state.withLock { $0.contexts }
      var wait: Int64?
      for watched in contexts {
        // Held for the length of one look, no longer: whoever drops a context ends it.
        let (isGone, next) = watched.context.map { (false, $0.look(at: monotonicTime())) } ?? (true, nil)
        if isGone { state.withLock { $0.contexts.removeAll { $0.number == watched.number } } }
        if let next { wait = min(wait ?? next, next) }
      }
      if let next = ThreadDeliveries.all.lookAfter(at: monotonicTime()) { wait = min(wait ?? next, next) }
      bell.wait(atMost: wait)
    }
  }
}

/// A context that a thread of the module's own looks at.
struct WatchedContext: Sendable {
  let number: Int
  /// Not to be followed under a lock: whoever lets go of it last ends it.
  weak let context: AudioContext?
}
