@testable import GameAudio

// The calls of a session that interrupts the players of a world.

extension AudioWorld {
  func beginInterruption(isStanding: Bool = false) { perform(.beginInterruption(isStanding: isStanding)) }

  func endInterruption(shouldResume: Bool, resumingAfter rewind: Duration? = nil) {
    perform(.endInterruption(shouldResume: shouldResume, rewind: rewind))
  }
}
