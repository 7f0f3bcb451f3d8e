internal import Spatial3D

/// The emitters, the sounds, the buses, the space and the playlists of a world, as of a frame of the mix.
///
/// The scene is what the voices render: it computes how loud, how fast and from where an emitter plays. It gives no
/// voice to an emitter, and posts no event.
struct WorldScene: Sendable {
  var emitters = EmitterTable()
  var sounds = SoundTable()
  var mixer = MixerState()
  var space = SpaceState()
  var limits = LimitLedger()
  var copies = CopyCompensation()
  var players = PlayerTable()
  var fades = EmitterFades()
  var time: WorldTime

  init(time: WorldTime) { self.time = time }

  /// The frame of the mix, as read last.
  var now: Int { time.now }

  func frames(in duration: Duration) -> Int { time.frames(in: duration) }
  func frames(ofMilliseconds count: Int) -> Int { time.frames(ofMilliseconds: count) }
  func time(ofFrames count: Int) -> Duration { time.time(ofFrames: count) }

  /// The slots of the emitters of a sound and of its copies that are not idle.
  func slots(of identity: Int) -> [EmitterSlot] {
    emitters.indices.filter { slot in
      emitters[slot].isUsed && emitters[slot].status != .idle
        && sounds[emitters[slot].sound].identity == identity
    }
  }
}

extension WorldScene: RateConvertible {
  /// Converts the frames of all parts, and gives the clocks the steps of the new rate.
  mutating func convertFrames(_ conversion: FrameConversion) {
    emitters.convertFrames(conversion)
    fades.convertFrames(conversion)
    copies.convertFrames(conversion)
    mixer.convertFrames(conversion)
    players.convertFrames(conversion)
    space.convertFrames(conversion)
    sounds.convertFrames(conversion)
    for slot in emitters.indices where emitters[slot].isUsed {
      let step = step(of: slot)
      emitters.modify(slot) { if $0.isRunning { $0.clock.setStep(step, at: max(conversion.present, $0.began)) } }
    }
    emitters.updateNextEnd(after: .min)
  }
}
