import GameAudio
import Spatial3D

/// The growth of the cost of emitters with their number.
enum LifeRows {
  static func comparisons() -> [Comparison] {
    [
      Comparison("the lives of 4,000 emitters, against those of 2,000", atMost: 3) { effort in
        try (0..<effort(full: 7, brief: 3)).map { _ in try seconds(of: 4_000) / seconds(of: 2_000) }
      }
    ]
  }

  /// The time to play, fade, stop and release emitters that have a limit and observers.
  private static func seconds(of count: Int) throws -> Double {
    let scene = try EmitterScene(count: 64)
    var sound = Sound(EmitterScene.noise)
    sound.limit = PlaybackLimit(count / 2, whenReached: .virtualize)
    sound.loudnessOfMany = .compensated
    return Turns.seconds(.thread) {
      var tokens: [NotificationToken] = []
      var emitters = EmitterScene.places(count).map { place in
        let emitter = Emitter(playing: sound, in: scene.world)
        (emitter.position, emitter.repeats, emitter.derivesVelocity) = (place, .forever, true)
        tokens.append(emitter.observe { _ in })
        emitter.play()
        emitter.fade(to: .decibels(-6), Fade(.milliseconds(50)))
        return emitter
      }
      // All fades end in one tick.
      for _ in 0..<4 { scene.choose() }
      for emitter in emitters.prefix(count / 2) { emitter.stop() }
      for _ in 0..<4 { scene.choose() }
      tokens = []
      emitters = []
      for _ in 0..<4 { scene.choose() }
    }
  }
}
