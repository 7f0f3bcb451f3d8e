import FuzzSupport
import Foundation
import Synchronization

/// The state that all rounds share: the log, the counts, and the end of the process where a law does not hold.
final class Run: Sendable {
  let options: Options
  let log = CallLog(path: "last-calls")
  let calls = Atomic(0)
  let notifications = Atomic(0)
  let diagnostics = Atomic(0)
  let frames = Atomic(0)
  private let round = Lock("")
  private let start = ContinuousClock.now

  init(_ options: Options) { self.options = options }

  /// Begins a round.
  ///
  /// The options in its name repeat it.
  func begin(round name: String, number: Int) {
    calls.add(log.callCount, ordering: .relaxed)
    round.withLock { $0 = name }
    log.begin(round: name)
    show("round \(number): \(name)")
  }

  /// The options that repeat the present round.
  var roundName: String { round.withLock { $0 } }

  /// Prints a line at once, also into a pipe.
  func show(_ line: String) {
    print(line)
    fflush(nil)
  }

  /// Ends the process where a law does not hold.
  func require(_ holds: Bool, _ law: @autoclosure () -> String) {
    if !holds { fail(law()) }
  }

  /// Ends the process because a law does not hold.
  func fail(_ law: String) -> Never {
    show("BROKEN: \(law)\nrepeat with: \(roundName)\nlast calls: sort last-calls")
    _exit(1)
  }

  /// Ends the process with a core, or the stacks of a sanitizer, because a call does not return.
  func abortHanging(_ calls: [String]) -> Never {
    show("HANGING: \(calls.joined(separator: "; "))\nrepeat with: \(roundName)")
    abort()
  }

  /// The counts so far.
  func summary(rounds: Int) -> String {
    let all = calls.load(ordering: .relaxed) + log.callCount
    let received = notifications.load(ordering: .relaxed)
    let mixed = frames.load(ordering: .relaxed)
    let seconds = Int((ContinuousClock.now - start) / .seconds(1))
    let logged = diagnostics.load(ordering: .relaxed)
    return "\(rounds) rounds, \(all) calls, \(received) notifications, \(logged) diagnostics,"
      + " \(mixed) frames in \(seconds) s; \(Memory.resident) MB resident"
  }
}

/// The memory of the process.
enum Memory {
  /// Resident memory in megabytes, as the kernel counts it.
  static var resident: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return (pages * sysconf(Int32(_SC_PAGESIZE))) >> 20
  }
}
