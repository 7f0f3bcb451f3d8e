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

  /// The library may keep the semaphore: the monitor is never released.
  var semaphore: Semaphore { loop.semaphore }

  private let loop = BackgroundLoop()
  private let contexts = Lock<[Weak<AudioContext>]>([])

  /// Polls a context from now on, for as long as it lives.
  func add(_ context: AudioContext) {
    contexts.withLock { $0.append(Weak(context)) }
    run()
  }

  /// Checks the progress of the deliveries, now and after a while.
  func checkDispatcher() { run() }

  private func run() { loop.begin(wakes: true) { self.poll() } }

  private func poll() -> BackgroundLoop.Next {
    var wait: Int64?
    for reference in contexts.withLock({ $0 }) {
      // The strong reference lasts for one poll only: the release of the last one ends the context.
      let (isGone, next) = reference.object.map { (false, $0.poll(at: monotonicTime())) } ?? (true, nil)
      if isGone { contexts.withLock { $0.removeAll { $0 === reference } } }
      if let next { wait = min(wait ?? next, next) }
    }
    if let next = BackgroundDispatcher.all.checkProgress(at: monotonicTime()) { wait = min(wait ?? next, next) }
    return wait.map { .after($0) } ?? .onSignal
  }
}
