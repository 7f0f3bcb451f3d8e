import Testing

@testable import GameAudio

/// The state machine of the units of zones.
@Suite struct ZonePoolTests {
  private static func pair(_ first: Int?, _ second: Int? = nil, weights: (Float, Float) = (1, 0)) -> ZoneLaw.Pair {
    let gains = ZoneLaw.gains(weights.0, weights.1)
    return ZoneLaw.Pair(
      first: first.map { ZoneIndex($0) },
      second: second.map { ZoneIndex($0) },
      firstGain: gains.0,
      secondGain: gains.1
    )
  }

  private static func run(_ pool: inout ZonePool, _ pair: ZoneLaw.Pair, from frame: inout Int, ticks: Int, ringing: Int)
  {
    for _ in 0..<ticks {
      pool.step(to: pair, at: frame) { _ in ringing }
      for action in pool.actions {
        if case .open(let unit, _) = action { pool.opened(unit, succeeded: true) }
      }
      frame += 512
    }
  }

  private static func zones(of pool: ZonePool) -> [ZoneIndex?] {
    (0..<3).filter { pool.units[$0].state != .empty }.map { pool.units[$0].zone }
  }

  @Test func `A zone that is left rings out for its time, and its unit is released then`() {
    var (pool, frame) = (ZonePool(), 0)
    Self.run(&pool, Self.pair(0), from: &frame, ticks: 40, ringing: 48_000)
    #expect(pool.units[0].gain == 1)
    Self.run(&pool, Self.pair(nil), from: &frame, ticks: 34, ringing: 48_000)
    #expect(pool.isRinging && pool.units[0].gain == 0)
    let left = frame
    while pool.isInUse, frame < 10 * 48_000 { Self.run(&pool, Self.pair(nil), from: &frame, ticks: 1, ringing: 48_000) }
    // The last 16 ticks fade out.
    #expect(abs(frame - left - 48_000 - 16 * 512) < 3 * 512)
  }

  @Test func `A zone that is entered again while it rings keeps its unit`() {
    var (pool, frame) = (ZonePool(), 0)
    Self.run(&pool, Self.pair(0), from: &frame, ticks: 40, ringing: 48_000)
    Self.run(&pool, Self.pair(nil), from: &frame, ticks: 40, ringing: 48_000)
    Self.run(&pool, Self.pair(0), from: &frame, ticks: 40, ringing: 48_000)
    #expect(Self.zones(of: pool) == [0] && pool.units[0].gain == 1)
  }

  @Test func `A fourth zone has a unit within half a second, by the end of the one that rings`() {
    var (pool, frame) = (ZonePool(), 0)
    Self.run(&pool, Self.pair(0, 1, weights: (1, 1)), from: &frame, ticks: 40, ringing: 400_000)
    Self.run(&pool, Self.pair(1, 2, weights: (1, 1)), from: &frame, ticks: 70, ringing: 400_000)
    #expect(Set(Self.zones(of: pool)) == [0, 1, 2])
    Self.run(&pool, Self.pair(2, 3, weights: (1, 1)), from: &frame, ticks: 47, ringing: 400_000)
    #expect(pool.fedZones[0] == 3 || pool.fedZones[1] == 3 || pool.fedZones[2] == 3)
    #expect(pool.isRinging)
  }

  @Test func `Two are fed at most, no feed jumps, and no unit is released while it is fed, on any walk`() {
    var random = RandomSequence(seed: 11)
    for _ in 0..<300 {
      var (pool, frame) = (ZonePool(), 0)
      var wanted = Self.pair(nil)
      for tick in 0..<300 {
        if tick.isMultiple(of: Int.random(in: 1...40, using: &random)) {
          let first = Int.random(in: -1...5, using: &random)
          let second = first < 0 ? -1 : Int.random(in: -1...5, using: &random)
          let weights = (Float.random(in: 0.01...1, using: &random), second < 0 || second == first ? 0 : Float(0.5))
          wanted = Self.pair(
            first < 0 ? nil : first,
            second < 0 || second == first ? nil : second,
            weights: first < 0 ? (0, 0) : weights
          )
        }
        let before = pool
        Self.run(&pool, wanted, from: &frame, ticks: 1, ringing: 20_000)
        #expect((0..<3).count { pool.units[$0].isFed } <= 2)
        for index in 0..<3 {
          #expect(abs(pool.units[index].angle - before.units[index].angle) <= .pi / 2 / 32 + 1e-6)
          if pool.actions.contains(.release(unit: index)) { #expect(before.units[index].angle == 0) }
        }
        let names = (0..<3).filter { pool.units[$0].isFed }.map { pool.units[$0].zone }
        #expect(Set(names).count == names.count)
      }
      // All is silent at the end.
      Self.run(&pool, Self.pair(nil), from: &frame, ticks: 120, ringing: 20_000)
      #expect(!pool.isInUse)
    }
  }

  @Test func `A zone that is removed while its unit is made leaves the unit free`() {
    var pool = ZonePool()
    pool.step(to: Self.pair(0), at: 0) { _ in 0 }
    #expect(pool.units[0].state == .opening)
    pool.renumber { _ in nil }
    pool.opened(0, succeeded: true)
    #expect(pool.units[0] == ZonePool.Unit() && !pool.isInUse)
  }

  @Test func `With a unit that was refused, another zone hushes the one that rings, and the end of it frees both`() {
    var (pool, frame) = (ZonePool(), 0)
    pool.step(to: Self.pair(0, 1, weights: (1, 1)), at: 0) { _ in 0 }
    pool.opened(0, succeeded: false)
    pool.opened(1, succeeded: true)
    Self.run(&pool, Self.pair(1, 2, weights: (1, 1)), from: &frame, ticks: 60, ringing: 400_000)
    #expect(pool.units[0].state == .refused && pool.units[2].zone == 2)
    Self.run(&pool, Self.pair(2, 3, weights: (1, 1)), from: &frame, ticks: 80, ringing: 400_000)
    #expect(pool.units[0].zone == 3 && pool.units[0].state == .fed && pool.units[1].state == .empty)
  }

  @Test func `A unit whose sound may still be loud fades out before its release`() {
    var (pool, frame) = (ZonePool(), 0)
    Self.run(&pool, Self.pair(0), from: &frame, ticks: 40, ringing: 8 * 48_000)
    var gains: [Float] = []
    var isReleased = false
    while !isReleased, frame < 20 * 48_000 {
      Self.run(&pool, Self.pair(nil), from: &frame, ticks: 1, ringing: 8 * 48_000)
      for action in pool.actions {
        if case .setGain(_, let gain) = action { gains.append(gain) }
      }
      isReleased = pool.actions.contains(.release(unit: 0))
    }
    #expect(isReleased && gains.count == 16 && gains.last == 0)
    #expect(zip([1] + gains, gains).allSatisfy { $0 - $1 < 0.07 && $0 > $1 })
  }

  @Test func `A unit that cannot be made leaves the others in use, and is tried again with other zones`() {
    var pool = ZonePool()
    pool.step(to: Self.pair(0, 1, weights: (1, 1)), at: 0) { _ in 0 }
    pool.opened(0, succeeded: false)
    pool.opened(1, succeeded: true)
    for tick in 1...40 { pool.step(to: Self.pair(0, 1, weights: (1, 1)), at: 512 * tick) { _ in 0 } }
    #expect(pool.actions.isEmpty && pool.units[1].gain > 0.7)
    pool.renumber { $0 }
    pool.step(to: Self.pair(0, 1, weights: (1, 1)), at: 0) { _ in 0 }
    #expect(pool.actions == [.open(unit: 0, zone: 0)])
  }

  @Test func `A step reuses its memory`() {
    var pool = ZonePool()
    #expect(pool.actions.capacity >= 6)
    let capacity = pool.actions.capacity
    for tick in 0..<50 {
      pool.step(to: Self.pair(0, 1, weights: (1, 1)), at: 512 * tick) { _ in 0 }
      for unit in 0..<2 { pool.opened(unit, succeeded: true) }
      #expect(pool.actions.capacity == capacity)
    }
  }
}
