internal import AllocationCounter
import GameAudio
internal import OpenALLoops

/// The cost of thousands of emitters on 64 voices.
enum EmitterRows {
  static func comparisons() throws -> [Comparison] {
    let few = try EmitterScene(count: 64)
    let many = try EmitterScene(count: 10_000)
    let most = try EmitterScene(count: 100_000)
    let hand = try SourceScene(count: 64)
    return [
      try choice(of: 10_000, many, few, atMost: 10),
      try choice(of: 100_000, most, few, atMost: 10),
      try plain("64", few, atMost: 1.61),
      try plain("1,000", try EmitterScene(count: 1_000), atMost: 1.59),
      try plain("10,000", many, atMost: 1.58),
      try plain("100,000", most, atMost: 2),
      Comparison("a second with 10,000 moving emitters, against 64 sources by hand", atMost: 1.6) { effort in
        Turns.ratios(rounds: effort(full: 15, brief: 5), runs: 5, of: many.second) { hand.render(1) }
      },
      Comparison("a second with 64 moving emitters, against 64 sources by hand", atMost: 1.35) { effort in
        Turns.ratios(rounds: effort(full: 15, brief: 5), runs: 5, of: few.second) { hand.render(1) }
      },
      try otherRate("", few, converts: true, atMost: 1.1),
      try otherRate(" that the mixer converts", few, converts: false, atMost: nil),
      Comparison("a second with 10,000 moving emitters, against 10,000 sources", atMost: 0.01) { effort in
        let all = try SourceScene(count: 10_000)
        return (0..<effort(full: 3, brief: 1)).map { _ in
          let own = Turns.seconds(.thread, many.second)
          return own / (Turns.seconds(.thread) { all.render(0.1) } * 10)
        }
      },
      setter(many),
      // The compiler makes one block copy of the loop of the other side, as the positions are constant.
      Comparison("10,000 emitters moved, against a block copy of their positions", atMost: 8) { effort in
        var copy = many.places
        return Turns.ratios(rounds: effort(full: 25, brief: 5), runs: 20) {
          many.move()
        } to: {
          for index in copy.indices { copy[index] = many.places[index] }
          withExtendedLifetime(copy) {}
        }
      },
    ]
  }

  /// A second against a C program that chooses by itself, and does not cut its mixes at ticks.
  private static func plain(_ count: String, _ scene: EmitterScene, atMost limit: Limit) throws -> Comparison {
    let program = try ReferenceEmitters(of: scene)
    return Comparison("a second with \(count) moving emitters, against a C program", atMost: limit) { effort in
      Turns.ratios(rounds: effort(full: 15, brief: 5), runs: 5, of: scene.second, to: program.second)
    }
  }

  /// A second with sounds of 44,100 Hz, against the same with sounds at the rate of the mix.
  private static func otherRate(
    _ what: String,
    _ scene: EmitterScene,
    converts: Bool,
    atMost limit: Limit?
  ) throws -> Comparison {
    let other = try EmitterScene(count: 64, rate: 44_100, convertsSampleRates: converts)
    let name = "a second with 64 moving emitters of 44,100 Hz\(what), against 48,000 Hz"
    return Comparison(name, atMost: limit) { effort in
      Turns.ratios(rounds: effort(full: 15, brief: 5), runs: 5, of: other.second, to: scene.second)
    }
  }

  /// The time of one choice, beyond the time for 64 emitters, against the gains of all positions in C.
  private static func choice(
    of count: Int,
    _ many: EmitterScene,
    _ few: EmitterScene,
    atMost limit: Limit
  ) throws -> Comparison {
    let (x, y, z) = (many.places.map(\.x), many.places.map(\.y), many.places.map(\.z))
    return Comparison("a choice from \(count) emitters, against their gains in C", atMost: limit) { effort in
      var gains = [Float](repeating: 0, count: count)
      return (0..<effort(full: 15, brief: 5)).map { _ in
        var (own, base, loop) = (Double.infinity, Double.infinity, Double.infinity)
        for _ in 0..<40 {
          own = min(own, Turns.seconds(.thread, many.choose))
          base = min(base, Turns.seconds(.thread, few.choose))
          loop = min(loop, Turns.seconds(.thread) { unsafe distance_gains(x, y, z, &gains, Int32(count)) })
        }
        return (own - base) / loop
      }
    }
  }

  private static func setter(_ scene: EmitterScene) -> Comparison {
    Comparison("10,000 positions set one by one, against a move", atMost: 30) { effort in
      Turns.ratios(rounds: effort(full: 25, brief: 5), runs: 20) {
        for (emitter, place) in zip(scene.emitters, scene.places) { emitter.position = place }
      } to: {
        scene.move()
      }
    }
  }

  // MARK: - Memory

  static func allocations() throws -> [Comparison] {
    let scene = try EmitterScene(count: 1_000)
    let empty = try SourceScene(count: 0)
    let first = scene.emitters[0]
    /// Counts the allocations of many runs, after some runs that allocate storage to keep.
    func allocations(_ body: (Float) -> Void) -> Int64 {
      for run in 0..<100 { body(Float(run)) }
      let before = allocations_of_thread()
      for run in 0..<100 { body(Float(run)) }
      return allocations_of_thread() - before
    }
    /// The renderer allocates for its own ticks, also in an empty scene: these are not counted.
    func count(_ what: String, ticks: Bool = true, _ body: @escaping (Float) -> Void) -> Comparison {
      Comparison("allocations: \(what)", atMost: 0) { _ in
        let base = ticks ? allocations { _ in empty.choose() } : 0
        return [Double(max(allocations(body) - base, 0))]
      }
    }
    return [
      count("an update that moves 1,000 emitters, and setters", ticks: false) { value in
        scene.world.update {
          scene.world.listener.position = [value * 0.001, 0, 0]
          scene.move()
        }
        (first.gain, first.pitch, first.priority) = (.decibels(Decibels(-value * 0.01)), 1 + value * 0.001, 60)
      },
      count("two ticks, the second of which chooses") { _ in scene.choose() },
      count("two ticks in which voices change hands") { value in
        scene.world.listener.position = [value * 2, 0, 0]
        scene.choose()
      },
      try bytes(),
    ]
  }

  private static func bytes() throws -> Comparison {
    Comparison("bytes of an emitter, of 10,000, against 256", atMost: 1) { _ in
      let scene = try EmitterScene(count: 1)
      let sound = Sound(EmitterScene.noise)
      var emitters = [Emitter(playing: sound, in: scene.world)]
      emitters.reserveCapacity(10_001)
      let before = bytes_in_use()
      for _ in 0..<10_000 { emitters.append(Emitter(playing: sound, in: scene.world)) }
      let bytes = Double(bytes_in_use() - before) / 10_000
      return withExtendedLifetime(emitters) { [bytes / 256] }
    }
  }
}
