import Foundation
import Synchronization

/// Whether the program was told to end, so that it can leave nothing half-written behind.
enum Interruption {
  /// The signal that came; 0 while there was none.
  private static let signal = Atomic<Int32>(0)

  /// Takes note of Ctrl-C, of the polite request to end and of a terminal that is closed, from here on; the second of a kind
  /// ends the program at once.
  ///
  /// A signal that whoever started the program had it ignore stays ignored, as `nohup` wants it.
  static func watch() {
    // The variable is there before a handler may touch it.
    signal.store(0, ordering: .relaxed)
    for number in [SIGHUP, SIGINT, SIGTERM] {
      var before = sigaction()
      guard unsafe sigaction(number, nil, &before) == 0, !isIgnored(before) else { continue }
      // The handler stores to an atomic variable, which a signal may interrupt anything for.
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = { Interruption.signal.store($0, ordering: .relaxed) }
      action.sa_flags = SA_RESTART | CInt(bitPattern: SA_RESETHAND)
      unsafe sigaction(number, &action, nil)
    }
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    // Addresses of functions, or numbers in their place.
    let ignoring = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == ignoring
  }

  static var hasCome: Bool { signal.load(ordering: .relaxed) != 0 }

  /// Ends the program as the signal would have, if one came.
  static func end() {
    let number = signal.load(ordering: .relaxed)
    guard number != 0 else { return }
    // What was printed is still on its way.
    fflush(nil)
    _ = Foundation.signal(number, SIG_DFL)
    raise(number)
  }
}
