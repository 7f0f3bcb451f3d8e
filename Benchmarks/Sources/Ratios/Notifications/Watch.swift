import Foundation
import Spatial3D

/// What the library's threads did in a second, and what it took to read states instead.
struct Watch {
  static let pollsPerSecond = 60

  /// Processor time of the library's threads.
  var seconds: Double
  /// How often the library's threads were woken up.
  var wakeUps: Int
  /// Processor time of reading all states of a scene 60 times.
  var pollingSeconds = 0.0
  /// The same in C.
  var pollingSecondsInC = 0.0

  /// A second, in which the states of sources are read at 60 Hz, and those of a scene in C.
  static func second(polling sources: [SoundSource] = [], _ scene: ReferenceScene? = nil) -> Watch {
    let before = Watch.soFar
    var polling = (swift: 0.0, c: 0.0)
    for _ in 0..<pollsPerSecond {
      Thread.sleep(forTimeInterval: 1 / Double(pollsPerSecond))
      polling.swift += Turns.seconds(.thread) { _ = sources.count { $0.state == .playing } }
      polling.c += Turns.seconds(.thread) { _ = scene?.playingCount }
    }
    let after = Watch.soFar
    return Watch(
      seconds: after.seconds - before.seconds,
      wakeUps: after.wakeUps - before.wakeUps,
      pollingSeconds: polling.swift,
      pollingSecondsInC: polling.c
    )
  }

  /// Of all threads of the library so far, which the kernel knows by name.
  private static var soFar: Watch {
    let tasks = "/proc/self/task"
    var all = Watch(seconds: 0, wakeUps: 0)
    for task in (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? [] {
      func read(_ name: String) -> String {
        (try? String(contentsOfFile: "\(tasks)/\(task)/\(name)", encoding: .utf8)) ?? ""
      }
      guard read("comm").hasPrefix("Spatial3D") else { continue }
      all.seconds += (read("schedstat").split(separator: " ").first.flatMap { Double($0) } ?? 0) / 1e9
      for line in read("status").split(separator: "\n") where line.hasPrefix("voluntary_ctxt_switches") {
        all.wakeUps += line.split(separator: "\t").last.flatMap { Int($0) } ?? 0
      }
    }
    return all
  }
}
