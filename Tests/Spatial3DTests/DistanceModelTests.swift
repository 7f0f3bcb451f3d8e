import Foundation
import Spatial3D
import Spatial3DTesting
import Testing

@Suite struct DistanceModelTests {
  /// The gain at a distance by the formulas of the OpenAL 1.1 specification.
  private func gain(_ model: DistanceModel, _ attenuation: DistanceAttenuation, at distance: Double) -> Double {
    let reference = Double(attenuation.referenceDistance)
    let maximum = Double(attenuation.maximumDistance)
    let rolloff = Double(attenuation.rolloffFactor)
    let clamped = min(max(distance, reference), maximum)
    let raw: Double =
      switch model {
      case .none: 1
      case .inverse: reference / (reference + rolloff * (distance - reference))
      case .inverseClamped: reference / (reference + rolloff * (clamped - reference))
      case .linear: 1 - rolloff * (distance - reference) / (maximum - reference)
      case .linearClamped: 1 - rolloff * (clamped - reference) / (maximum - reference)
      case .exponent: pow(distance / reference, -rolloff)
      case .exponentClamped: pow(clamped / reference, -rolloff)
      }
    // The gain limits are 0 to 1. An inverse law whose divisor is not positive has no attenuation.
    return raw.isFinite && raw >= 0 ? min(raw, 1) : (model == .inverse ? 1 : 0)
  }

  private func levels(
    _ attenuation: DistanceAttenuation,
    at distances: [Float],
    _ prepare: (AudioContext) -> Void = { _ in }
  ) throws -> [Decibels] {
    var offline = try OfflineRenderer(format: Scenes.mono)
    prepare(offline.context)
    let sine = TestSignal.sine(frequency: 1_000, duration: .milliseconds(100), format: Scenes.mono, amplitude: 1)
    let source = try SoundSource(playing: SoundBuffer(sine, in: offline.context), in: offline.context)
    source.isLooping = true
    source.attenuation = attenuation
    source.play()
    return distances.map { distance in
      source.position = [0, 0, -distance]
      // A change of gain glides through the first mix.
      _ = offline.render(frameCount: 2_048)
      return offline.render(frameCount: 4_800).level
    }
  }

  private static let distances: [Float] = (0...80).map { pow(10, Float($0) / 20 - 1) }

  @Test(
    arguments: DistanceModel.allCases,
    [
      DistanceAttenuation(), DistanceAttenuation(referenceDistance: 2, maximumDistance: 60),
      DistanceAttenuation(referenceDistance: 0.5, maximumDistance: 500, rolloffFactor: 2),
      DistanceAttenuation(referenceDistance: 5, maximumDistance: 100, rolloffFactor: 0.3),
    ]
  )
  func `Each model follows its formula from 10 centimetres to a kilometre`(
    model: DistanceModel,
    attenuation: DistanceAttenuation
  ) throws {
    var attenuation = attenuation
    attenuation.model = model
    let full = try levels(DistanceAttenuation(model: DistanceModel.none), at: [1])[0]
    for (distance, level) in zip(Self.distances, try levels(attenuation, at: Self.distances)) {
      let expected = Decibels(factor: Float(gain(model, attenuation, at: Double(distance))))
      let computed = min(attenuation.gain(at: distance), .unity).decibels
      #expect(
        expected < -80 ? computed < -80 : abs((computed - expected).rawValue) < 0.01,
        "\(distance) m: \(computed)"
      )
      if expected < -80 {
        #expect(level - full < -75, "\(distance) m")
      } else {
        #expect(abs((level - full - expected).rawValue) < 0.05, "\(distance) m: \(level - full), not \(expected)")
      }
    }
  }

  @Test(arguments: DistanceModel.allCases, [Float.nan, -.infinity, -1, 0, 1e-30, 1e30, .infinity])
  func `The gain is finite for every value`(model: DistanceModel, value: Float) {
    for other in [Float.nan, 0, 1e-30, 1, 1e30, .infinity] {
      for distance in [Float.nan, -1, 0, 1, 1e30, .infinity] {
        let attenuation = DistanceAttenuation(
          referenceDistance: value,
          maximumDistance: other,
          rolloffFactor: value,
          model: model
        )
        #expect(attenuation.gain(at: distance).isUsable, "\(attenuation) at \(distance)")
        #expect(attenuation.gain(at: distance) >= 0)
      }
    }
    #expect(DistanceAttenuation().gain(at: 4, model: .none) == 1)
    #expect(DistanceAttenuation().gain(at: 4) == 0.25)
  }

  @Test func `The context's model applies to all present and future sources without their own`() throws {
    let far: [Float] = [8]
    let inverse = try levels(DistanceAttenuation(), at: far)[0]
    let none = try levels(DistanceAttenuation(model: DistanceModel.none), at: far)[0]
    #expect(abs((none - inverse).rawValue - 18.06) < 0.05)

    let future = try levels(DistanceAttenuation(), at: far) { $0.distanceModel = .none }[0]
    #expect(future == none)
    let own = try levels(DistanceAttenuation(model: .inverseClamped), at: far) { $0.distanceModel = .none }[0]
    #expect(own == inverse)

    var offline = try OfflineRenderer(format: Scenes.mono)
    let sources = try [Scenes.noise(in: offline.context), Scenes.noise(in: offline.context, at: [0, 0, -8])]
    sources[0].stop()
    _ = offline.render(frameCount: 4_096)
    let before = offline.render(frameCount: 4_096).level
    offline.context.distanceModel = .none
    #expect(offline.context.distanceModel == .none)
    _ = offline.render(frameCount: 4_096)
    let after = offline.render(frameCount: 4_096).level
    #expect(abs((after - before).rawValue - 18.06) < 0.5)
  }

  @Test func `Gain, distance and cone together are kept in the limits`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try Scenes.noise(in: offline.context, at: [0, 0, -1])
    func level() -> Decibels {
      _ = offline.render(frameCount: 2_048)
      return offline.render(frameCount: 24_000).level
    }
    let full = level()
    source.gainLimits = 0.5...1
    source.position = [0, 0, -100]
    #expect(abs((level() - full - Decibels(factor: 0.5)).rawValue) < 0.1)
    source.gainLimits = 0...4
    source.gain = 8
    source.position = [0, 0, -1]
    #expect(abs((level() - full - Decibels(factor: 4)).rawValue) < 0.1)
  }
}
