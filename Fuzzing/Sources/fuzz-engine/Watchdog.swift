import FuzzSupport
import Foundation

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
        let patience = Duration.seconds(run.options.patience)
        let late = calls.filter { call in
          guard let known = seen[call.lane], known.callCount == call.callCount else {
            seen[call.lane] = (call.callCount, now)
            return false
          }
          return now - known.time > patience
        }
        if !late.isEmpty { run.abortHanging(calls.map { "lane \($0.lane): \($0.text)" }) }
      }
    }
  }
}
