internal import AllocationCounter
import GameAudio

/// The cost of buses, duckers and fades in a tick.
enum MixerRows {
  static func comparisons() throws -> [Comparison] {
    // All voices change in each tick, here by the fade of one bus.
    let plain = try EmitterScene(count: 64)
    plain.world.mixer.main.fade(to: .decibels(-60), Fade(.seconds(1_000)))
    let mixed = try EmitterScene(count: 64)
    spread(mixed)
    return [
      Comparison("two ticks of 64 buses that fade and duck, against one that fades", atMost: 1.4) { effort in
        Turns.ratios(rounds: effort(full: 25, brief: 7), runs: 40, of: mixed.choose, to: plain.choose)
      },
      try crowd(),
      try setter(),
      Comparison("allocations: two ticks of 64 buses that fade and duck", atMost: 0) { _ in
        let empty = try SourceScene(count: 0)
        /// Counts the allocations of many runs, after some runs that allocate storage to keep.
        func allocations(_ body: () -> Void) -> Int64 {
          for _ in 0..<100 { body() }
          let before = allocations_of_thread()
          for _ in 0..<100 { body() }
          return allocations_of_thread() - before
        }
        // The renderer allocates for its own ticks, also in an empty scene.
        return [Double(max(allocations(mixed.choose) - allocations(empty.choose), 0))]
      },
    ]
  }

  /// The ticks of a whole game: a choice from all emitters, and each of its voices on one of many buses.
  private static func crowd() throws -> Comparison {
    let (one, many) = (try EmitterScene(count: 10_000), try EmitterScene(count: 10_000))
    one.world.mixer.main.fade(to: .decibels(-60), Fade(.seconds(1_000)))
    spread(many)
    return Comparison("two ticks of 10,000 emitters on 64 such buses, against one that fades", atMost: 1.4) { effort in
      Turns.ratios(rounds: effort(full: 25, brief: 7), runs: 20, of: many.choose, to: one.choose)
    }
  }

  private static func setter() throws -> Comparison {
    let (one, many) = (try EmitterScene(count: 64), try EmitterScene(count: 64))
    let (main, buses) = (one.world.mixer.main, spread(many))
    return Comparison("the gains of 64 buses set, against that of one bus 64 times", atMost: 30) { effort in
      Turns.ratios(rounds: effort(full: 25, brief: 7), runs: 40) {
        for (index, bus) in buses.enumerated() { bus.gain = .decibels(Decibels(Float(-index) * 0.01)) }
      } to: {
        for index in buses.indices { main.gain = .decibels(Decibels(Float(-index) * 0.01)) }
      }
    }
  }

  /// Shares the emitters of a scene among 64 buses, all of which fade for long; a quarter of them duck.
  @discardableResult
  private static func spread(_ scene: EmitterScene) -> [Bus] {
    let mixer = scene.world.mixer
    let groups = (0..<8).map { mixer.makeBus("group \($0)") }
    let buses = (0..<64).map { mixer.makeBus("bus \($0)", in: groups[$0 / 8]) }
    for (index, emitter) in scene.emitters.enumerated() { emitter.bus = buses[index % buses.count] }
    for bus in buses { bus.fade(to: .decibels(-60), Fade(.seconds(1_000))) }
    for index in 0..<16 { buses[index].duck(under: buses[index + 32], Ducking(by: -3)) }
    return buses
  }
}
