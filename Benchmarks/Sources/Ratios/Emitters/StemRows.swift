internal import AllocationCounter
import GameAudio

/// The cost of buses with sums.
enum StemRows {
  static func comparisons() throws -> [Comparison] {
    let plain = try EmitterScene(count: 64)
    let (summed, idle) = (try EmitterScene(count: 64), try EmitterScene(count: 64))
    let processed = try EmitterScene(count: 64)
    _ = spread(summed)
    addSilentSums(to: idle)
    for bus in spread(processed) {
      bus.inserts = [.highPass(80), .compressor(threshold: -20, ratio: 3), .limiter()]
    }
    summed.choose()
    processed.choose()
    return [
      Comparison(
        "a second with 64 moving emitters on 4 buses with sums, against one bus",
        atMost: Limit(1.45, direct: 1.75)
      ) { effort in
        Turns.ratios(rounds: effort(full: 15, brief: 5), runs: 5, of: summed.second, to: plain.second)
      },
      Comparison("the same with an equalizer, a compressor and a limiter on each bus", atMost: 4) { effort in
        Turns.ratios(rounds: effort(full: 15, brief: 5), runs: 5, of: processed.second, to: plain.second)
      },
      Comparison("a second with 64 moving emitters beside 8 silent sums, against none", atMost: 1.7) { effort in
        Turns.ratios(rounds: effort(full: 15, brief: 5), runs: 5, of: idle.second, to: plain.second)
      },
      Comparison("allocations: two ticks of 4 buses with sums, against one bus", atMost: 0) { _ in
        func allocations(_ body: () -> Void) -> Int64 {
          for _ in 0..<100 { body() }
          let before = allocations_of_thread()
          for _ in 0..<100 { body() }
          return allocations_of_thread() - before
        }
        let count = allocations(summed.choose) - allocations(plain.choose)
        return [Double(max(count, 0))]
      },
    ]
  }

  /// Shares the emitters of a scene among 4 buses with a sum.
  private static func spread(_ scene: EmitterScene) -> [Bus] {
    let buses = (0..<4).map { sum("bus \($0)", in: scene) }
    for (index, emitter) in scene.emitters.enumerated() { emitter.bus = buses[index % buses.count] }
    return buses
  }

  /// Gives a scene 8 buses with a sum and without sounds.
  private static func addSilentSums(to scene: EmitterScene) {
    for index in 0..<8 { _ = sum("silent \(index)", in: scene) }
  }

  /// A bus that keeps its sum, and has no inserts any more.
  private static func sum(_ name: String, in scene: EmitterScene) -> Bus {
    let bus = scene.world.mixer.makeBus(BusName(name))
    bus.inserts = [.width(0.5)]
    bus.inserts = []
    return bus
  }
}
