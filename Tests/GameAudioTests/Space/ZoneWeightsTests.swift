import TestSupport
import Testing

@testable import GameAudio

/// The weights that priorities leave, and the weights of zones with an equal reverb.
@Suite struct ZoneWeightsTests {
  private static func zone(_ number: Int, priority: Int = 0, at x: Float = 0, radius: Float = 1) -> ReverbZone {
    let reverb = Reverb(.mediumRoom, level: Decibels(-Float(number)))
    return ReverbZone(.sphere(center: [x, 0, 0], radius: radius), reverb, fade: 3, priority: priority)
  }

  private static func weights(_ zones: [(reverb: Int, priority: Int, weight: Float)]) -> ZoneWeights {
    var weights = ZoneWeights(zones.map { zone($0.reverb, priority: $0.priority) }, after: ZoneWeights(), places: [])
    weights.update { zone, _ in zones[zone.position].weight }
    return weights
  }

  @Test func `Zones of a lower priority share what the higher ones leave`() {
    func expect(_ zones: [(Int, Int, Float)], _ expected: [Float], _ location: SourceLocation = #_sourceLocation) {
      let weights = Self.weights(zones.map { (reverb: $0.0, priority: $0.1, weight: $0.2) }).weights
      #expect(zip(weights, expected).allSatisfy { abs($0 - $1) < 1e-6 }, "\(weights)", sourceLocation: location)
    }
    expect([(0, 0, 0.3), (1, 0, 0.9)], [0.3, 0.9])
    expect([(0, 0, 1), (1, 1, 0.1), (2, 1, 0.5)], [0.4, 0.1, 0.5])
    expect([(0, -1, 1), (1, 5, 0.5), (2, 2, 0.5)], [0.25, 0.5, 0.25])
    expect([(0, 0, 1), (1, 1, 1)], [0, 1])
    expect([(0, 0, 1), (1, 1, 0.7), (2, 1, 0.7)], [0, 0.7, 0.7])
  }

  @Test func `Zones with an equal reverb have one weight, that of their sum, and an emitter the mean of their shares`()
  {
    let weights = Self.weights([(0, 0, 0.5), (1, 0, 0.2), (0, 0, 0.25), (0, 0, 0)])
    #expect(weights.groups == [0, 1, 0, 0])
    #expect(weights.weights == [0.75, 0.2, 0, 0])
    #expect(weights.largest(in: 0) == 0 && weights.largest(in: 1) == 1)
    #expect(abs(weights.mean(in: 0, at: 0) { [1, 0, 0.4, 1][$0.position] } - (2 + 0.4) / 3) < 1e-6)
    #expect(Self.weights([(0, 0, 0.8), (0, 0, 0.8)]).weights == [1, 0])
    // The shares stay while nothing has a weight, and move with the zones to another list.
    var left = weights
    left.update { _, _ in 0 }
    #expect(left.shares == weights.shares)
    let moved = ZoneWeights([Self.zone(0), Self.zone(0)], after: left, places: [1, nil, nil, nil])
    #expect(moved.shares == [.zero, left.shares[0]])
  }

  @Test func `Each listener has the weights and the parts that it has alone`() {
    let zones = [
      Self.zone(0, priority: 1), Self.zone(1, at: 50), Self.zone(2, at: 51), Self.zone(2, at: 54),
      Self.zone(1, priority: 2, at: 90),
    ]
    var random = SplitMix64(seed: 9)
    for _ in 0..<200 {
      let places = (0..<4).map { _ in SIMD3<Float>(.random(in: 45...60, using: &random), 0, 0) } + [.zero]
      var all = ZoneWeights(zones, after: ZoneWeights(), places: [])
      all.update(listeners: 4) { zones[$0.position].weight(at: places[$1 == 3 ? 4 : $1]) }
      for listener in 0..<4 {
        var alone = ZoneWeights(zones, after: ZoneWeights(), places: [])
        alone.update { zone, _ in zones[zone.position].weight(at: places[listener == 3 ? 4 : listener]) }
        #expect(all.own.map { $0[listener] } == alone.weights)
        #expect(all.shares.map { $0[listener] } == alone.shares.map { $0[0] })
      }
      #expect(all.weights == all.own.map { $0.max() } && all.weights[0] == 1)
    }
  }

  @Test func `The level of a walk past small zones of a higher priority changes by at most 1 dB in 1 cm`() {
    let zones = [
      Self.zone(0, priority: -1, radius: 1_000), Self.zone(1, at: -3.97), Self.zone(2, at: 3.97), Self.zone(3, at: 12),
    ]
    var weights = ZoneWeights(zones, after: ZoneWeights(), places: [])
    var pair = ZoneLaw.Pair()
    var last: Float?
    for step in 0...4_000 {
      let place = SIMD3<Float>(Float(step) / 100 - 20, 0, 0)
      weights.update { zone, _ in zones[zone.position].weight(at: place) }
      let fed = pair
      pair = ZoneLaw.choose(weights: weights.weights) { $0 == fed.first || $0 == fed.second }
      let power = pair.firstGain * pair.firstGain + pair.secondGain * pair.secondGain
      let level = Decibels(factor: power.squareRoot()).rawValue
      #expect(level > -2, "\(level) dB at x = \(place.x)")
      if let last { #expect(abs(level - last) < 1, "at x = \(place.x)") }
      last = level
    }
  }

  @Test func `Three zones of nearly the same weight keep their places`() {
    var random = RandomSequence(seed: 4)
    var pair = ZoneLaw.choose(weights: [0.5, 0.5, 0.5]) { _ in false }
    for _ in 0..<1_000 {
      let weights = (0..<3).map { _ in Float.random(in: 0.49...0.51, using: &random) }
      let fed = pair
      pair = ZoneLaw.choose(weights: weights) { $0 == fed.first || $0 == fed.second }
      #expect(pair.first == 0 && pair.second == 1 || pair.first == 1 && pair.second == 0)
      #expect(weights[pair.first?.position ?? 0] >= weights[pair.second?.position ?? 0])
    }
  }
}
