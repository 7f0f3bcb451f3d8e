import Spatial3D

/// The scene of the story: a context, and the monster in it.
final class Theatre {
  private let context: AudioContext
  let monster: SoundSource

  /// Whether all rooms are silent, so that only the dry sound is audible.
  private let isDry: Bool

  init(of voice: PCMBuffer<Float>, in context: AudioContext, isDry: Bool = false) throws {
    self.context = context
    self.isDry = isDry
    monster = try SoundSource(playing: SoundBuffer(voice, in: context), in: context)
    monster.isLooping = true
    monster.attenuation = DistanceAttenuation(referenceDistance: 3)
    update(to: 0)
    monster.play()
  }

  /// Moves everything to its position after a number of seconds, in one deferred update.
  func update(to time: Double) {
    let chapter = Story.chapter(at: time)
    // Setting the same room again has no effect.
    context.reverb = isDry ? chapter.room.map { _ in Self.silentRoom } : chapter.room
    context.withDeferredUpdates {
      context.listener.position = Story.listener(at: time)
      monster.position = Story.monster(at: time)
      monster.reverbBlend = chapter.send
      monster.occlusion = Story.occlusion(at: time)
      monster.obstruction = Story.obstruction(at: time)
    }
  }

  private static var silentRoom: Reverb {
    var room = RoomAcoustics()
    (room.gain, room.reflectionsGain, room.lateGain) = (0, 0, 0)
    return Reverb(room: room)
  }
}
