import Spatial3D

/// The sources of the battle: one buffer, and a source for each gun.
final class Guns {
  /// The buffer that all sources play.
  let buffer: SoundBuffer

  private let battle: Battle
  private let context: AudioContext
  private let sources: [SoundSource]

  init(of battle: Battle, firing shot: PCMBuffer<Float>, in context: AudioContext) throws {
    self.battle = battle
    self.context = context
    buffer = try SoundBuffer(shot, in: context)
    sources = try battle.places.map { [buffer] place in
      let source = try SoundSource(playing: buffer, in: context)
      source.position = place
      source.attenuation = DistanceAttenuation(referenceDistance: 5)
      source.gain = 0.8
      return source
    }
  }

  /// Fires the shots of an update, each with the delay of its distance.
  func update(_ update: Int) {
    let now = context.clock
    let start = Double(update) / Double(Battle.updateRate)
    for shot in battle.shots(in: update) {
      sources[shot.gun].play(at: now + .seconds(shot.time - start + battle.flight(from: shot.gun)))
    }
  }

  /// The number of sources that play, or that are scheduled to.
  var soundingCount: Int { sources.count { $0.state == .playing } }
}
