internal import AllocationCounter
import GameAudio

/// The cost of the setters of emitters and buses on the thread of a game, and of a new player.
enum SetterRows {
  static func comparisons() throws -> [Comparison] {
    let scene = try EmitterScene(count: 1_000)
    let table = try LockedTable(count: 1_000)
    let emitters = scene.emitters
    var step: Float = 0
    func next() -> Float {
      step = step < 0.9 ? step + 0.0001 : 0.0001
      return step
    }

    func row(
      _ what: String,
      atMost limit: Limit,
      _ set: @escaping (Float) -> Void,
      against store: @escaping (Float) -> Void
    ) -> Comparison {
      Comparison("\(what) of 1,000 emitters set, against a table in C behind a mutex", atMost: limit) { effort in
        withExtendedLifetime(scene) {
          Turns.ratios(rounds: effort(full: 25, brief: 7), runs: 40) {
            set(next())
          } to: {
            store(next())
          }
        }
      }
    }
    return [
      row(
        "the positions",
        atMost: 2.2,
        { value in for emitter in emitters { emitter.position = [value, 0, 1] } },
        against: table.setPositions
      ),
      row(
        "the velocities",
        atMost: 2.2,
        { value in for emitter in emitters { emitter.velocity = [value, 0, 1] } },
        against: table.setVelocities
      ),
      row(
        "the gains",
        atMost: 2.6,
        { value in for emitter in emitters { emitter.gain = Gain(value) } },
        against: table.setGains
      ),
      row(
        "the pitches",
        atMost: 2.5,
        { value in for emitter in emitters { emitter.pitch = 0.1 + value } },
        against: table.setPitches
      ),
      row(
        "the occlusions",
        atMost: 2.5,
        { value in for emitter in emitters { emitter.occlusion = Decibels(-value) } },
        against: table.setOcclusions
      ),
      try bus(),
      player(),
    ]
  }

  /// A bus beside many others: the setter updates the bus and the buses inside it.
  private static func bus() throws -> Comparison {
    let (few, many) = (try EmitterScene(count: 64), try EmitterScene(count: 64))
    let buses = [(few, 10), (many, 1_000)].map { scene, count in
      for index in 1..<count { _ = scene.world.mixer.makeBus("bus \(index)") }
      return scene.world.mixer.makeBus("last")
    }
    func set(_ bus: Bus, _ run: Int) { for index in 0..<1_000 { bus.gain = Gain(Float(index + run) / 2_000) } }
    return Comparison("the gain of a bus of 1,000 set, against a bus of 10", atMost: 1.2) { effort in
      withExtendedLifetime((few, many)) {
        Turns.ratios(rounds: effort(full: 25, brief: 7), runs: 20) {
          set(buses[1], 0)
          set(buses[1], 1)
        } to: {
          set(buses[0], 0)
          set(buses[0], 1)
        }
      }
    }
  }

  /// The median of a hundred players: now and then a table of the world grows.
  private static func player() -> Comparison {
    Comparison("allocations: a new player of samples", atMost: 6) { _ in
      let scene = try EmitterScene(count: 64)
      let sound = Sound(EmitterScene.noise)
      var players = [try SoundPlayer(playing: sound, in: scene.world)]
      players.reserveCapacity(101)
      let counts = try (0..<100).map { _ in
        let before = allocations_of_thread()
        players.append(try SoundPlayer(playing: sound, in: scene.world))
        return allocations_of_thread() - before
      }
      return withExtendedLifetime(players) { [Double(counts.sorted()[50])] }
    }
  }
}
