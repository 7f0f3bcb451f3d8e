import Foundation
import Spatial3D

/// The work of the library's threads in a second, and the cost of polling states instead.
struct Watch {
  static let pollsPerSecond = 60

  /// The processor time of the library's threads, in seconds.
  var seconds = 0.0
  /// The number of wake-ups of the library's threads.
  var wakeUps = 0
  /// The processor time of reading all states of a scene 60 times, in seconds.
  var pollingSeconds = 0.0
  /// The processor time of the same in C, in seconds.
  var pollingSecondsInC = 0.0

  /// Measures a second, and polls the states of sources, and of as many in a C scene, at 60 Hz; all have to play.
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
    // The account of a thread disappears with the thread, so that all threads have to exist at the end.
    guard before.keys.allSatisfy({ after[$0] != nil }) else { throw ThreadEnded() }
    for (thread, account) in after {
      watch.seconds += account.seconds - (before[thread]?.seconds ?? 0)
      watch.wakeUps += account.wakeUps - (before[thread]?.wakeUps ?? 0)
    }
    return watch
  }

  /// The work of a thread until now.
  private struct Account {
    var seconds = 0.0
    var wakeUps = 0

    /// The accounts of all threads of the library by task ID, selected by the names of the threads.
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
