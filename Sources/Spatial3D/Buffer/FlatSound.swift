internal import PCM
internal import Synchronization

/// What there is to say of a sound of several channels, which is not placed unless a source asks for it.
final class FlatSound: Sendable {
  let name: String?
  let format: PCMFormat
  let duration: Duration
  private let wasTold = Atomic(false)

  /// `nil` for a mono sound, which is placed, and for a B-Format, which is all around.
  init?(name: String?, format: PCMFormat, frameCount: Int) {
    guard format.layout.placedChannelCount > 1 else { return nil }
    self.name = name
    self.format = format
    duration = format.duration(ofFrames: frameCount)
  }

  /// Whether the game is to be told that a source of the sound has a place that is not heard: once.
  func takeIsToBeTold() -> Bool { !wasTold.exchange(true, ordering: .relaxed) }
}
