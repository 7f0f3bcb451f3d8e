import Foundation
import GameAudio

/// A game with music and one effect, whose world follows an audio session.
struct Game {
  let world: AudioWorld
  let session: AudioSession
  let music: SoundPlayer
  private let drops: Emitter
  private let following: SessionLink

  init(in context: AudioContext, following session: AudioSession) throws {
    world = AudioWorld(in: context)
    self.session = session
    let score = world.mixer.makeBus("music", kind: .direct)
    // Another program's music replaces the game's music.
    score.mutesWithOtherAudio = true
    music = try SoundPlayer(playing: Sound(try Tones.music()), in: world, on: score)
    music.repeats = .forever
    drops = Emitter(playing: Sound(try Tones.drop()), in: world, on: world.mixer.makeBus("effects"))
    drops.position = [1, 0, -1]
    drops.repeats = .forever
    // All that the game has to do with a session: a category, the activation, and this link.
    try session.setCategory(.ambient)
    try session.activate()
    following = world.follow(session, resuming: .players(rewind: .seconds(1)))
    music.play()
    drops.play()
  }

  /// Does what a thing of the story is: the system reports it, or the player presses the button of the music.
  func take(_ happening: Story.Happening) {
    if let input = happening.input { session.report(input) } else { music.play() }
  }

  /// The states of the session and of the music, and the music's playback position in seconds.
  var state: [String] {
    let session: String =
      switch session.state {
      case .active: "active"
      case .inactive: "inactive"
      case .interrupted: "interrupted"
      }
    let music = world.context.isSuspended ? "frozen" : music.isPlaying ? "plays" : "paused"
    return [session, music, String(format: "%.1f", self.music.playbackTime / .seconds(1))]
  }
}
