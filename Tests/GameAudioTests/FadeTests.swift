import TestSupport
import Testing

@testable import GameAudio

/// The gain during a fade from one gain to another.
@Suite struct FadeTests {
  private static let second = Duration.seconds(1)

  @Test(arguments: Fade.Curve.allCases)
  func `A fade stays between its gains and never turns back`(curve: Fade.Curve) {
    var random = SplitMix64(seed: 11)
    let odd: [Gain] = [0, 1e-3, 8.9e-4, 1e-10, 1, 16, 1e10, -1, Gain(.infinity), Gain(.nan)]
    for _ in 0..<500 {
      func gain() -> Gain {
        Bool.random(using: &random)
          ? odd.randomElement(using: &random) ?? 1 : .decibels(Decibels(.random(in: -96...12, using: &random)))
      }
      func used(_ gain: Gain) -> Gain { gain > 0 ? min(gain, 1e10) : .silence }
      let (first, last) = (gain(), gain())
      let fade = Fade(.milliseconds(Int.random(in: 1...5_000, using: &random)), curve)
      var before = fade.gain(from: first, to: last, after: .milliseconds(-1))
      #expect(before == used(first))
      for step in 0...100 {
        let now = fade.gain(from: first, to: last, after: fade.duration * step / 100)
        #expect(now.isUsable)
        // Arithmetic with levels rounds.
        if used(first) < used(last) {
          #expect(now.rawValue >= before.rawValue * 0.9999)
        } else {
          #expect(now.rawValue * 0.9999 <= before.rawValue)
        }
        before = now
      }
      #expect(before == used(last))
    }
  }

  @Test func `Half of the way is where the curve says`() {
    func half(_ curve: Fade.Curve, _ first: Decibels, _ last: Decibels) -> Float {
      let fade = Fade(Self.second, curve)
      let gain = fade.gain(from: .decibels(first), to: .decibels(last), after: .milliseconds(500))
      #expect(abs((fade.level(from: first, to: last, after: .milliseconds(500)) - gain.decibels).rawValue) < 1e-4)
      return gain.decibels.rawValue
    }
    #expect(abs(half(.decibels, 0, -40) + 20) < 1e-4)
    #expect(abs(half(.decibels, 0, .silence) + 30) < 1e-4)
    #expect(abs(half(.decibels, .silence, -20) + 40) < 1e-4)
    #expect(abs(half(.easeInOut, -10, -30) + 20) < 1e-4)
    #expect(abs(half(.linear, 0, .silence) + 6.0206) < 1e-3)
    #expect(abs(half(.equalPower, 0, .silence) + 3.0103) < 1e-3)
  }

  @Test func `Two sounds that cross at equal power keep their power`() {
    let fade = Fade(Self.second, .equalPower)
    for step in 0...1_000 {
      let time = Self.second * step / 1_000
      let (up, down) = (fade.gain(from: 0, to: 1, after: time), fade.gain(from: 1, to: 0, after: time))
      #expect(abs((up * up).rawValue + (down * down).rawValue - 1) < 1e-5)
    }
  }

  @Test func `A slow end is slower than its middle`() {
    let fade = Fade(Self.second, .easeInOut)
    func rise(_ begin: Int, _ end: Int) -> Float {
      let gains = [begin, end].map { fade.gain(from: .decibels(-40), to: .unity, after: .milliseconds($0)) }
      return (gains[1].decibels - gains[0].decibels).rawValue
    }
    #expect(rise(0, 100) < rise(450, 550) / 4)
    #expect(rise(900, 1_000) < rise(450, 550) / 4)
  }

  @Test(arguments: [Duration.zero, .seconds(-1), .nanoseconds(1)])
  func `A fade without a duration is at its end`(duration: Duration) {
    for curve in Fade.Curve.allCases {
      let fade = Fade(duration, curve)
      #expect(fade.gain(from: 1, to: 0.1, after: .nanoseconds(1)) == 0.1)
      #expect(fade.gain(from: 1, to: Gain(.nan), after: .seconds(1)) == .silence)
      #expect(fade.level(from: 0, to: -20, after: .nanoseconds(1)) == -20)
    }
    #expect(Fade.none.gain(from: 1, to: 0.1, after: .zero) == 0.1)
  }
}
