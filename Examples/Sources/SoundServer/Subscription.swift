import Foundation
import Synchronization

/// The changes that a server lists, each with the moment at which it does: the output of `pactl subscribe`.
public final class Subscription: Sendable {
  /// A change, and the moment at which it was read.
  public struct Change: Sendable {
    /// The line, such as `Event 'new' on sink-input #3`.
    public let text: String
    /// The moment at which the server listed the change.
    public let moment: ContinuousClock.Instant
  }

  private let process = Process()
  private let output = Pipe()
  private let record = Mutex<[Change]>([])

  init(environment: [String: String]) throws {
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["pactl", "subscribe"]
    process.environment = environment
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    let handle = output.fileHandleForReading
    _ = fcntl(handle.fileDescriptor, F_SETFD, FD_CLOEXEC)
    try process.run()
    Thread { [weak self] in
      // The end of the process ends the pipe, and with it the thread.
      while case let data = handle.availableData, !data.isEmpty {
        let moment = ContinuousClock.now
        let lines = String(decoding: data, as: UTF8.self).split(separator: "\n")
        self?.record.withLock { $0 += lines.map { Change(text: String($0), moment: moment) } }
      }
    }.start()
  }

  deinit {
    kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// All changes since the beginning, in order.
  public var changes: [Change] { record.withLock { $0 } }
}
