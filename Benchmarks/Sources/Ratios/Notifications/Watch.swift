import Foundation
import Spatial3D

/// What the library's threads did in a second, and what it took to read states instead.
struct Watch {
  static let pollsPerSecond = 60

  /// Processor time of the library's threads.
  var seconds = 0.0
  /// How often the library's threads were woken up.
  var wakeUps = 0
  /// Processor time of reading all states of a scene 60 times.
  var pollingSeconds = 0.0
  /// The same in C.
  var pollingSecondsInC = 0.0

  /// A second, in which the states of sources are read at 60 Hz, and those of a scene in C with as many: all have to play.
  static func second(polling sources: [SoundSource] = [], _ scene: ReferenceScene? = nil) throws -> Watch {
    var watch = Watch()
    let before = Account.ofAllThreads
    for _ in 0..<pollsPerSecond {
      Thread.sleep(forTimeInterval: 1 / Double(pollsPerSecond))
      var playing = (swift: 0, c: 0)
      watch.pollingSeconds += Turns.seconds(.thread) { playing.swift = sources.count { $0.state == .playing } }
      watch.pollingSecondsInC += Turns.seconds(.thread) { playing.c = scene?.playingCount ?? 0 }
      guard playing == (sources.count, sources.count) else { throw NotPlaying(swift: playing.swift, c: playing.c) }
    }
    let after = Account.ofAllThreads
    // One by one: who ends takes along what it did.
    guard before.keys.allSatisfy({ after[$0] != nil }) else { throw ThreadEnded() }
    for (thread, account) in after {
      watch.seconds += account.seconds - (before[thread]?.seconds ?? 0)
      watch.wakeUps += account.wakeUps - (before[thread]?.wakeUps ?? 0)
    }
    return watch
  }

  /// What a thread did so far.
  private struct Account {
    var seconds = 0.0
    var wakeUps = 0

    /// Of all threads of the library, which the kernel knows by name.
    static var ofAllThreads: [String: Account] {
      let tasks = "/proc/self/task"
      var all: [String: Account] = [:]
      for task in (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? [] {
        func read(_ name: String) -> String {
          (try? String(contentsOfFile: "\(tasks)/\(task)/\(name)", encoding: .utf8)) ?? ""
        }
        guard read("comm").hasPrefix("Spatial3D") else { continue }
        var account = Account()
        account.seconds = (read("schedstat").split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e9
        for line in read("status").split(separator: "\n") where line.hasPrefix("voluntary_ctxt_switches") {
          account.wakeUps = line.split(separator: "\t").last.flatMap { Int($0) } ?? 0
        }
        all[task] = account
      }
      return all
    }
  }

  struct ThreadEnded: Error, CustomStringConvertible {
    let description = "A thread of the library ended while it was watched: what it did is not known."
  }

  struct NotPlaying: Error, CustomStringConvertible {
    let swift: Int
    let c: Int

    var description: String { "All sources were to play, and \(swift) did, and \(c) in C." }
  }
}
