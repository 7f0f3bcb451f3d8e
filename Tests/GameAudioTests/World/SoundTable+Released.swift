@testable import GameAudio

extension SoundTable {
  /// Takes the objects to release.
  mutating func takeReleased() -> [any Sendable] {
    var list: [any Sendable] = []
    moveReleased(into: &list)
    return list
  }
}
