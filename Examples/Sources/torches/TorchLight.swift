import GameAudio
import Stage

/// The torches of the dungeon in a world.
struct TorchLight {
  let world: AudioWorld
  let torches: [Emitter]

  /// Lights all torches; each begins at another position in the flame's loop.
  init(in context: AudioContext, voices: Int) throws {
    world = AudioWorld(in: context, voiceLimit: voices)
    var flame = Sound(try Flame.pcm())
    // Walls stand between the rooms.
    flame.attenuation.rolloffFactor = 1.5
    flame.silentBeyond = 40
    var noise = Noise(seed: 64)
    torches = Dungeon.places.map { [world] place in
      let torch = Emitter(playing: flame, in: world)
      torch.position = place
      torch.repeats = .forever
      torch.pitch = Float(1 + 0.08 * noise.next())
      torch.playbackTime = .seconds(1.5 + 1.49 * noise.next())
      return torch
    }
    world.listener = Dungeon.listener(at: 0)
    world.mixer.main.gain = .decibels(-6)
    for torch in torches { torch.play() }
  }

  /// Moves the listener to its position after a number of seconds.
  func update(to time: Double) {
    world.update { world.listener = Dungeon.listener(at: time) }
  }
}
