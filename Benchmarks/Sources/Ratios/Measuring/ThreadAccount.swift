import Foundation

/// The work of a thread of this process until now, by the statistics of the kernel.
struct ThreadAccount {
  /// Whether the thread is the first of the process.
  var isMain = false
  /// The name, of which the kernel keeps 15 bytes.
  var name = ""
  /// The processor time in seconds.
  var seconds = 0.0
  var wakeUps = 0

  /// Whether the library has made the thread.
  var isOwn: Bool { name.hasPrefix("Spatial3D") }
  /// Whether OpenAL Soft has made the thread, which mixes: this program makes none.
  var isMixer: Bool { !isOwn && !isMain }

  /// The accounts of all threads by task ID.
  static var all: [String: ThreadAccount] {
    let tasks = "/proc/self/task"
    var all: [String: ThreadAccount] = [:]
    for task in (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? [] {
      func read(_ name: String) -> String {
        (try? String(contentsOfFile: "\(tasks)/\(task)/\(name)", encoding: .utf8)) ?? ""
      }
      var account = ThreadAccount(isMain: Int32(task) == getpid(), name: read("comm").trimmingCharacters(in: .newlines))
      account.seconds = (read("schedstat").split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e9
      for line in read("status").split(separator: "\n") where line.hasPrefix("voluntary_ctxt_switches") {
        account.wakeUps = line.split(separator: "\t").last.flatMap { Int($0) } ?? 0
      }
      all[task] = account
    }
    return all
  }

  /// The work of each thread during a closure; it throws if a thread of the library has ended meanwhile, whose work is
  /// not known.
  static func ofThreads(during body: () throws -> Void) throws -> [ThreadAccount] {
    let before = all
    try body()
    let after = all
    guard before.allSatisfy({ !$0.value.isOwn || after[$0.key] != nil }) else { throw ThreadEnded() }
    return after.map { task, account in
      var account = account
      account.seconds -= before[task]?.seconds ?? 0
      account.wakeUps -= before[task]?.wakeUps ?? 0
      return account
    }
  }

  struct ThreadEnded: Error, CustomStringConvertible {
    let description = "A thread of the library ended while it was watched: what it did is not known."
  }
}
