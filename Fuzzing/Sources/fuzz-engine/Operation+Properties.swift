import Spatial3D

typealias SourceProperty<Value> = any ReferenceWritableKeyPath<SoundSource, Value> & Sendable

/// Properties of a source that are numbers with a range, or choices.
extension Operation {
  static let scalars = [
    number("gain", \.gain, 0...16, weight: 4),
    number("pitch", \.pitch, 0.001...10, weight: 4),
    number("source.dopplerFactor", \.dopplerFactor, 0...1),
    number("radius", \.radius, 0...Float.greatestFiniteMagnitude),
    number("airAbsorption", \.airAbsorption, 0...10),
    number("reverbSendLevel", \.reverbSendLevel, 0...1, weight: 4),
    number("roomRolloff", \.roomRolloff, 0...1),
    level("occlusion", \.occlusion),
    level("obstruction", \.obstruction),
    choice("isLooping", \.isLooping, [true, false], weight: 4),
    choice("isListenerRelative", \.isListenerRelative, [true, false]),
    choice("spatialization", \.spatialization, Spatialization.allCases),
    choice("usesDirectChannels", \.usesDirectChannels, [true, false]),
    Operation("resampler", 2) { hand in
      guard let (place, emitter) = hand.emitter() else { return }
      let all = emitter.source.context.resamplers
      let resampler = all.isEmpty || hand.values.chance(0.2) ? nil : hand.values.element(of: all)
      let name = resampler?.name ?? "nil"
      hand.call("source \(place) resampler = \(name)") { emitter.source.resampler = resampler }
      hand.require(!hand.world.isAlone || emitter.source.resampler == resampler, "another resampler than \(name)")
    },
    Operation("gainLimits", 2) { hand in
      guard let (place, emitter) = hand.emitter() else { return }
      let ends = [hand.values.number(0...16), hand.values.number(0...16)].map { $0.isNaN ? 0 : $0 }.sorted()
      let limits = ends[0]...ends[1]
      hand.call("source \(place) gainLimits = \(limits)") { emitter.source.gainLimits = limits }
      let now = emitter.source.gainLimits
      hand.require(now.lowerBound >= 0 && now.upperBound <= 16, "gain limits of \(now)")
      hand.require(!hand.world.isAlone || now == limits.clamped(to: 0...16), "gain limits of \(now) for \(limits)")
    },
  ]

  /// A number that is clamped to a range, and keeps its value where it is set to no finite number.
  static func number(
    _ name: String,
    _ property: SourceProperty<Float>,
    _ range: ClosedRange<Float>,
    weight: Int = 2
  ) -> Operation {
    Operation(name, weight) { hand in
      guard let (place, emitter) = hand.emitter() else { return }
      let old = emitter.source[keyPath: property]
      let value = hand.values.number(range)
      hand.call("source \(place) \(name) = \(value)") { emitter.source[keyPath: property] = value }
      let now = emitter.source[keyPath: property]
      hand.require(range.contains(now), "\(name) is \(now) after \(value), out of \(range)")
      guard hand.world.isAlone, !value.isFinite || abs(value) <= Values.tame else { return }
      let expected = value.isFinite ? min(max(value, range.lowerBound), range.upperBound) : old
      hand.require(now == expected, "\(name) is \(now) and not \(expected) after \(value)")
    }
  }

  private static func level(_ name: String, _ property: SourceProperty<Decibels>) -> Operation {
    Operation(name, 2) { hand in
      guard let (place, emitter) = hand.emitter() else { return }
      let old = emitter.source[keyPath: property]
      let value = hand.values.level(-100...0)
      hand.call("source \(place) \(name) = \(value)") { emitter.source[keyPath: property] = value }
      let now = emitter.source[keyPath: property]
      hand.require((-100...0).contains(now.rawValue), "\(name) is \(now) after \(value)")
      guard hand.world.isAlone else { return }
      let isUsable = value.rawValue.isFinite || value == .silence
      let expected = isUsable ? Decibels(min(max(value.rawValue, -100), 0)) : old
      hand.require(now == expected, "\(name) is \(now) and not \(expected) after \(value)")
    }
  }

  private static func choice<Value: Equatable & Sendable>(
    _ name: String,
    _ property: SourceProperty<Value>,
    _ all: [Value],
    weight: Int = 2
  ) -> Operation {
    Operation(name, weight) { hand in
      guard let (place, emitter) = hand.emitter() else { return }
      let value = hand.values.element(of: all)
      hand.call("source \(place) \(name) = \(value)") { emitter.source[keyPath: property] = value }
      guard hand.world.isAlone else { return }
      let now = emitter.source[keyPath: property]
      hand.require(now == value, "\(name) is \(now) and not \(value)")
    }
  }
}
