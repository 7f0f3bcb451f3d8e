import FuzzSupport
import Spatial3D

typealias SourceProperty<Value> = any ReferenceWritableKeyPath<SoundSource, Value> & Sendable

/// Properties of a source that are numbers with a range, or choices.
extension Operation {
  static let scalars = [
    number("gain", \.gain.rawValue, 0...16, weight: 4, takesNegative: false),
    number("pitch", \.pitch, 0.001...10, weight: 4),
    number("source.dopplerFactor", \.dopplerFactor, 0...1),
    number("radius", \.radius, 0...Float.greatestFiniteMagnitude),
    number("airAbsorption", \.airAbsorption, 0...10),
    number("reverbBlend", \.reverbBlend, 0...1, weight: 4),
    number("roomRolloff", \.roomRolloff, 0...1),
    level("occlusion", \.occlusion),
    level("obstruction", \.obstruction),
    choice(
      "filter",
      \.filter,
      [ToneFilter(), ToneFilter(low: -60, high: -60), ToneFilter(low: -6), ToneFilter(high: -20)]
    ),
    choice("isLooping", \.isLooping, [true, false], weight: 4),
    choice("isListenerRelative", \.isListenerRelative, [true, false]),
    choice("spatialization", \.spatialization, Spatialization.allCases),
    choice("usesDirectChannels", \.usesDirectChannels, [true, false]),
    Operation("resampler", 2) { caller in
      guard let (place, emitter) = caller.emitter() else { return }
      let all = emitter.source.context.resamplers
      let resampler = all.isEmpty || caller.values.chance(0.2) ? nil : caller.values.element(of: all)
      let name = resampler?.name ?? "nil"
      caller.call("source \(place) resampler = \(name)") { emitter.source.resampler = resampler }
      caller.require(!caller.isExact || emitter.source.resampler == resampler, "another resampler than \(name)")
    },
    Operation("gainLimits", 2) { caller in
      guard let (place, emitter) = caller.emitter() else { return }
      let ends = [caller.values.number(0...16), caller.values.number(0...16)].map { $0.isNaN ? 0 : $0 }.sorted()
      let (old, limits) = (emitter.source.gainLimits, Gain(ends[0])...Gain(ends[1]))
      caller.call("source \(place) gainLimits = \(limits)") { emitter.source.gainLimits = limits }
      let now = emitter.source.gainLimits
      caller.require(now.lowerBound >= 0 && now.upperBound <= 16, "gain limits of \(now)")
      // A lower limit that is no gain changes nothing.
      let expected = (0..<Float.infinity).contains(ends[0]) ? limits.clamped(to: 0...16) : old
      caller.require(!caller.isExact || now == expected, "gain limits of \(now) for \(limits)")
    },
  ]

  /// A number that the engine clamps to a range.
  ///
  /// A number that is not finite leaves the property as it was, and so does a negative number where the property takes
  /// none.
  static func number(
    _ name: String,
    _ property: SourceProperty<Float>,
    _ range: ClosedRange<Float>,
    weight: Int = 2,
    takesNegative: Bool = true
  ) -> Operation {
    Operation(name, weight) { caller in
      guard let (place, emitter) = caller.emitter() else { return }
      let old = emitter.source[keyPath: property]
      let value = caller.values.number(range)
      caller.call("source \(place) \(name) = \(value)") { emitter.source[keyPath: property] = value }
      let now = emitter.source[keyPath: property]
      caller.require(range.contains(now), "\(name) is \(now) after \(value), out of \(range)")
      guard caller.isExact, !value.isFinite || abs(value) <= Values.tame else { return }
      let isUsable = value.isFinite && (takesNegative || value >= 0)
      let expected = isUsable ? min(max(value, range.lowerBound), range.upperBound) : old
      caller.require(now == expected, "\(name) is \(now) and not \(expected) after \(value)")
    }
  }

  private static func level(_ name: String, _ property: SourceProperty<Decibels>) -> Operation {
    Operation(name, 2) { caller in
      guard let (place, emitter) = caller.emitter() else { return }
      let old = emitter.source[keyPath: property]
      let value = caller.values.level(-100...0)
      caller.call("source \(place) \(name) = \(value)") { emitter.source[keyPath: property] = value }
      let now = emitter.source[keyPath: property]
      caller.require((-100...0).contains(now.rawValue), "\(name) is \(now) after \(value)")
      guard caller.isExact else { return }
      let isUsable = value.rawValue.isFinite || value == .silence
      let expected = isUsable ? Decibels(min(max(value.rawValue, -100), 0)) : old
      caller.require(now == expected, "\(name) is \(now) and not \(expected) after \(value)")
    }
  }

  private static func choice<Value: Equatable & Sendable>(
    _ name: String,
    _ property: SourceProperty<Value>,
    _ all: [Value],
    weight: Int = 2
  ) -> Operation {
    Operation(name, weight) { caller in
      guard let (place, emitter) = caller.emitter() else { return }
      let value = caller.values.element(of: all)
      caller.call("source \(place) \(name) = \(value)") { emitter.source[keyPath: property] = value }
      guard caller.isExact else { return }
      let now = emitter.source[keyPath: property]
      caller.require(now == value, "\(name) is \(now) and not \(value)")
    }
  }
}
