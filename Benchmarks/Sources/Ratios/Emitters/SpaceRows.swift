internal import AllocationCounter
import GameAudio

/// The cost of zones, portals and rays, without the cost of the mix.
enum SpaceRows {
  static func comparisons() throws -> [Comparison] {
    let plain = try SpaceScene(count: 64, with: [])
    let zones = try SpaceScene(count: 64, with: .zones)
    let whole = try SpaceScene(count: 64, with: .all)
    let many = try SpaceScene(count: 10_000, with: [])
    let manyInRooms = try SpaceScene(count: 10_000, with: [.zones, .portals])
    let hall = try SpaceScene(count: 64, openings: 1_000)
    let largeHall = try SpaceScene(count: 64, openings: 4_000)
    return [
      // 1.1 to 1.5 were measured. A copy of the state for the feeds of each voice made it 2.9.
      row("two ticks of 64 voices in 3 zones, against two without", zones, plain, atMost: 1.8),
      // 3.0 was measured: two thirds of the rest are the search from a listener that moves, and the path of each voice.
      row("the same with 100 portals and 64 rays", whole, plain, atMost: 8),
      // 2.0 was measured: the search and the paths of the voices, as above.
      row("two ticks of 10,000 in 3 zones with 100 portals, against without", manyInRooms, many, atMost: 3),
      // 3.4 was measured. A search in which each opening looks at each other opening made it 13.
      row("two ticks with 4,000 portals in one room, against 1,000", largeHall, hall, atMost: 3.9),
      rays(),
      allocations(),
    ]
  }

  /// The time of the rays and the ticks of a frame in one scene, against the time in another scene.
  private static func row(
    _ what: String,
    _ scene: SpaceScene,
    _ reference: SpaceScene,
    atMost limit: Limit
  ) -> Comparison {
    Comparison(what, atMost: limit) { effort in
      (0..<effort(full: 25, brief: 7)).map { _ in
        var (own, other) = (Double.infinity, Double.infinity)
        for _ in 0..<40 {
          own = min(own, scene.secondsOfFrame())
          other = min(other, reference.secondsOfFrame())
        }
        return own / other
      }
    }
  }

  /// The rays against their closure alone, which looks for 16 boxes, as in a small level.
  ///
  /// 1.7 was measured: the rest is the choice of the emitters, and the means of the answers.
  private static func rays() -> Comparison {
    Comparison("64 rays cast, against 64 calls of their closure", atMost: 2.5) { effort in
      let scene = try SpaceScene(count: 64, with: .rays)
      var rays: [(origin: SIMD3<Float>, target: SIMD3<Float>)] = []
      scene.world.castRays(limit: SpaceScene.rayCount) { ray in
        rays.append((ray.origin, ray.target))
        return .clear
      }
      var sum = Decibels.zero
      return Turns.ratios(rounds: effort(full: 25, brief: 7), runs: 200, of: scene.castRays) {
        for ray in rays { sum += Walls.answer(from: ray.origin, to: ray.target).occlusion }
        withExtendedLifetime(sum) {}
      }
    }
  }

  private static func allocations() -> Comparison {
    Comparison("allocations: two ticks with 3 zones, 100 portals and 64 rays", atMost: 0) { _ in
      let scene = try SpaceScene(count: 64, with: .all)
      let empty = try SourceScene(count: 0)
      /// Counts the allocations of many runs, after some runs that allocate storage to keep.
      func allocations(_ body: () -> Void) -> Int64 {
        for _ in 0..<100 { body() }
        let before = allocations_of_thread()
        for _ in 0..<100 { body() }
        return allocations_of_thread() - before
      }
      // The renderer allocates for its own ticks, also in an empty scene.
      return [Double(max(allocations(scene.frame) - allocations(empty.choose), 0))]
    }
  }
}
