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
      try compare("an explanation among 10,000 emitters", scene, atMost: 3.5) {
        _ = scene.world.explain(scene.emitters[5_000])
      },
      // Both read more memory than a cache holds, and the C loop does not. Other programs of the machine change the
      // ratio by a factor of up to 2. The instructions of both have limits of 3 %: these rows guard the order alone.
      try compare("the statistics of 10,000 emitters", scene, atMost: 16) { _ = scene.world.voiceStatistics() },
      try compare("a snapshot of 10,000 emitters", scene, atMost: 60) { _ = scene.world.snapshot() },
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

  /// A call of a tool, against a loop in C over rows of 256 bytes.
  private static func compare(
    _ what: String,
    _ scene: EmitterScene,
    atMost limit: Limit,
    _ body: @escaping () -> Void
  ) throws -> Comparison {
    let rows = try EmitterRowsInC(scene.places)
    return Comparison("\(what), against their scores in C", atMost: limit) { effort in
      Turns.ratios(rounds: effort(full: 9, brief: 3), runs: 10, of: body, to: rows.score)
    }
  }
}

/// The emitters of a C program, each a row of 256 bytes.
@safe private final class EmitterRowsInC {
  /// Set once and freed only in `deinit`.
  private let table: OpaquePointer
  private var scores: [Float]

  init(_ places: [SIMD3<Float>]) throws {
    scores = [Float](repeating: 0, count: places.count)
    let (x, y, z) = (places.map(\.x), places.map(\.y), places.map(\.z))
    // Each array has as many numbers as there are rows.
    guard let created = unsafe emitter_rows_create(Int32(places.count), x, y, z) else { throw OutOfMemory() }
    unsafe table = created
  }

  deinit { unsafe emitter_rows_destroy(table) }

  /// Computes the score of each row, of which `scores` has one.
  func score() { unsafe emitter_rows_score(table, &scores) }
}
