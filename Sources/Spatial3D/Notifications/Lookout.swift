/// The thread that sees what mixers have done, for all contexts on devices.
///
/// It sleeps until the library hints at something, a sound that is observed is due, or a call says that there is something to
/// watch; with nothing to watch, for ever. It runs no code of the program's.
final class Lookout: Sendable {
  static let all = Lookout()

  private struct Watched: Sendable {
    let number: Int
    /// Not to be followed under the lock: whoever lets go of it last ends it.
    weak let context: AudioContext?
  }

  private struct State: Sendable {
    var contexts: [Watched] = []
    var lastNumber = 0
    var isRunning = false
  }

  let bell = Bell()
  private let state = Lock(State())

  /// Looks after a context from now on, for as long as it lives.
  func watch(_ context: AudioContext) {
    state.withLock { state in
      state.lastNumber += 1
      state.contexts.append(Watched(number: state.lastNumber, context: context))
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
        guard let context = watched.context else {
          state.withLock { $0.contexts.removeAll { $0.number == watched.number } }
          continue
        }
        guard let next = duringOwnWork({ context.look(at: monotonicTime()) }) else { continue }
        wait = min(wait ?? next, next)
      }
      if let next = ThreadDeliveries.all.lookAfter(at: monotonicTime()) { wait = min(wait ?? next, next) }
      bell.wait(atMost: wait)
    }
  }
}
