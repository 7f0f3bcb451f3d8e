import TestSupport
import Testing

@testable import Spatial3D

@Suite struct SceneTests {
  @Test func `A source adopts only the requested properties and returns those that changed`() {
    var generator = SplitMix64(seed: 3)
    for round in 0..<20_000 {
      var own = SourceValues.random(using: &generator)
      let other = SourceValues.random(using: &generator)
      // Small limits request the basic properties alone.
      let limit = UInt32(1) << UInt32.random(in: 1...24, using: &generator)
      let isAll = round % 100 == 0
      let requested = SourceProperties(rawValue: isAll ? .max : UInt32.random(in: 0..<limit, using: &generator))
      let before = own
      let changed = own.adopt(requested, of: other)
      #expect(changed.isSubset(of: requested))
      // The requested properties are the other's, the rest is unchanged, and a second call changes nothing.
      var again = own
      #expect(again.adopt(requested, of: other) == [])
      var back = own
      #expect(back.adopt(changed, of: before) == changed)
      #expect(back == before)
      if isAll { #expect(own == other) }
    }
  }

  @Test func `The set of all properties covers every source value`() {
    var generator = SplitMix64(seed: 4)
    for _ in 0..<100 {
      var own = SourceValues()
      let other = SourceValues.random(using: &generator)
      _ = own.adopt(SourceProperties(rawValue: .max), of: other)
      #expect(own == other)
    }
  }

  @Test func `The random values of these tests vary every property`() {
    var generator = SplitMix64(seed: 5)
    var found: [String: Set<String>] = [:]
    for _ in 0..<100 {
      for field in Mirror(reflecting: SourceValues.random(using: &generator)).children {
        found[field.label ?? "", default: []].insert("\(field.value)")
      }
    }
    #expect(found.filter { $0.value.count != 2 } == [:])
  }

  @Test func `A listener reports only the changed parts and adopts only the requested ones`() {
    var scene = Scene()
    #expect(scene.setListener(Listener()).changed == [])
    #expect(scene.setListener(Listener(position: [1, 0, 0])).changed == .position)
    #expect(scene.adopt([.gain], of: Listener(position: [9, 9, 9], gain: 0.5)) == .gain)
    #expect(scene.listener == Listener(position: [1, 0, 0], gain: 0.5))
    #expect(scene.adopt([.position, .gain], of: Listener(position: [2, 0, 0], gain: 0.5)) == .position)
  }

  @Test func `A scene reports each unusable property once`() {
    var scene = Scene()
    var source = SceneSource(id: 1)
    let isFirst = [SourceProperties.gain, .gain, .pitch].map { source.complain(about: $0) }
    #expect(isFirst == [true, false, true])
    let parts = [[.position, .gain], [.position, .velocity] as ListenerProperties].map { scene.complain(about: $0) }
    #expect(parts == [[.position, .gain], .velocity])
  }

  @Test func `Setting the distance model again changes nothing`() {
    var scene = Scene()
    #expect([DistanceModel.exponent, .exponent, .linear].map { scene.setDistanceModel($0) } == [true, false, true])
    #expect(scene.distanceModel == .linear)
  }
}

extension SourceValues {
  /// Random values, each one of two, so that some of them are equal.
  fileprivate static func random(using generator: inout SplitMix64) -> SourceValues {
    func pick<Value>(_ one: Value, _ other: Value) -> Value { Bool.random(using: &generator) ? one : other }
    var values = SourceValues()
    values.gain = pick(1, 0.5)
    values.gainLimits = pick(0...1, 0...4)
    values.pitch = pick(1, 2)
    values.isLooping = pick(false, true)
    values.position = pick(.zero, [1, 2, 3])
    values.velocity = pick(.zero, [1, 2, 3])
    values.dopplerFactor = pick(1, 0)
    values.direction = pick(.zero, [0, 0, 1])
    values.cone = pick(Cone(), Cone(innerAngle: 90))
    values.attenuation = pick(DistanceAttenuation(), DistanceAttenuation(model: .linear))
    values.radius = pick(0, 1)
    values.airAbsorption = pick(0, 1)
    values.isListenerRelative = pick(false, true)
    values.spatialization = pick(.automatic, .always)
    values.usesDirectChannels = pick(false, true)
    values.stereoAngles = pick(StereoAngles(), StereoAngles(left: -90, right: 90))
    values.resampler = pick(nil, 1)
    values.reverbBlend = pick(0, 1)
    values.occlusion = pick(0, -6)
    values.obstruction = pick(0, -12)
    values.filter = pick(ToneFilter(), ToneFilter(low: -3, high: -20))
    values.roomRolloff = pick(0, 1)
    return values
  }
}
