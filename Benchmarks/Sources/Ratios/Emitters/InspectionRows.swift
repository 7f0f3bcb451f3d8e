internal import AllocationCounter
import GameAudio
internal import OpenALLoops

/// The cost of recordings, snapshots and explanations of 10,000 emitters.
enum InspectionRows {
  static func comparisons() throws -> [Comparison] {
    let scene = try EmitterScene(count: 10_000)
    return [
      recorded(scene),
      bytes(scene),
      compare("an explanation among 10,000 emitters", scene, atMost: 15) {
        _ = scene.world.explain(scene.emitters[5_000])
      },
      compare("the statistics of 10,000 emitters", scene, atMost: 125) { _ = scene.world.voiceStatistics() },
      compare("a snapshot of 10,000 emitters", scene, atMost: 560) { _ = scene.world.snapshot() },
    ]
  }

  /// A second in which everything moves, with a recording and without.
  private static func recorded(_ scene: EmitterScene) -> Comparison {
    Comparison("a second with 10,000 moving emitters, recorded, against not", atMost: 2.8) { effort in
      (0..<effort(full: 9, brief: 3)).map { _ in
        var (own, plain) = (Double.infinity, Double.infinity)
        for _ in 0..<4 {
          plain = min(plain, Turns.seconds(.thread, scene.second))
          let recording = scene.world.record()
          own = min(own, Turns.seconds(.thread, scene.second))
          recording.stop()
        }
        return own / plain
      }
    }
  }

  private static func bytes(_ scene: EmitterScene) -> Comparison {
    Comparison("megabytes of such a second of a recording", atMost: 14) { _ in
      let recording = scene.world.record()
      scene.second()
      let before = bytes_in_use()
      for _ in 0..<4 { scene.second() }
      let bytes = Double(bytes_in_use() - before)
      recording.stop()
      return [bytes / 4 / 1e6]
    }
  }

  /// A call of a tool, against the gains of all positions in C.
  private static func compare(
    _ what: String,
    _ scene: EmitterScene,
    atMost limit: Double,
    _ body: @escaping () -> Void
  ) -> Comparison {
    let (x, y, z) = (scene.places.map(\.x), scene.places.map(\.y), scene.places.map(\.z))
    return Comparison("\(what), against their gains in C", atMost: limit) { effort in
      var gains = [Float](repeating: 0, count: x.count)
      return Turns.ratios(rounds: effort(full: 9, brief: 3), runs: 10, of: body) {
        unsafe distance_gains(x, y, z, &gains, Int32(x.count))
      }
    }
  }
}
