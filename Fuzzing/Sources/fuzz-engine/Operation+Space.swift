import FuzzSupport
import Spatial3D

/// Properties of a source with several components.
extension Operation {
  static let space = [
    vector("position", \.position, 20, weight: 6),
    vector("velocity", \.velocity, 100, weight: 3),
    vector("direction", \.direction, 1),
    Operation("position.polar", 2) { caller in
      guard let (place, emitter) = caller.emitter() else { return }
      let polar = PolarPosition(
        azimuth: caller.values.number(-180...180),
        elevation: caller.values.number(-90...90),
        distance: caller.values.number(0...100)
      )
      let listener = emitter.source.context.listener
      let position = listener.position(at: polar)
      caller.call("source \(place) position = \(position) at \(polar)") { emitter.source.position = position }
      caller.call("polar position of \(position)") { _ = listener.polarPosition(of: position) }
    },
    Operation("cone", 2) { caller in
      let cone = Cone(
        innerAngle: caller.values.number(0...360),
        outerAngle: caller.values.number(0...360),
        outerGain: caller.values.gain(0...1),
        outerHighFrequencyGain: caller.values.gain(0...1)
      )
      caller.set("cone", \.cone, to: cone) { now in
        (0...360).contains(now.innerAngle) && (0...360).contains(now.outerAngle) && (0...1).contains(now.outerGain)
          && (0...1).contains(now.outerHighFrequencyGain)
      }
    },
    Operation("attenuation", 3) { caller in
      let attenuation = DistanceAttenuation(
        referenceDistance: caller.values.number(0...100),
        maximumDistance: caller.values.number(0...Float.greatestFiniteMagnitude),
        rolloffFactor: caller.values.number(0...10),
        model: caller.values.element(of: [nil] + DistanceModel.allCases)
      )
      caller.set("attenuation", \.attenuation, to: attenuation) { now in
        [now.referenceDistance, now.maximumDistance, now.rolloffFactor].allSatisfy { $0 >= 0 && $0.isFinite }
      }
    },
    Operation("stereoAngles", 2) { caller in
      let angles = StereoAngles(left: caller.values.number(-180...180), right: caller.values.number(-180...180))
      caller.set("stereoAngles", \.stereoAngles, to: angles) { now in
        (-180...180).contains(now.left) && (-180...180).contains(now.right)
      }
    },
  ]

  /// A vector.
  ///
  /// The engine takes a tame vector as it is, and keeps the old one where a component is not finite.
  private static func vector(
    _ name: String,
    _ property: SourceProperty<SIMD3<Float>>,
    _ usual: Float,
    weight: Int = 2
  ) -> Operation {
    Operation(name, weight) { caller in
      guard let (place, emitter) = caller.emitter() else { return }
      let old = emitter.source[keyPath: property]
      let value = caller.values.vector(usual)
      caller.call("source \(place) \(name) = \(value)") { emitter.source[keyPath: property] = value }
      let now = emitter.source[keyPath: property]
      caller.require(now.isFinite, "\(name) is \(now) after \(value)")
      guard caller.isExact else { return }
      if !value.isFinite { caller.require(now == old, "\(name) is \(now) and not \(old) after \(value)") }
      if value.isTame { caller.require(now == value, "\(name) is \(now) and not \(value)") }
    }
  }
}

extension Caller {
  /// Sets a property of a source, and requires a law of its new value.
  mutating func set<Value>(
    _ name: String,
    _ property: ReferenceWritableKeyPath<SoundSource, Value>,
    to value: Value,
    law: (Value) -> Bool
  ) {
    guard let (place, emitter) = emitter() else { return }
    call("source \(place) \(name) = \(value)") { emitter.source[keyPath: property] = value }
    let now = emitter.source[keyPath: property]
    require(law(now), "\(name) is \(now) after \(value)")
  }
}

extension SIMD3<Float> {
  var isFinite: Bool { x.isFinite && y.isFinite && z.isFinite }
  var isTame: Bool { isFinite && Swift.max(abs(x), abs(y), abs(z)) <= Values.tame }
}
