import Foundation
import FuzzSupport
import Synchronization

/// The state that all rounds share: the log, the counts, and the end of the process where a law does not hold.
final class Run: Sendable {
  let options: Options
  let log = CallLog(path: "last-calls")
  let plays = Atomic(0)
  let frames = Atomic(0)
  let replays = Atomic(0)
  let diagnostics = Atomic(0)
  private let calls = Atomic(0)
  private let round = Lock("")
  private let start = ContinuousClock.now
  /// The use of the process after the first rounds.
  private let first = Lock<Use?>(nil)

  init(_ options: Options) { self.options = options }

  /// Begins a round; the options in its name repeat it.
  func begin(round name: String, number: Int) {
    calls.add(log.callCount, ordering: .relaxed)
    round.withLock { $0 = name }
    log.begin(round: name)
    show("round \(number): \(name)")
  }

  /// Begins a scene; the options in its name repeat it.
  func begin(scene name: String) {
    round.withLock { $0 = name }
    log.begin(round: name)
  }

  /// Prints a line at once, also into a pipe.
  func show(_ line: String) {
    print(line)
    fflush(nil)
  }

  /// Ends the process where a law does not hold.
  func require(_ holds: Bool, _ law: @autoclosure () -> String) {
    guard !holds else { return }
    show("BROKEN: \(law())\nrepeat with: \(round.withLock { $0 })\nlast calls: sort last-calls")
    _exit(1)
  }

  /// Ends the process with a core, or the stacks of a sanitizer, because a call does not return.
  func abortHanging(_ calls: [String]) -> Never {
    show("HANGING: \(calls.joined(separator: "; "))\nrepeat with: \(round.withLock { $0 })")
    abort()
  }

  /// Requires that memory, threads and files do not grow from round to round.
  func requireFlatUse(after count: Int) {
    guard count.isMultiple(of: 100), options.allows("flat"), let use = Use.now else { return }
    guard let first = first.withLock({ $0 }) else {
      first.withLock { $0 = use }
      return
    }
    let isFlat =
      use.threads <= first.threads + 24 && use.files <= first.files + 24
      && use.megabytes <= first.megabytes * 2 + 128 + count / 1_000
    require(isFlat, "the use grows: \(first) after 100 rounds, \(use) after \(count)")
  }

  /// The counts so far.
  func summary(rounds: Int) -> String {
    let all = calls.load(ordering: .relaxed) + log.callCount
    let seconds = Int((ContinuousClock.now - start) / .seconds(1))
    let (played, replayed) = (plays.load(ordering: .relaxed), replays.load(ordering: .relaxed))
    let (reported, mixed) = (diagnostics.load(ordering: .relaxed), frames.load(ordering: .relaxed))
    return "\(rounds) rounds, \(all) calls, \(played) plays, \(replayed) replays, \(reported) diagnostics,"
      + " \(mixed) frames in \(seconds) s; \(Use.now.map { "\($0)" } ?? "")"
  }
}

/// What the process takes from the system.
struct Use: Sendable, CustomStringConvertible {
  let megabytes: Int
  let threads: Int
  let files: Int

  var description: String { "\(megabytes) MB, \(threads) threads, \(files) files" }

  /// The use now, as the kernel counts it.
  static var now: Use? {
    guard let status = try? String(contentsOfFile: "/proc/self/status", encoding: .utf8),
      let files = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
    else { return nil }
    func number(_ name: String) -> Int {
      let line = status.split(separator: "\n").first { $0.hasPrefix(name) }
      return line.flatMap { Int($0.filter(\.isNumber)) } ?? 0
    }
    return Use(megabytes: number("VmRSS:") >> 10, threads: number("Threads:"), files: files.count)
  }
}

/// A thread that ends the process where a call does not return.
enum Watchdog {
  static func watch(_ run: Run) {
    Thread.detachNewThread {
      // The number of calls of each lane, and the time at which the watchdog first read that number.
      var seen: [Int: (callCount: Int, time: ContinuousClock.Instant)] = [:]
      while true {
        Thread.sleep(forTimeInterval: 0.5)
        let now = ContinuousClock.now
        let calls = run.log.callsInFlight
        let late = calls.filter { call in
          guard let known = seen[call.lane], known.callCount == call.callCount else {
            seen[call.lane] = (call.callCount, now)
            return false
          }
          return now - known.time > .seconds(run.options.patience)
        }
        if !late.isEmpty { run.abortHanging(calls.map { "lane \($0.lane): \($0.text)" }) }
      }
    }
  }
}
