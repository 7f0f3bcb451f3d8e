import Spatial3D

/// Properties of a source that have several numbers.
extension Operation {
  static let space = [
    vector("position", \.position, 20, weight: 6),
    vector("velocity", \.velocity, 100, weight: 3),
    vector("direction", \.direction, 1),
    Operation("position.polar", 2) { hand in
      guard let (place, emitter) = hand.emitter() else { return }
      let polar = PolarPosition(
        azimuth: hand.values.number(-180...180),
        elevation: hand.values.number(-90...90),
        distance: hand.values.number(0...100)
      )
      let listener = emitter.source.context.listener
      let position = listener.position(at: polar)
      hand.call("source \(place) position = \(position) at \(polar)") { emitter.source.position = position }
      hand.call("polar position of \(position)") { _ = listener.polarPosition(of: position) }
    },
    Operation("cone", 2) { hand in
      let cone = Cone(
        innerAngle: hand.values.number(0...360),
        outerAngle: hand.values.number(0...360),
        outerGain: hand.values.number(0...1),
        outerHighFrequencyGain: hand.values.number(0...1)
      )
      hand.set("cone", \.cone, to: cone) { now in
        (0...360).contains(now.innerAngle) && (0...360).contains(now.outerAngle) && (0...1).contains(now.outerGain)
          && (0...1).contains(now.outerHighFrequencyGain)
      }
    },
    Operation("attenuation", 3) { hand in
      let attenuation = DistanceAttenuation(
        referenceDistance: hand.values.number(0...100),
        maximumDistance: hand.values.number(0...Float.greatestFiniteMagnitude),
        rolloffFactor: hand.values.number(0...10),
        model: hand.values.element(of: [nil] + DistanceModel.allCases)
      )
      hand.set("attenuation", \.attenuation, to: attenuation) { now in
        [now.referenceDistance, now.maximumDistance, now.rolloffFactor].allSatisfy { $0 >= 0 && $0.isFinite }
      }
    },
    Operation("stereoAngles", 2) { hand in
      let angles = StereoAngles(left: hand.values.number(-180...180), right: hand.values.number(-180...180))
      hand.set("stereoAngles", \.stereoAngles, to: angles) { now in
        (-180...180).contains(now.left) && (-180...180).contains(now.right)
      }
    },
  ]

  /// A vector, which is taken as it is where it is tame, and kept where it is set to one that is not finite.
  private static func vector(
    _ name: String,
    _ property: SourceProperty<SIMD3<Float>>,
    _ usual: Float,
    weight: Int = 2
  ) -> Operation {
    Operation(name, weight) { hand in
      guard let (place, emitter) = hand.emitter() else { return }
      let old = emitter.source[keyPath: property]
      let value = hand.values.vector(usual)
      hand.call("source \(place) \(name) = \(value)") { emitter.source[keyPath: property] = value }
      let now = emitter.source[keyPath: property]
      hand.require(now.isFinite, "\(name) is \(now) after \(value)")
      guard hand.world.isAlone else { return }
      if !value.isFinite { hand.require(now == old, "\(name) is \(now) and not \(old) after \(value)") }
      if value.isTame { hand.require(now == value, "\(name) is \(now) and not \(value)") }
    }
  }
}

extension Hand {
  /// Sets a property of a source, after which a law holds of its value.
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
