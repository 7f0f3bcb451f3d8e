import Spatial3D
import Testing

@testable import GameAudio

/// The arithmetic of loudness, without a world.
@Suite struct AudibilityLawTests {
  @Test func `Each factor counts once, and the cone and the obstruction leave the sends`() {
    let common: [WritableKeyPath<Audibility, Float>] = [
      \.gain, \.variation, \.fade, \.copyGain, \.bus, \.listener, \.attenuation, \.reach, \.occlusion, \.filter,
      \.envelope,
    ]
    var random = RandomSequence(seed: 71)
    #expect(Audibility().audible == 1)
    for _ in 0..<200 {
      var factors = Audibility()
      var product: Float = 1
      for path in common {
        factors[keyPath: path] = .random(in: 0.5...1.5, using: &random)
        product *= factors[keyPath: path]
      }
      factors.cone = .random(in: 0...1, using: &random)
      factors.obstruction = .random(in: 0...1, using: &random)
      factors.sends = .random(in: 0...2, using: &random)
      let direct = factors.cone * factors.obstruction
      #expect(abs(factors.audible - product * (direct * direct + factors.sends).squareRoot()) < 1e-4)
    }
    var loud = Audibility()
    loud.attenuation = 1e9
    #expect(loud.audible == 1e6)
  }

  @Test func `A sound falls silent over the last tenth of its reach`() {
    for (distance, gain) in [(0, 1), (90, 1), (91, 0.9), (95, 0.5), (99, 0.1), (100, 0), (150, 0)] as [(Float, Float)] {
      #expect(abs(Audibility.reach(at: distance, of: 100) - gain) < 1e-4, "\(distance)")
      #expect(Audibility.reach(at: distance, of: .infinity) == 1)
    }
  }

  @Test func `The angle of a direction is in degrees, also beside rounding`() {
    for (cosine, angle) in [(1, 0), (0, 90), (-1, 180), (0.5, 60), (1.0001, 0), (-1.0001, 180)] as [(Float, Float)] {
      #expect(abs(Audibility.degrees(ofCosine: cosine) - angle) < 1e-3)
    }
  }

  @Test func `The loss behind a filter is straight between its points in decibels, and ends at 60 dB`() {
    let laws: [(String, (Float) -> Float, [Float])] = [
      ("occlusion", { Audibility.loudness(ofOcclusion: Decibels($0)) }, [0, 3.8, 6.7, 12.5, 18.6]),
      ("obstruction", { Audibility.loudness(ofObstruction: Decibels($0)) }, [0, 1.4, 1.9, 3.2, 5.1]),
      ("low", { Audibility.loudness(ofLow: $0, high: 0) }, [0, 2.5, 3.3, 5.2, 8.2]),
      ("high", { Audibility.loudness(ofLow: 0, high: $0) }, [0, 1.4, 1.9, 3.2, 5.1]),
    ]
    let points: [Float] = [0, 10, 20, 40, 60]
    for (name, law, losses) in laws {
      #expect(law(5) == 1 && law(0) == 1, "\(name)")
      for index in 0..<4 {
        for part in [0, 0.25, 0.5, 0.9, 1] as [Float] {
          let level = points[index] + part * (points[index + 1] - points[index])
          let loss = losses[index] + part * (losses[index + 1] - losses[index])
          #expect(abs(Decibels(factor: law(-level)).rawValue + loss) < 1e-3, "\(name) at \(level) dB")
        }
      }
      #expect(law(-61) == law(-60) && law(-.infinity) == law(-60), "\(name)")
    }
    let both = Audibility.loudness(ofLow: -10, high: -20)
    #expect(abs(Decibels(factor: both).rawValue + 2.5 + 1.9) < 1e-3)
  }

  @Test func `A priority is a level, and the highest one is above all scores`() {
    #expect(Priority(-5).rawValue == 0 && Priority(500).rawValue == 100 && Priority(50).factor == 1)
    #expect(abs(Priority(99).factor / Priority(98).factor - Decibels(0.6).factor) < 1e-4)
    #expect(Priority(100).factor > 1e11)
  }
}
