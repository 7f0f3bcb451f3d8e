import Foundation
import Spatial3D
import Spatial3DTesting
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
  }

  @Test func `The loss behind two shelves is that of each where the other is flat, and exceeds their sum`() {
    func loss(_ low: Float, _ high: Float) -> Float {
      -Decibels(factor: Audibility.loudness(ofLow: low, high: high)).rawValue
    }
    for low in stride(from: -70 as Float, through: 0, by: 3.5) {
      for high in stride(from: -70 as Float, through: 0, by: 3.5) {
        #expect(loss(low, high) >= loss(low, 0) + loss(0, high) - 1e-3, "\(low), \(high)")
        #expect(loss(low, high) <= loss(low - 1, high) + 1e-3 && loss(low, high) <= loss(low, high - 1) + 1e-3)
      }
    }
    for (low, high, expected) in [(-10, -20, 7.1), (-20, -20, 9.5), (-15, -20, 8.3), (-20, -30, 14.05), (-99, -99, 70)]
      as [(Float, Float, Float)]
    {
      #expect(abs(loss(low, high) - expected) < 1e-3, "\(low), \(high)")
    }
  }

  /// A second of sines in octaves of equal power, from 20 Hz to 20 kHz, which ends as it begins.
  private static func pinkNoise() throws -> PCMBuffer<Float> {
    var random = RandomSequence(seed: 17)
    var samples = [Float](repeating: 0, count: 48_000)
    for index in 0..<120 {
      let frequency = (20 * pow(1_000, (Double(index) + 0.5) / 120)).rounded()
      let phase = Double.random(in: 0..<1, using: &random)
      for frame in samples.indices {
        samples[frame] += 0.03 * Float(sin(2 * .pi * (frequency * Double(frame) / 48_000 + phase)))
      }
    }
    return try PCMBuffer(samples: samples, format: .mono(sampleRate: 48_000))
  }

  @Test func `The loss behind two shelves is the loss of rendered pink noise`() throws {
    let noise = Sound(try Self.pinkNoise())
    func level(_ low: Float, _ high: Float) throws -> Float {
      var offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
      let world = AudioWorld(in: offline.context, voiceLimit: 1)
      world.mixer.main.filter = ToneFilter(low: Decibels(low), high: Decibels(high))
      let emitter = Emitter(playing: noise, in: world)
      emitter.repeats = .forever
      emitter.play()
      offline.render(.milliseconds(500))
      return offline.render(.seconds(1)).level.rawValue
    }
    let whole = try level(0, 0)
    for (low, high, tolerance) in [
      (-10, -10, 0.25), (-10, -20, 0.25), (-20, -10, 0.25), (-20, -20, 0.25), (-20, -40, 0.25), (-40, -20, 0.25),
      (-40, -40, 0.25), (-5, -5, 1.6), (-15, -5, 1.6), (-30, -10, 1.6), (-12, -30, 1.6), (-30, -30, 1.6),
    ] as [(Float, Float, Float)] {
      let rendered = try level(low, high) - whole
      let estimate = Decibels(factor: Audibility.loudness(ofLow: low, high: high)).rawValue
      #expect(abs(rendered - estimate) < tolerance, "\(low), \(high): \(rendered), \(estimate)")
    }
  }

  @Test func `A priority is a level, and the highest one is above all scores`() {
    #expect(Priority(-5).rawValue == 0 && Priority(500).rawValue == 100 && Priority(50).factor == 1)
    #expect(abs(Priority(99).factor / Priority(98).factor - Decibels(0.6).factor) < 1e-4)
    #expect(Priority(100).factor > 1e11)
  }
}
