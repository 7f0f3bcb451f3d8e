import GameAudio
import Spatial3DTesting
import Synchronization
import Testing

/// A sound that can be opened until it is removed.
final class RemovableSound: Sendable {
  /// The error of a sound that was removed.
  struct Gone: Error {}

  private final class State: Sendable {
    let count = Atomic(0)
    let isGone = Atomic(false)
  }

  let sound: Sound
  private let state = State()

  init(_ pcm: PCMBuffer<Float>) {
    let state = state
    sound = Sound(streaming: "removable") {
      state.count.wrappingAdd(1, ordering: .relaxed)
      guard !state.isGone.load(ordering: .relaxed) else { throw Gone() }
      return SampleReader(pcm)
    }
  }

  /// The number of attempts to open it.
  var count: Int { state.count.load(ordering: .relaxed) }

  func remove() { state.isGone.store(true, ordering: .relaxed) }
}

extension PlayerFixture {
  /// A player that plays on a direct bus since a tenth of a second.
  mutating func directPlayer(_ sound: Sound) throws -> SoundPlayer {
    let player = try SoundPlayer(playing: sound, in: world, on: world.mixer.makeBus("music", kind: .direct))
    player.play()
    offline.render(frameCount: 5_120)
    return player
  }
}

extension SoundPlayer {
  /// The source that plays the player.
  func source() throws -> SoundSource { try #require(inspector.source) }

  /// Moves the source back, as an underrun does.
  func delay(by frames: Int) throws {
    try source().playbackFrame -= frames
    inspector.noteUnderrun()
  }
}
