import TestSupport
import Testing

@testable import GameAudio

/// The level on the way from one level to another.
@Suite struct FadeTests {
  private static let second = Duration.seconds(1)

  @Test(arguments: Fade.Curve.allCases)
  func `A fade stays between its levels and never turns back`(curve: Fade.Curve) {
    var random = SplitMix64(seed: 11)
    let odd: [Decibels] = [.silence, -60, -61, -200, 0, 24, 200, Decibels(.infinity)]
    for _ in 0..<500 {
      func level() -> Decibels {
        Bool.random(using: &random)
          ? odd.randomElement(using: &random) ?? 0 : Decibels(.random(in: -96...12, using: &random))
      }
      let (first, last) = (level(), level())
      let fade = Fade(.milliseconds(Int.random(in: 1...5_000, using: &random)), curve)
      var before = fade.level(from: first, to: last, after: .milliseconds(-1))
      #expect(before == min(first, 200))
      for step in 0...100 {
        let now = fade.level(from: first, to: last, after: fade.duration * step / 100)
        #expect(!now.rawValue.isNaN)
        // Arithmetic with gains rounds.
        if first < last {
          #expect(now.rawValue >= before.rawValue - 1e-3)
        } else {
          #expect(now.rawValue <= before.rawValue + 1e-3)
        }
        before = now
      }
      #expect(before == min(last, 200))
    }
  }

  @Test func `Half of the way is where the curve says`() {
    func half(_ curve: Fade.Curve, _ first: Decibels, _ last: Decibels) -> Float {
      Fade(Self.second, curve).level(from: first, to: last, after: .milliseconds(500)).rawValue
    }
    #expect(half(.decibels, 0, -40) == -20)
    #expect(half(.decibels, 0, .silence) == -30)
    #expect(half(.decibels, .silence, -20) == -40)
    #expect(half(.easeInOut, -10, -30) == -20)
    #expect(abs(half(.linear, 0, .silence) + 6.0206) < 1e-3)
    #expect(abs(half(.equalPower, 0, .silence) + 3.0103) < 1e-3)
  }

  @Test func `Two sounds that cross at equal power keep their power`() {
    let fade = Fade(Self.second, .equalPower)
    for step in 0...1_000 {
      let time = Self.second * step / 1_000
      let (up, down) = (fade.level(from: .silence, to: 0, after: time), fade.level(from: 0, to: .silence, after: time))
      #expect(abs(up.gain * up.gain + down.gain * down.gain - 1) < 1e-5)
    }
  }

  @Test func `A slow end is slower than its middle`() {
    let fade = Fade(Self.second, .easeInOut)
    func rise(_ begin: Int, _ end: Int) -> Float {
      let levels = [begin, end].map { fade.level(from: -40, to: 0, after: .milliseconds($0)) }
      return (levels[1] - levels[0]).rawValue
    }
    #expect(rise(0, 100) < rise(450, 550) / 4)
    #expect(rise(900, 1_000) < rise(450, 550) / 4)
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .nanoseconds(1)])
  func `A fade without a duration is at its end`(duration: Duration) {
    for curve in Fade.Curve.allCases {
      let fade = Fade(duration, curve)
      #expect(fade.level(from: 0, to: -20, after: .nanoseconds(1)) == -20)
      #expect(fade.level(from: 0, to: Decibels(.nan), after: .seconds(1)) == .silence)
    }
    #expect(Fade.none.level(from: 0, to: -20, after: .zero) == -20)
  }
}
