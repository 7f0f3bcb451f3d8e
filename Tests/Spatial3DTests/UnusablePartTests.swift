import Testing

@testable import Spatial3D

@Suite struct UnusablePartTests {
  private func part(_ value: Any) -> String {
    let part = UnusablePart(of: value, named: "it")
    return "\(part.name) = \(part.value)"
  }

  private func changed<Value>(_ value: Value, _ change: (inout Value) -> Void) -> Value {
    var value = value
    change(&value)
    return value
  }

  @Test func `A number is named by the properties that lead to it`() {
    #expect(part(Float.nan) == "it = nan")
    #expect(part(SIMD3<Float>(1, .infinity, 0)) == "it = [1.0, inf, 0.0]")
    let reverb = Reverb(.cathedral)
    #expect(part(changed(reverb) { $0.room.density = .nan }) == "it.room.density = nan")
    #expect(part(changed(reverb) { $0.room.latePan.y = .nan }).hasPrefix("it.room.latePan = ["))
    #expect(part(changed(reverb) { $0.level = .silence }) == "it.level = -inf dB")
    let equalizer = ParametricEqualizer(frequency: 1, bandwidth: .infinity)
    #expect(part(changed(reverb) { $0.equalizer = equalizer }) == "it.equalizer.bandwidth = inf")
    #expect(part(Effect.echo(.init(feedback: .nan))) == "it.echo.feedback = nan")
    #expect(part(Effect.equalizer(.init(high: .init(cutoff: .nan)))) == "it.equalizer.high.cutoff = nan")
    #expect(part(Cone(outerGain: -3)) == "it.outerGain = -3.0 (a level is written as .decibels(-3.0))")
  }

  @Test func `A maximum distance that is rightly infinite is not named`() {
    #expect(part(DistanceAttenuation(maximumDistance: .infinity, rolloffFactor: .nan)) == "it.rolloffFactor = nan")
    #expect(part(DistanceAttenuation(maximumDistance: -.infinity)) == "it.maximumDistance = -inf")
  }

  @Test func `A value without such a number is named as a whole`() {
    #expect(part([1, 2] as [Float]) == "it = [1.0, 2.0]")
  }
}
