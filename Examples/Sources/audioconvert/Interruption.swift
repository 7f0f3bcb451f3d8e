import Foundation
import Synchronization

/// The signals that ask the program to end, so that it can delete an incomplete file first.
enum Interruption {
  /// The number of the last signal; 0 for none.
  private static let signal = Atomic<Int32>(0)

  /// Handles the signals that ask the program to end, from now on.
  ///
  /// They are SIGINT (Ctrl-C), SIGTERM, SIGHUP (a closed terminal) and SIGPIPE (a reader of the output that has ended).
  /// The second of a kind ends the program, except for SIGPIPE, which comes with every printed line. A signal that the
  /// parent process set to be ignored stays ignored, as `nohup` requires; a signal that it blocked is unblocked.
  static func watch() {
    // A file that reaches the limit of its size is then an error of the write, and no incomplete file stays.
    _ = Foundation.signal(SIGXFSZ, SIG_IGN)
    // Initialises the variable before a handler can use it.
    signal.store(0, ordering: .relaxed)
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in [SIGHUP, SIGINT, SIGPIPE, SIGTERM] {
      unsafe sigaddset(&signals, number)
      var before = sigaction()
      guard unsafe sigaction(number, nil, &before) == 0, !isIgnored(before) else { continue }
      // The handler only stores to an atomic variable, which is safe in a signal handler.
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_handler = { Interruption.signal.store($0, ordering: .relaxed) }
      action.sa_flags = SA_RESTART | (number == SIGPIPE ? 0 : CInt(bitPattern: SA_RESETHAND))
      unsafe sigaction(number, &action, nil)
    }
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    // Compares addresses of functions; `SIG_IGN` is a number instead of an address.
    let ignoring = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == ignoring
  }

  static var hasCome: Bool { signal.load(ordering: .relaxed) != 0 }

  /// Ends the program as the signal would have, if there was one.
  static func end() {
    let number = signal.load(ordering: .relaxed)
    guard number != 0 else { return }
    // The printed text may still be buffered.
    fflush(nil)
    _ = Foundation.signal(number, SIG_DFL)
    raise(number)
  }
}
