import Foundation
import Synchronization

/// The restoration of the terminal in a crash: nothing else runs then.
enum TerminalRescue {
  /// Ends the style, turns line breaks on, shows the cursor, and returns to the main screen.
  static let leaving: StaticString = "\u{1B}[0m\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l"

  /// The signals of a crash.
  static let crashes = [SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGQUIT, SIGSEGV, SIGSYS, SIGTRAP]

  private static let input = Atomic<CInt>(-1)
  private static let output = Atomic<CInt>(-1)
  /// Memory for the mode of the terminal, and for the actions before, by the number of the signal.
  ///
  /// It is allocated once, and written only by `arm`; a handler reads it.
  private nonisolated(unsafe) static let mode = UnsafeMutablePointer<termios>.allocate(capacity: 1)
  private nonisolated(unsafe) static let actions = UnsafeMutablePointer<sigaction>.allocate(capacity: 65)
  private static let isInstalled = Atomic(false)
  private static let hasEnded = Atomic(false)

  /// Whether a crash restored the terminal, which the other threads then leave alone while they still run.
  static var isDone: Bool { hasEnded.load(ordering: .relaxed) }

  /// Restores a terminal to a mode in a crash from now on.
  static func arm(input: CInt, output: CInt, mode: termios) {
    unsafe self.mode.initialize(to: mode)
    self.input.store(input, ordering: .relaxed)
    self.output.store(output, ordering: .releasing)
    // Initialises the variable before a handler can use it.
    hasEnded.store(false, ordering: .relaxed)
    guard !isInstalled.exchange(true, ordering: .relaxed) else { return }
    for number in crashes {
      var action = sigaction()
      unsafe action.__sigaction_handler.sa_sigaction = { number, details, _ in
        unsafe TerminalRescue.restore(beforeSignal: number, isFault: (details?.pointee.si_code ?? 0) > 0)
      }
      action.sa_flags = SA_ONSTACK | SA_SIGINFO
      unsafe sigaction(number, &action, actions + Int(number))
    }
  }

  /// Leaves the terminal alone from now on.
  static func disarm() { output.store(-1, ordering: .relaxed) }

  /// Restores the terminal, and ends the program by the signal.
  ///
  /// A fault goes to the action before, such as Swift's report of a crash: the faulting instruction runs again. A
  /// signal that a process sent has its default action. All calls are safe in a signal handler.
  private static func restore(beforeSignal number: CInt, isFault: Bool) {
    let output = output.exchange(-1, ordering: .acquiring)
    if output >= 0 {
      hasEnded.store(true, ordering: .relaxed)
      unsafe write(output, leaving.utf8Start, leaving.utf8CodeUnitCount)
      unsafe tcsetattr(input.load(ordering: .relaxed), TCSANOW, mode)
    }
    if isFault {
      unsafe sigaction(number, actions + Int(number), nil)
    } else {
      _ = signal(number, SIG_DFL)
      raise(number)
    }
  }
}
