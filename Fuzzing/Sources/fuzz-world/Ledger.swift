import FuzzSupport
import GameAudio

/// The plays of a round's emitters, and their ends.
struct Ledger: Sendable {
  private var open: [Emitter.ID: Int] = [:]
  private var begun: [Emitter.ID: Int] = [:]
  private var endCount = 0
  private var playCount = 0

  /// A call that may begin a sound.
  mutating func expect() { playCount += 1 }

  /// The emitter of a sound that was expected.
  mutating func begin(_ emitter: Emitter.ID) {
    open[emitter, default: 0] += 1
    begun[emitter, default: 0] += 1
  }

  /// The end of a sound.
  mutating func end(_ emitter: Emitter.ID) {
    open[emitter, default: 0] -= 1
    endCount += 1
  }

  /// The first emitter whose number of ends does not match its plays, in words; `nil` if all match.
  ///
  /// Before the end of a round, sounds may be open.
  func fault(isOver: Bool) -> String? {
    for (emitter, count) in open.sorted(by: { $0.key.number < $1.key.number }) {
      if count < 0 || isOver && count > 0 {
        let plays = begun[emitter, default: 0]
        return "emitter \(emitter.number) has \(plays - count) ends of \(plays) plays"
      }
    }
    return nil
  }

  /// A fault of the sums, where several threads play and no emitter has a count of its own.
  var faultOfSums: String? { endCount > playCount ? "\(endCount) ends of \(playCount) plays" : nil }
}
