internal import AudioSupport

/// The thread that opens files for a world; offline the caller does.
///
/// There is no thread while there is nothing to open.
final class SoundLoader: Sendable {
  private struct Work: Sendable {
    let call: @Sendable () -> Void
  }

  private let isSynchronous: Bool
  private let waiting = Lock<[Work]>([])
  private let loop = BackgroundLoop()

  init(isSynchronous: Bool) { self.isSynchronous = isSynchronous }

  /// Performs work, in the order of the calls.
  func perform(_ work: @escaping @Sendable () -> Void) {
    if isSynchronous { return work() }
    waiting.withLock { $0.append(Work(call: work)) }
    loop.begin { [waiting = Weak(self)] in waiting.object?.performNext() ?? .end }
  }

  private func performNext() -> BackgroundLoop.Next {
    guard let work = waiting.withLock({ $0.isEmpty ? nil : $0.removeFirst() }) else { return .end }
    work.call()
    return .after(0)
  }
}
