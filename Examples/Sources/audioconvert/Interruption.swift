import Foundation
import Synchronization

/// Whether the program was told to end, so that it can leave nothing half-written behind.
enum Interruption {
  /// The signal that came; 0 while there was none.
  private static let signal = Atomic<Int32>(0)

  /// Takes note of Ctrl-C and of the polite request to end, from here on.
  static func watch() {
    // The variable is there before a handler may touch it.
    signal.store(0, ordering: .relaxed)
    for number in [SIGINT, SIGTERM] {
      _ = Foundation.signal(number) { Interruption.signal.store($0, ordering: .relaxed) }
    }
  }

  static var hasCome: Bool { signal.load(ordering: .relaxed) != 0 }

  /// Ends the program as the signal would have.
  static func end() {
    let number = signal.load(ordering: .relaxed)
    guard number != 0 else { return }
    _ = Foundation.signal(number, SIG_DFL)
    raise(number)
  }
}
