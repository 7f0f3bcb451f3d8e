import Foundation
import GameAudio
import Spatial3D

/// The cost of a world on an output that mixes in real time, by the processor time of each thread.
///
/// Each row makes its own scenes and releases them at its end, so that nothing is mixed beside another row.
enum LiveRows {
  private static let count = 64

  static func comparisons() -> [Comparison] {
    [
      Comparison("the library's threads for 64 moving emitters, against the mixer", atMost: Limit(0.7, direct: 0.8)) {
        effort in
        let (world, emitters) = try makeWorld()
        let places = EmitterScene.places(count)
        let shifted = places.map { $0 + [0.02, 0, 0] }
        return try withExtendedLifetime(emitters) {
          try (0..<effort(full: 5, brief: 2)).map { _ in
            let accounts = try ThreadAccount.ofThreads {
              for frame in 0..<60 {
                Thread.sleep(forTimeInterval: 1 / 60)
                world.update {
                  world.listener.position = [Float(frame % 2) * 0.02, 0, 0]
                  world.move(emitters, to: (frame.isMultiple(of: 2) ? shifted : places).span)
                }
              }
            }
            return try ratio(of: accounts.filter(\.isOwn), to: accounts.filter(\.isMixer))
          }
        }
      },
      Comparison(
        "64 emitters that stand still, against C: processor time of all threads",
        atMost: Limit(1.6, direct: 2.1)
      ) { effort in
        let own = try { () throws -> [Double] in
          let scene = try makeWorld()
          return try withExtendedLifetime(scene) { try seconds(effort) }
        }()
        let scene = try ReferenceScene(sourceCount: count, playing: EmitterScene.noise, isLive: true)
        Thread.sleep(forTimeInterval: 0.5)
        let other = try withExtendedLifetime(scene) { try seconds(effort) }
        return zip(own, other).map { $0 / $1 }
      },
    ]
  }

  private static func makeWorld() throws -> (AudioWorld, [Emitter]) {
    let world = AudioWorld(in: try AudioContext(), voiceLimit: count)
    let sound = Sound(EmitterScene.noise)
    let emitters = EmitterScene.places(count).map { place in
      let emitter = Emitter(playing: sound, in: world)
      (emitter.position, emitter.repeats) = (place, .forever)
      emitter.play()
      return emitter
    }
    // The first choices fill the voices.
    Thread.sleep(forTimeInterval: 0.5)
    return (world, emitters)
  }

  /// The processor time of the mixer and of the library's threads, for some seconds.
  private static func seconds(_ effort: Effort) throws -> [Double] {
    try (0..<effort(full: 5, brief: 2)).map { _ in
      let accounts = try ThreadAccount.ofThreads { Thread.sleep(forTimeInterval: 1) }
      return accounts.filter { $0.isOwn || $0.isMixer }.reduce(0) { $0 + $1.seconds }
    }
  }

  private static func ratio(of accounts: [ThreadAccount], to others: [ThreadAccount]) throws -> Double {
    let (own, other) = (accounts.reduce(0) { $0 + $1.seconds }, others.reduce(0) { $0 + $1.seconds })
    guard own > 0, other > 0 else { throw LiveNotifications.Uncounted() }
    return own / other
  }
}
