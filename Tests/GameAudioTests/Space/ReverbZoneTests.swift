import TestSupport
import Testing

@testable import GameAudio

/// Shapes, distances and weights of zones, without a mix.
@Suite struct ReverbZoneTests {
  private static func zone(_ shape: ReverbZone.Shape, fade: Float = 3) -> ReverbZone {
    ReverbZone(shape, Reverb(.cathedral), fade: fade)
  }

  @Test func `The weight is 1 inside, falls over the fade, and is 0 beyond`() {
    let zone = Self.zone(.sphere(center: [10, 0, 0], radius: 2), fade: 4)
    let expected: [(Float, Float)] = [(10, 1), (12, 1), (13, 0.75), (14, 0.5), (15, 0.25), (16, 0), (100, 0)]
    for (x, weight) in expected { #expect(abs(zone.weight(at: [x, 0, 0]) - weight) < 1e-6, "at \(x) m") }
    let hard = Self.zone(.sphere(center: .zero, radius: 1), fade: 0)
    #expect(hard.weight(at: [1, 0, 0]) == 1 && hard.weight(at: [1.001, 0, 0]) == 0)
  }

  @Test func `The yaw turns a box to the left`() {
    let box = ReverbZone.Shape.box(center: [1, 2, 3], size: [10, 2, 2], yaw: 30)
    // Its long axis points to the right and forwards.
    let (cosine, sine): (Float, Float) = (0.8660254, 0.5)
    #expect(box.distance(to: [1 + 4.9 * cosine, 2, 3 - 4.9 * sine]) == 0)
    #expect(abs(box.distance(to: [1 + 7 * cosine, 2, 3 - 7 * sine]) - 2) < 1e-5)
    #expect(box.distance(to: [1 + 4.9 * cosine, 2, 3 + 4.9 * sine]) > 2)
  }

  @Test func `The distance to a hull of a box's corners is that to the box`() {
    var random = RandomSequence(seed: 3)
    func number(_ range: ClosedRange<Float>) -> Float { Float.random(in: range, using: &random) }
    for _ in 0..<2_000 {
      let center = SIMD3(number(-50...50), number(-50...50), number(-50...50))
      let size = SIMD3(number(0...20), number(0...20), number(0...20))
      let yaw = number(-180...180)
      let box = ReverbZone.Shape.box(center: center, size: size, yaw: yaw)
      var corners: [SIMD3<Float>] = []
      for index in 0..<8 {
        let sign = SIMD3<Float>(index & 1 == 0 ? -1 : 1, index & 2 == 0 ? -1 : 1, index & 4 == 0 ? -1 : 1)
        corners.append(center + (size / 2 * sign).turned(by: yaw))
      }
      let hull = ReverbZone.Shape.hull(corners.shuffled(using: &random))
      for _ in 0..<3 {
        let place = center + SIMD3(number(-25...25), number(-25...25), number(-25...25))
        #expect(abs(hull.distance(to: place) - box.distance(to: place)) < 2e-3, "\(box) at \(place)")
      }
    }
  }

  @Test func `A hull of any points contains their means, and is as far as its farthest half-space at least`() {
    var random = RandomSequence(seed: 5)
    func vector(_ range: ClosedRange<Float>) -> SIMD3<Float> { .random(in: range, using: &random) }
    for count in 1...24 {
      for _ in 0..<40 {
        let points = (0..<count).map { _ in vector(-10...10) }
        let mean = points.reduce(.zero, +) / Float(count)
        #expect(ConvexHull.distance(from: mean, to: points) < 1e-3)
        let place = vector(-40...40)
        let distance = ConvexHull.distance(from: place, to: points)
        // No point is nearer than the hull, and each direction bounds the distance from below.
        #expect(distance <= (points.map { ($0 - place).length }.min() ?? 0) + 1e-3)
        for _ in 0..<50 {
          let raw = vector(-1...1)
          let direction = raw / max(raw.length, 1e-6)
          let bound = points.map { (($0 - place) * direction).sum() }.min() ?? 0
          #expect(distance >= bound - 1e-3)
        }
      }
    }
  }

  @Test func `A hull may be a point, a line or a triangle`() {
    #expect(abs(ConvexHull.distance(from: [3, 4, 0], to: [[0, 0, 0]]) - 5) < 1e-5)
    #expect(abs(ConvexHull.distance(from: [0, 2, 0], to: [[-1, 0, 0], [1, 0, 0], [0, 0, 0]]) - 2) < 1e-5)
    #expect(abs(ConvexHull.distance(from: [0, 7, 0], to: [[-3, 0, -3], [3, 0, -3], [0, 0, 5]]) - 7) < 1e-5)
  }

  @Test func `A zone survives its encoding`() throws {
    let zones = [
      ReverbZone(
        .box(center: [0, 2, -20], size: [12, 5, 30], yaw: 15),
        Reverb(.largeHall, level: -4),
        fade: 4,
        name: "hall"
      ),
      ReverbZone(.hull([[0, 0, 0], [1, 0, 0]]), Reverb(efx: .cave), priority: -2),
    ]
    for zone in zones { #expect(try decode(json(zone)) == zone) }
  }

  @Test func `A zone rings for its decay at the slowest frequency, eight seconds at most`() {
    for (decay, high, low, seconds) in [
      (2, 1.5, 0.5, 3), (2, 0.5, 1.25, 2.5), (2, 0.5, 0.5, 2), (2, 1, 1, 2), (4, 1.9, 0.5, 7.6), (6, 1.5, 1, 8),
      (20, 0.5, 0.5, 8),
    ] as [(Double, Float, Float, Float)] {
      var reverb = Reverb(.smallRoom)
      reverb.room.decayTime = .seconds(decay)
      (reverb.room.highFrequencyDecayRatio, reverb.room.lowFrequencyDecayRatio) = (high, low)
      let zone = ReverbZone(.sphere(center: .zero, radius: 1), reverb)
      #expect(abs(zone.ringing - seconds) < 1e-4, "\(decay) s")
    }
  }

  @Test func `A zone is usable if its shape, its fade and its reverb are`() {
    let good = ReverbZone(.sphere(center: .zero, radius: 1), Reverb(.smallRoom))
    #expect(good.isUsable && good.weight(at: .zero) == 1)
    func other(_ change: (inout ReverbZone) -> Void) -> ReverbZone {
      var zone = good
      change(&zone)
      return zone
    }
    let shapes: [(ReverbZone.Shape, Bool)] = [
      (.sphere(center: .zero, radius: 0), true), (.sphere(center: .zero, radius: -1), false),
      (.sphere(center: [0, .nan, 0], radius: 1), false), (.sphere(center: .zero, radius: .infinity), false),
      (.box(center: .zero, size: .zero), true), (.box(center: .zero, size: [1, -1, 1]), false),
      (.box(center: [.infinity, 0, 0], size: [1, 1, 1]), false), (.box(center: .zero, size: [1, 1, .nan]), false),
      (.box(center: .zero, size: [1, 1, 1], yaw: .nan), false), (.hull([.zero]), true), (.hull([]), false),
      (.hull([.zero, [.nan, 0, 0]]), false),
    ]
    for (shape, isUsable) in shapes {
      let zone = other { $0.shape = shape }
      #expect(zone.isUsable == isUsable && shape.isUsable == isUsable, "\(shape)")
      #expect(zone.weight(at: .zero) == (isUsable ? 1 : 0) && (shape.distance(to: .zero) == .infinity) == !isUsable)
    }
    for (fade, isUsable) in [(0, true), (5, true), (-0.001, false), (.nan, false), (.infinity, false)]
      as [(Float, Bool)]
    {
      let zone = other { $0.fade = fade }
      #expect(
        zone.isUsable == isUsable && zone.hasUsableFade == isUsable && zone.weight(at: .zero) == (isUsable ? 1 : 0)
      )
    }
    let broken = other { $0.reverb.room.gain = Gain(.nan) }
    #expect(!broken.isUsable && broken.weight(at: .zero) == 0 && broken.hasUsableFade)
  }
}

/// The gains of two zones, and the choice of them.
@Suite struct ZoneLawTests {
  @Test func `Two zones share the power of their weights, 1 at most`() {
    for first in stride(from: Float(0), through: 1, by: 0.05) {
      for second in stride(from: Float(0), through: 1, by: 0.05) {
        let (left, right) = ZoneLaw.gains(first, second)
        #expect(abs(left * left + right * right - min(first + second, 1)) < 1e-5)
        if first > 0 { #expect(abs(right * right / (left * left) - second / first) < 1e-3) }
      }
    }
  }

  @Test func `The largest weights sound, and among equal ones the first of the list`() {
    func pair(_ weights: [Float]) -> [ZoneIndex?] {
      let pair = ZoneLaw.choose(weights: weights) { _ in false }
      return [pair.first, pair.second]
    }
    #expect(pair([]) == [nil, nil])
    #expect(pair([0]) == [nil, nil])
    #expect(pair([0.3]) == [0, nil])
    #expect(pair([0.3, 0.9, 0.5]) == [1, 2])
    #expect(pair([1, 1, 1]) == [0, 1])
  }

  @Test func `Another zone takes the place of one that sounds only when its weight is larger by a tenth`() {
    func zones(_ first: Float, _ weight: Float) -> Set<ZoneIndex?> {
      let pair = ZoneLaw.choose(weights: [first, 0.4, weight]) { $0 < 2 }
      return [pair.first, pair.second]
    }
    for first in [1, 0.42] as [Float] {
      #expect(zones(first, 0.41) == [0, 1] && zones(first, 0.49) == [0, 1] && zones(first, 0.51) == [0, 2])
    }
  }

  @Test func `An emitter inside of a zone feeds it with half of the decibels`() {
    func level(_ gain: Float, _ weight: Float) -> Float {
      Decibels(factor: gain * ZoneLaw.sendFactor(at: gain, weightAtEmitter: weight)).rawValue
    }
    #expect(abs(level(0.1, 1) + 10) < 1e-3 && abs(level(0.1, 0.5) + 15) < 1e-3 && abs(level(0.1, 0) + 20) < 1e-3)
    #expect(abs(level(0.001, 1) + 40) < 1e-3)
    #expect(ZoneLaw.sendFactor(at: 1, weightAtEmitter: 1) == 1)
  }
}
