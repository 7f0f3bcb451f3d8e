import Testing

@testable import GameAudio

/// The questions to the pool of units, and its changes as a whole, in any states of its three units.
@Suite struct ZonePoolStateTests {
  private static func pair(_ first: Int?, _ second: Int? = nil, weights: (Float, Float) = (1, 0)) -> ZoneLaw.Pair {
    let gains = ZoneLaw.gains(weights.0, weights.1)
    return ZoneLaw.Pair(
      first: first.map { ZoneIndex($0) },
      second: second.map { ZoneIndex($0) },
      firstGain: gains.0,
      secondGain: gains.1
    )
  }

  /// Pools whose units have states of all kinds.
  private static func pools(_ count: Int, seed: UInt64) -> [ZonePool] {
    var random = RandomSequence(seed: seed)
    return (0..<count).map { _ in
      var (pool, frame) = (ZonePool(), 0)
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let first = Int.random(in: -1...5, using: &random)
        let second = first < 0 ? -1 : (first + Int.random(in: 1...3, using: &random)) % 6
        let wanted = pair(first < 0 ? nil : first, second < 0 ? nil : second, weights: first < 0 ? (0, 0) : (1, 1))
        for _ in 0..<Int.random(in: 1...60, using: &random) {
          pool.step(to: wanted, at: frame) { 10_000 * ($0.position + 1) }
          for action in pool.actions {
            if case .open(let unit, _) = action, Int.random(in: 0..<3, using: &random) > 0 {
              pool.opened(unit, succeeded: Int.random(in: 0..<4, using: &random) > 0)
            }
          }
          frame += 512
        }
      }
      return pool
    }
  }

  private static func units(_ pool: ZonePool) -> [ZonePool.Unit] { (0..<3).map { pool.units[$0] } }

  private static func isRinging(_ state: ZonePool.State) -> Bool {
    switch state {
    case .ringing, .hushing: true
    default: false
    }
  }

  @Test func `A pool is in use, opens or rings if any of its units does`() {
    var seen: Set<String> = []
    for pool in Self.pools(600, seed: 41) {
      let states = Self.units(pool).map(\.state)
      #expect(pool.isInUse == states.contains { $0 != .empty && $0 != .refused })
      #expect(pool.isOpening == states.contains(.opening))
      #expect(pool.isRinging == states.contains(where: Self.isRinging))
      for unit in 0..<3 {
        let isFed = states[unit] == .fed || states[unit] == .opening
        #expect(pool.fedZones[unit] == (isFed ? pool.units[unit].zone : nil))
        if states[unit] != .empty { seen.insert("\(unit) \("\(states[unit])".prefix(4))") }
      }
    }
    // Each state of each unit has occurred, but that a hushing unit is always one of those that rang first.
    #expect(seen.count >= 14, "\(seen.sorted())")
  }

  @Test func `Another rate and another mix move the ends of all units that ring`() {
    for pool in Self.pools(300, seed: 42) {
      var converted = pool
      converted.convertFrames(FrameConversion(oldPresent: 0, present: 7, ratio: 2))
      let moved = pool.moved(by: 1_000) { $0 != 1 }
      #expect(moved.actions.isEmpty)
      for (index, unit) in Self.units(pool).enumerated() {
        var (twice, elsewhere) = (unit, unit)
        twice.ringing = 2 * unit.ringing
        switch unit.state {
        case .ringing(let end):
          twice.state = .ringing(until: 2 * end + 7)
          elsewhere.state = .ringing(until: end + 1_000)
        case .opening: elsewhere = ZonePool.Unit()
        case .fed: elsewhere.state = index == 1 ? .refused : .fed
        case .empty, .hushing, .refused: break
        }
        #expect(converted.units[index] == twice && moved.units[index] == elsewhere)
      }
    }
  }

  @Test func `Other indices of the zones reach all units, and those without a zone ring out`() {
    for pool in Self.pools(300, seed: 43) {
      var renumbered = pool
      renumbered.renumber { $0.position % 2 == 0 ? ZoneIndex($0.position + 10) : nil }
      for (index, unit) in Self.units(pool).enumerated() {
        var expected = unit
        expected.zone = unit.zone.flatMap { $0.position % 2 == 0 ? ZoneIndex($0.position + 10) : nil }
        if unit.state == .refused || unit.state == .opening && expected.zone == nil { expected = ZonePool.Unit() }
        #expect(renumbered.units[index] == expected)
      }
    }
  }

  @Test func `The end of a unit frees all that were refused`() {
    var releases = 0
    for pool in Self.pools(600, seed: 44) {
      var (next, frame) = (pool, 1 << 30)
      while next.isRinging, frame < 1 << 30 + 40 * 512 {
        next.step(to: Self.pair(nil), at: frame) { _ in 0 }
        frame += 512
        let released = (0..<3).filter { next.actions.contains(.release(unit: $0)) }
        guard !released.isEmpty else { continue }
        releases += 1
        // All units move in one step: a unit that is released last frees the others.
        #expect(!Self.units(next).contains { $0.state == .refused })
        for unit in released { #expect(next.units[unit] == ZonePool.Unit()) }
      }
    }
    #expect(releases > 300)
  }

  @Test func `The parts of the listeners move to those of the pair, each as if it were the first`() {
    var random = RandomSequence(seed: 45)
    for _ in 0..<60 {
      let order = [0, 1, 2, 3].shuffled(using: &random)
      var (pool, other) = (ZonePool(), ZonePool())
      for _ in 0..<4 {
        var (pair, moved) = (Self.pair(0, 1, weights: (1, 1)), Self.pair(0, 1, weights: (1, 1)))
        for listener in 0..<4 {
          pair.firstShares[listener] = Bool.random(using: &random) ? 0 : .random(in: 0...1, using: &random)
          pair.secondShares[listener] = Bool.random(using: &random) ? 1 : .random(in: 0...1, using: &random)
        }
        for listener in 0..<4 {
          moved.firstShares[order[listener]] = pair.firstShares[listener]
          moved.secondShares[order[listener]] = pair.secondShares[listener]
        }
        for tick in 0..<700 {
          let before = pool
          pool.step(to: pair, at: tick) { _ in 0 }
          other.step(to: moved, at: tick) { _ in 0 }
          for unit in 0..<2 {
            pool.opened(unit, succeeded: true)
            other.opened(unit, succeeded: true)
            for listener in 0..<4 {
              #expect(pool.units[unit].shares[listener] == other.units[unit].shares[order[listener]])
              #expect(pool.units[unit].shareLevels[listener] == other.units[unit].shareLevels[order[listener]])
              // A feed that begins has its parts at once.
              guard before.units[unit].angle > 0 else { continue }
              let change = abs(pool.units[unit].shares[listener] - before.units[unit].shares[listener])
              #expect(change <= 1.0 / 32 + 1e-6)
            }
          }
        }
        #expect(pool.units[0].shares == pair.firstShares && pool.units[1].shares == pair.secondShares)
      }
    }
  }

  @Test func `A part moves by a 32nd in a tick, and more slowly by the root of its level`() {
    var pool = ZonePool()
    var pair = Self.pair(0)
    for tick in 0..<40 {
      pool.step(to: pair, at: tick) { _ in 0 }
      pool.opened(0, succeeded: true)
    }
    pair.firstShares = [0, 0.25, 1, 0.5]
    pool.step(to: pair, at: 40) { _ in 0 }
    let step: Float = 1 / 32
    #expect(pool.units[0].shares == SIMD4(1 - step, 1 - step, 1, 1 - step))
    pool.step(to: pair, at: 40, ticks: 2) { _ in 0 }
    #expect(abs(pool.units[0].shares[0] - (1 - 3 * step)) < 1e-6)
    pool.step(to: pair, at: 40, .jumps) { _ in 0 }
    #expect(pool.units[0].shares == pair.firstShares)
    // A part that begins has the step of the level that it moves to, and of 0.01 at least.
    pair.firstShares = [0.0625, 0.25, 1, 0.5]
    pool.step(to: pair, at: 41) { _ in 0 }
    #expect(abs(pool.units[0].shares[0] - 0.25 * step) < 1e-6)
    pair.firstShares[0] = 0
    pool.step(to: pair, at: 42, .jumps) { _ in 0 }
    pair.firstShares[0] = 0.0001
    pool.step(to: pair, at: 43, ticks: 0.01) { _ in 0 }
    #expect(abs(pool.units[0].shares[0] - 0.001 * step) < 1e-7)
  }

  @Test func `The first zone keeps the unit that is being made for it`() {
    for zone in 0...2 {
      var pool = ZonePool()
      pool.step(to: Self.pair(zone), at: 0) { _ in 9 }
      #expect(pool.units[0] == ZonePool.Unit(state: .opening, zone: ZoneIndex(zone), ringing: 9))
      pool.renumber { $0 }
      #expect(pool.units[0] == ZonePool.Unit(state: .opening, zone: ZoneIndex(zone), ringing: 9))
      pool.opened(1, succeeded: true)
      #expect(pool.units[1] == ZonePool.Unit() && pool.fedZones[0] == ZoneIndex(zone))
      pool.opened(0, succeeded: true)
      pool.opened(0, succeeded: false)
      #expect(pool.units[0].state == .fed)
      pool.renumber { _ in 0 }
      #expect(pool.units[0].zone == 0 && pool.units[0].state == .fed)
    }
  }
}
