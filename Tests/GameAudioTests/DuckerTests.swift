import Spatial3D
import TestSupport
import Testing

@testable import GameAudio

/// The level of a ducker over time, without a mix.
@Suite struct DuckerTests {
  private static let tick = 512.0 / 48_000

  @Test func `The attack, the hold and the release last as long as they are set to`() {
    let ducking = Ducking(by: -12, attack: .milliseconds(200), hold: .milliseconds(300), release: .milliseconds(700))
    var ducker = Ducker(1, under: 2, ducking)
    for index in 1...200 {
      let time = Double(index) * Self.tick
      ducker.advance(triggerLevel: time <= 1 ? -20 : .silence, by: Self.tick)
      // One tick is the tolerance: 0.64 dB of the attack, and 0.18 dB of the release.
      let (expected, tolerance): (Double, Double)
      switch time {
      case ...0.2: (expected, tolerance) = (-12 * time / 0.2, 12 * Self.tick / 0.2)
      case ...1.29: (expected, tolerance) = (-12, 0)
      default: (expected, tolerance) = (min(max(-12 + 12 * (time - 1.3) / 0.7, -12), 0), 12 * Self.tick / 0.7)
      }
      #expect(abs(Double(ducker.level) - expected) < tolerance + 1e-4, "at \(time) s")
    }
    #expect(ducker.level == 0)
  }

  @Test func `A condition that holds again in a release goes on from the level in force`() {
    var ducker = Ducker(0, under: 1, Ducking(by: -20, attack: .milliseconds(100), hold: .zero, release: .seconds(1)))
    for _ in 0..<20 { ducker.advance(triggerLevel: 0, by: Self.tick) }
    #expect(ducker.level == -20)
    for _ in 0..<47 { ducker.advance(triggerLevel: .silence, by: Self.tick) }
    let before = ducker.level
    #expect(abs(before + 10) < 0.2)
    ducker.advance(triggerLevel: 0, by: Self.tick)
    // Twenty decibels in 100 ms.
    #expect(abs(ducker.level - (before - 20 * Float(Self.tick) / 0.1)) < 1e-3)
  }

  @Test func `A hold begins again with each condition`() {
    var ducker = Ducker(0, under: 1, Ducking(by: -10, attack: .zero, hold: .milliseconds(300), release: .zero))
    for index in 0..<300 {
      ducker.advance(triggerLevel: index.isMultiple(of: 25) ? 0 : .silence, by: Self.tick)
      #expect(ducker.level == -10)
    }
    for _ in 0..<30 { ducker.advance(triggerLevel: .silence, by: Self.tick) }
    #expect(ducker.level == 0)
  }

  @Test func `A condition by level ends 6 dB below the level that begins it`() {
    var ducker = Ducker(
      0,
      under: 1,
      Ducking(by: -10, when: .level(above: -30), attack: .zero, hold: .zero, release: .zero)
    )
    let steps: [(Decibels, Float)] = [(-31, 0), (-29, -10), (-35, -10), (-37, 0), (-31, 0), (-29, -10)]
    for (level, expected) in steps {
      ducker.advance(triggerLevel: level, by: Self.tick)
      #expect(ducker.level == expected, "at \(level)")
    }
  }

  @Test func `The level stays between its depth and zero for any settings and times`() {
    var random = SplitMix64(seed: 89)
    let odd: [Decibels] = [.silence, -200, -96, -12, 0, 6, Decibels(.nan), Decibels(.infinity)]
    for _ in 0..<2_000 {
      func duration() -> Duration { .milliseconds(Int.random(in: -100...400, using: &random)) }
      let gain = odd.randomElement(using: &random) ?? 0
      var ducker = Ducker(
        0,
        under: 1,
        Ducking(by: gain, attack: duration(), hold: duration(), release: duration())
      )
      for _ in 0..<50 {
        let before = ducker.level
        let isLoud = Bool.random(using: &random)
        ducker.advance(triggerLevel: isLoud ? 0 : .silence, by: .random(in: 0...0.5, using: &random))
        #expect(ducker.level <= 0 && ducker.level >= -96)
        if isLoud { #expect(ducker.level <= before) } else { #expect(ducker.level >= before) }
      }
      ducker.retire()
      ducker.advance(triggerLevel: 0, by: 60)
      #expect(ducker.level == 0)
    }
  }

  @Test func `A sound plays from -60 dB on, and down to -66 dB once it does`() {
    var ducker = Ducker(0, under: 1, Ducking(by: -10, attack: .zero, hold: .zero, release: .zero))
    let steps: [(Decibels, Float)] = [(-60, 0), (-59.9, -10), (-60.1, -10), (-65.9, -10), (-66, 0), (-60, 0)]
    for (level, expected) in steps {
      ducker.advance(triggerLevel: level, by: Self.tick)
      #expect(ducker.level == expected, "at \(level)")
    }
    for (gain, level) in [(-200, -96), (-97, -96), (-96, -96), (-5, -5), (3, 0), (.nan, 0)] as [(Float, Float)] {
      var ducker = Ducker(0, under: 1, Ducking(by: Decibels(gain), attack: .zero, hold: .zero, release: .zero))
      ducker.advance(triggerLevel: 0, by: Self.tick)
      #expect(ducker.level == level, "\(gain)")
    }
  }

  @Test func `A ducker that moves to other buses, or gets other values, keeps its level`() {
    var ducker = Ducker(0, under: 1, Ducking(by: -10, attack: .zero, hold: .zero, release: .seconds(1)))
    ducker.advance(triggerLevel: 0, by: Self.tick)
    let moved = ducker.moved(to: 5, under: 6)
    #expect(moved.target == 5 && moved.trigger == 6 && moved.level == -10 && moved.ducking == ducker.ducking)
    #expect(ducker.target == 0 && ducker.trigger == 1 && !ducker.isRetired)
    ducker.retire()
    #expect(ducker.isRetired && ducker.level == -10)
    ducker.advance(triggerLevel: 0, by: 0.1)
    #expect(abs(ducker.level + 9) < 1e-4)
    ducker.set(Ducking(by: -20, attack: .zero, hold: .seconds(2), release: .seconds(1)))
    #expect(!ducker.isRetired && abs(ducker.level + 9) < 1e-4)
    ducker.advance(triggerLevel: 0, by: 0.1)
    #expect(ducker.level == -20)
    // The hold ends within a step: the rest of the step is of the release.
    ducker.advance(triggerLevel: .silence, by: 1.5)
    #expect(ducker.level == -20)
    ducker.advance(triggerLevel: .silence, by: 0.75)
    #expect(abs(ducker.level + 15) < 1e-4)
  }
}
