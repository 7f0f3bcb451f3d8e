import Foundation
import FuzzSupport
import GameAudio

/// Waits for ends of emitters and players, and sequences of their events, whose results a scene writes at its end.
final class Endings: Sendable {
  private struct Content: Sendable {
    var results: [String?] = []
    var sequences: [NotificationSequence<EmitterEvent>] = []
    var players: [SoundPlayer] = []
  }

  private let transcript: Transcript
  private let content = Lock(Content())

  init(_ transcript: Transcript) { self.transcript = transcript }

  /// Begins a wait before the return; its end comes on another thread.
  func wait(_ body: @escaping @Sendable () async -> EmitterEvent.Reason?) {
    let index = content.withLock { content in
      content.results.append(nil)
      return content.results.count - 1
    }
    Task.immediate {
      let reason = await body()
      self.content.withLock { $0.results[index] = reason.map { "\($0)" } ?? "nothing" }
    }
  }

  /// Keeps a sequence that nothing reads.
  func keep(_ sequence: NotificationSequence<EmitterEvent>) { content.withLock { $0.sequences.append(sequence) } }

  /// Keeps a player: the task that waits for its end is then not the last that has it.
  func keep(_ player: SoundPlayer) { content.withLock { $0.players.append(player) } }

  /// Releases the players.
  func releasePlayers() {
    let players = content.withLock { content in
      defer { content.players = [] }
      return content.players
    }
    withExtendedLifetime(players) {}
  }

  /// The players that are kept.
  var players: [SoundPlayer] { content.withLock { $0.players } }

  /// Writes all results, once they are there.
  func write() {
    while content.withLock({ $0.results.contains(nil) }) { Thread.sleep(forTimeInterval: 0.000_1) }
    for result in content.withLock({ $0.results }) { transcript.write("a wait returned \(result ?? "")") }
    for sequence in content.withLock({ $0.sequences }) { transcript.write("\(sequence.lostCount) events were lost") }
  }
}
