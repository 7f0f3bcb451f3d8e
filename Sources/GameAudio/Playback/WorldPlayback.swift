internal import Spatial3D

/// The voices of a world, and what they play of its scene.
///
/// The playback gives voices to emitters, lets sounds begin and end, and posts their events. It never calls OpenAL:
/// calls are appended to ``Outbox/commands``, and the world carries them out without the lock.
struct WorldPlayback: Sendable {
  var scene: WorldScene
  var voices: VoicePool
  var outbox: Outbox
  var log = RecordingLog()

  init(scene: WorldScene, voices: VoicePool, outbox: Outbox) {
    (self.scene, self.voices, self.outbox) = (scene, voices, outbox)
  }

  /// The frame of the mix, as read last.
  var now: Int { scene.now }
}
