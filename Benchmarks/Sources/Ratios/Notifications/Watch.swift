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
    let accounts = try ThreadAccount.ofThreads {
      for _ in 0..<pollsPerSecond {
        Thread.sleep(forTimeInterval: 1 / Double(pollsPerSecond))
        var playing = (swift: 0, c: 0)
        watch.pollingSeconds += Turns.seconds(.thread) { playing.swift = sources.count { $0.state == .playing } }
        watch.pollingSecondsInC += Turns.seconds(.thread) { playing.c = scene?.playingCount ?? 0 }
        guard playing == (sources.count, sources.count) else { throw NotPlaying(swift: playing.swift, c: playing.c) }
      }
    }
    for account in accounts where account.isOwn {
      watch.seconds += account.seconds
      watch.wakeUps += account.wakeUps
    }
    return watch
  }

  struct NotPlaying: Error, CustomStringConvertible {
    let swift: Int
    let c: Int

    var description: String { "All sources were to play, and \(swift) did, and \(c) in C." }
  }
}
