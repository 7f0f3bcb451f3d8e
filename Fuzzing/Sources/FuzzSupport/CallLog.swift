import Foundation
import Synchronization

/// The last calls of each thread, in the file `last-calls`, which survives a crash.
///
/// Each lane has a ring of lines. One system call writes a line before its call. Lines begin with a number, so that
/// `sort` brings them into order.
package final class CallLog: Sendable {
  package static let lineLength = 240
  package static let linesPerLane = 48
  /// Up to eight threads of a round, the renderer, and one lane that all handlers share.
  package static let laneCount = 10
  package static let handlerLane = laneCount - 1

  private let file: Int32
  private let count = Atomic(0)
  private let lanes = (0..<laneCount).map { _ in Lane() }

  private final class Lane: Sendable {
    let callCount = Atomic(0)
    /// How many calls have not returned: nested calls, or calls of several handlers.
    let depth = Atomic(0)
    let current = Lock("")
  }

  package init(path: String) {
    // The path is used during the call alone.
    file = unsafe open(path, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o644)
    precondition(file >= 0, "\(path) cannot be written")
  }

  /// How many calls have begun.
  package var callCount: Int { count.load(ordering: .relaxed) }

  /// Begins a round, and clears the calls of the last one.
  package func begin(round: String) {
    _ = ftruncate(file, 0)
    write(round, atLine: 0)
    count.store(0, ordering: .relaxed)
  }

  /// Notes a call that a thread is about to make.
  package func begin(_ text: String, on lane: Int) {
    let number = count.add(1, ordering: .relaxed).newValue
    let place = lanes[lane].callCount.add(1, ordering: .relaxed).oldValue % Self.linesPerLane
    write("\(padded(number)) lane \(lane) \(text)", atLine: 1 + lane * Self.linesPerLane + place)
    lanes[lane].current.withLock { $0 = text }
    lanes[lane].depth.add(1, ordering: .relaxed)
  }

  /// Notes that the thread's call has returned.
  package func end(on lane: Int) { lanes[lane].depth.subtract(1, ordering: .relaxed) }

  /// The calls that have not returned, with how many calls their lanes have made.
  package var callsInFlight: [(lane: Int, callCount: Int, text: String)] {
    lanes.indices.compactMap { lane in
      guard lanes[lane].depth.load(ordering: .relaxed) > 0 else { return nil }
      let text = lanes[lane].current.withLock { $0 }
      return (lane, lanes[lane].callCount.load(ordering: .relaxed), text)
    }
  }

  private func padded(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(9 - digits.count, 0)) + digits
  }

  private func write(_ text: String, atLine line: Int) {
    var bytes = Array(text.utf8.prefix(Self.lineLength - 1))
    bytes += Array(repeating: UInt8(ascii: " "), count: Self.lineLength - 1 - bytes.count)
    bytes.append(UInt8(ascii: "\n"))
    // The pointer is used during the call alone.
    _ = unsafe pwrite(file, bytes, bytes.count, off_t(line * Self.lineLength))
  }
}
