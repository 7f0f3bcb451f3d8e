import Foundation
import Synchronization

/// The signals that concern a terminal, as bytes in a pipe: `poll` waits for them together with the keys.
final class SignalPipe {
  /// The signals that end the program, after the terminal is restored.
  static let ending = [SIGHUP, SIGINT, SIGTERM]

  private static let watched = ending + [SIGCONT, SIGTSTP, SIGWINCH]

  /// The end of the pipe to which a handler writes; -1 for none.
  private static let input = Atomic<CInt>(-1)

  /// The signals that the pipe holds, one bit each: the pipe has one byte for each signal at most, so that it is never
  /// full, and no signal is lost.
  private static let held = Atomic<UInt64>(0)

  /// The end of the pipe to wait for.
  let output: CInt

  /// Watches the signals from now on.
  ///
  /// A signal that the parent process set to be ignored stays ignored, as `nohup` requires.
  init() {
    var ends: [CInt] = [-1, -1]
    unsafe pipe(&ends)
    for end in ends {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      // `next` returns at once if there is no signal.
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    output = ends[0]
    Self.held.store(0, ordering: .relaxed)
    Self.input.store(ends[1], ordering: .relaxed)
    for number in Self.watched where !Self.isIgnored(number) { Self.watch(number) }
    unblock()
  }

  /// Lets this thread receive signals that the parent process blocked, such as a program that starts others from a
  /// background thread.
  private func unblock() {
    var signals = sigset_t()
    unsafe sigemptyset(&signals)
    for number in Self.watched + TerminalRescue.crashes { unsafe sigaddset(&signals, number) }
    unsafe pthread_sigmask(SIG_UNBLOCK, &signals, nil)
  }

  /// Returns the signals to their default actions.
  func close() {
    for number in Self.watched where !Self.isIgnored(number) { _ = signal(number, SIG_DFL) }
    Foundation.close(Self.input.exchange(-1, ordering: .relaxed))
    Foundation.close(output)
  }

  /// The next signal that came, if any.
  func next() -> CInt? {
    var byte: UInt8 = 0
    guard unsafe read(output, &byte, 1) == 1 else { return nil }
    // The handler writes another byte for a later signal: the caller may have begun to answer this one.
    _ = Self.held.bitwiseAnd(~(1 << UInt64(byte)), ordering: .relaxed)
    return CInt(byte)
  }

  /// Stops this process as SIGTSTP does by default; returns once it is continued.
  func stopProcess() {
    guard !Self.isIgnored(SIGTSTP) else { return }
    _ = signal(SIGTSTP, SIG_DFL)
    raise(SIGTSTP)
    Self.watch(SIGTSTP)
  }

  private static func watch(_ number: CInt) {
    var action = sigaction()
    // The handler accesses atomic variables and writes one byte, which is safe in a signal handler.
    unsafe action.__sigaction_handler.sa_handler = { number in
      let bit: UInt64 = 1 << UInt64(number)
      guard SignalPipe.held.bitwiseOr(bit, ordering: .relaxed).oldValue & bit == 0 else { return }
      let error = errno
      var byte = UInt8(truncatingIfNeeded: number)
      unsafe write(SignalPipe.input.load(ordering: .relaxed), &byte, 1)
      errno = error
    }
    action.sa_flags = SA_RESTART
    unsafe sigaction(number, &action, nil)
  }

  private static func isIgnored(_ number: CInt) -> Bool {
    var action = sigaction()
    unsafe sigaction(number, nil, &action)
    // Compares addresses of functions; `SIG_IGN` is a number instead of an address.
    let ignoring = unsafe unsafeBitCast(SIG_IGN, to: Int.self)
    return unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == ignoring
  }
}
