import AudioSupport
import Testing

@testable import Spatial3D

/// A settable property of a source: its public key path, its value in the library, and values to try.
struct SourcePropertyCase: Sendable, CustomTestStringConvertible {
  let testDescription: String
  /// Sets each value in turn, and returns those that one of the two sides does not hold afterwards.
  let roundTrip: @Sendable (SoundSource, _ isDeferred: Bool) -> [String]
  /// Sets values out of range, and returns those for which one side does not hold the nearest in range.
  let clamp: @Sendable (SoundSource) -> [String]
  /// Whether there are values out of range.
  let canClamp: Bool
  /// Sets values that are refused, and returns those for which one side did not keep its value.
  let refuse: @Sendable (SoundSource) -> [String]
  /// Whether there are values that are refused.
  let canRefuse: Bool

  init<Value: Equatable & Sendable>(
    _ name: String,
    _ property: any ReferenceWritableKeyPath<SoundSource, Value> & Sendable,
    _ field: @escaping @Sendable (SourceValues) -> Value,
    values: [Value],
    clamped: [(Value, Value)] = [],
    refused: [Value] = []
  ) {
    let held: @Sendable (SoundSource) -> Value = { field($0.libraryValues) }
    self.init(name, property, inLibrary: held, values, clamped, refused)
  }

  /// A case for a property that the library does not return.
  ///
  /// The scene's own value replaces the library's; tests of the sound cover the rest.
  init<Value: Equatable & Sendable>(
    _ name: String,
    _ property: any ReferenceWritableKeyPath<SoundSource, Value> & Sendable,
    held field: @escaping @Sendable (SourceValues) -> Value,
    values: [Value],
    clamped: [(Value, Value)] = [],
    refused: [Value] = []
  ) {
    let held: @Sendable (SoundSource) -> Value = { field($0.context.inspector.values(of: $0)) }
    self.init(name, property, inLibrary: held, values, clamped, refused)
  }

  private init<Value: Equatable & Sendable>(
    _ name: String,
    _ property: any ReferenceWritableKeyPath<SoundSource, Value> & Sendable,
    inLibrary held: @escaping @Sendable (SoundSource) -> Value,
    _ values: [Value],
    _ clamped: [(Value, Value)],
    _ refused: [Value]
  ) {
    testDescription = name
    roundTrip = { source, isDeferred in
      values.compactMap { value in
        if isDeferred {
          source.context.withDeferredUpdates { source[keyPath: property] = value }
        } else {
          source[keyPath: property] = value
        }
        return source[keyPath: property] == value && held(source) == value ? nil : "\(value)"
      }
    }
    clamp = { source in
      clamped.compactMap { value, nearest in
        source[keyPath: property] = value
        return source[keyPath: property] == nearest && held(source) == nearest ? nil : "\(value)"
      }
    }
    canClamp = !clamped.isEmpty
    refuse = { source in
      refused.compactMap { value in
        source[keyPath: property] = values[0]
        source[keyPath: property] = value
        return source[keyPath: property] == values[0] && held(source) == values[0] ? nil : "\(value)"
      }
    }
    canRefuse = !refused.isEmpty
  }

  private static let resamplers = (try? OfflineRenderer(format: Scenes.mono))?.context.resamplers ?? []

  static let all: [SourcePropertyCase] = [
    SourcePropertyCase(
      "gain",
      \.gain,
      { Gain($0.gain) },
      values: [0, 0.25, 1, 16],
      clamped: [(16.1, 16), (3e38, 16)],
      refused: [-1, Gain(.nan), Gain(.infinity), Gain(-.infinity)]
    ),
    SourcePropertyCase(
      "pitch",
      \.pitch,
      \.pitch,
      values: [0.001, 0.5, 1.5, 10],
      clamped: [(-1, 0.001), (0, 0.001), (11, 10)],
      refused: [.nan, .infinity]
    ),
    SourcePropertyCase("isLooping", \.isLooping, \.isLooping, values: [true, false, true]),
    SourcePropertyCase(
      "position",
      \.position,
      \.position,
      values: [[1, 2, 3], [-1e9, 0, 1e-6], .zero],
      clamped: [([2e9, 1e9, 0], [1e9, 5e8, 0]), ([0, 3.4e38, -3.4e38], [0, 1e9, -1e9])],
      refused: [[.nan, 0, 0], [0, .infinity, 0], [0, 0, -.infinity]]
    ),
    SourcePropertyCase(
      "velocity",
      \.velocity,
      \.velocity,
      values: [[4, 5, 6], [-343, 0, 0], .zero],
      clamped: [([0, -4e9, 2e9], [0, -1e9, 5e8]), ([1e18, 0, 0], [1e9, 0, 0])],
      refused: [[.nan, 0, 0], [0, .infinity, 0], [0, 0, .nan]]
    ),
    SourcePropertyCase(
      "isListenerRelative",
      \.isListenerRelative,
      \.isListenerRelative,
      values: [true, false, true]
    ),
    SourcePropertyCase(
      "gainLimits",
      \.gainLimits,
      { Gain($0.gainLimits.lowerBound)...Gain($0.gainLimits.upperBound) },
      values: [0.25...0.5, 0...16, 0...0, 0...1],
      clamped: [
        (0.5...99, 0.5...16), (20...30, 16...16), (0...Gain(.infinity), 0...16),
      ],
      refused: [-1...0.5, Gain(-.infinity)...Gain(.infinity), Gain(.nan)...1, 0...Gain(.nan)]
    ),
    SourcePropertyCase(
      "dopplerFactor",
      \.dopplerFactor,
      \.dopplerFactor,
      values: [0, 0.5, 1],
      clamped: [(-1, 0), (2, 1)],
      refused: [.nan, .infinity]
    ),
    SourcePropertyCase(
      "direction",
      \.direction,
      \.direction,
      values: [[0, 0, -1], [3, 4, 5], .zero],
      clamped: [([1e20, 0, 0], [1e9, 0, 0])],
      refused: [[.nan, 0, 0], [0, .infinity, 0]]
    ),
    SourcePropertyCase(
      "cone",
      \.cone,
      \.cone,
      values: [
        Cone(innerAngle: 60, outerAngle: 180, outerGain: 0.25, outerHighFrequencyGain: 0.5),
        Cone(innerAngle: 0, outerAngle: 0, outerGain: 1, outerHighFrequencyGain: 0), Cone(),
      ],
      clamped: [
        (
          Cone(innerAngle: -1, outerAngle: 400, outerGain: 2, outerHighFrequencyGain: 3),
          Cone(innerAngle: 0, outerAngle: 360, outerGain: 1, outerHighFrequencyGain: 1)
        )
      ],
      refused: [
        Cone(innerAngle: .nan), Cone(outerAngle: .infinity), Cone(outerGain: Gain(.nan)),
        Cone(outerHighFrequencyGain: Gain(.nan)),
        Cone(outerGain: -1),
      ]
    ),
    SourcePropertyCase(
      "attenuation",
      \.attenuation,
      \.attenuation,
      values: DistanceModel.allCases.map {
        DistanceAttenuation(referenceDistance: 2, maximumDistance: 60, rolloffFactor: 0.5, model: $0)
      },
      clamped: [
        (
          DistanceAttenuation(referenceDistance: -1, maximumDistance: -1, rolloffFactor: -1, model: .linear),
          DistanceAttenuation(referenceDistance: 0, maximumDistance: 0, rolloffFactor: 0, model: .linear)
        ),
        (
          DistanceAttenuation(maximumDistance: .infinity, model: .linear),
          DistanceAttenuation(maximumDistance: .greatestFiniteMagnitude, model: .linear)
        ),
        (
          DistanceAttenuation(referenceDistance: 2e9, rolloffFactor: 3.4e38, model: .inverse),
          DistanceAttenuation(referenceDistance: 1e9, rolloffFactor: 1e9, model: .inverse)
        ),
        (
          DistanceAttenuation(referenceDistance: 1e-30, maximumDistance: 1e-20, model: .linear),
          DistanceAttenuation(referenceDistance: 1e-9, maximumDistance: 1e-9, model: .linear)
        ),
      ],
      refused: [
        DistanceAttenuation(referenceDistance: .nan), DistanceAttenuation(maximumDistance: -.infinity),
        DistanceAttenuation(rolloffFactor: .nan),
      ]
    ),
    SourcePropertyCase(
      "radius",
      \.radius,
      \.radius,
      values: [0, 1.5, 100],
      clamped: [(-1, 0), (3.4e38, 1e9)],
      refused: [.nan, .infinity]
    ),
    SourcePropertyCase(
      "airAbsorption",
      \.airAbsorption,
      \.airAbsorption,
      values: [0, 1, 10],
      clamped: [(-1, 0), (11, 10)],
      refused: [.nan, .infinity]
    ),
    SourcePropertyCase(
      "spatialization",
      \.spatialization,
      \.spatialization,
      values: [.always, .never, .automatic]
    ),
    SourcePropertyCase("usesDirectChannels", \.usesDirectChannels, \.usesDirectChannels, values: [true, false, true]),
    SourcePropertyCase(
      "stereoAngles",
      \.stereoAngles,
      \.stereoAngles,
      values: [StereoAngles(left: -45, right: 45), StereoAngles(left: 180, right: -180)],
      clamped: [(StereoAngles(left: -200, right: 200), StereoAngles(left: -180, right: 180))],
      refused: [StereoAngles(left: .nan), StereoAngles(right: .infinity)]
    ),
    SourcePropertyCase(
      "resampler",
      \.resampler,
      { $0.resampler.map { resamplers[Int($0)] } },
      values: [resamplers.first, nil, resamplers.last, nil]
    ),
    SourcePropertyCase(
      "reverbBlend",
      \.reverbBlend,
      held: \.reverbBlend,
      values: [0.4, 1, 0],
      clamped: [(-1, 0), (2, 1)],
      refused: [.nan, .infinity]
    ),
    SourcePropertyCase(
      "occlusion",
      \.occlusion,
      held: \.occlusion,
      values: [-100, -18.5, 0],
      clamped: [(-101, -100), (1, 0), (.silence, -100)],
      refused: [Decibels(.nan), Decibels(.infinity)]
    ),
    SourcePropertyCase(
      "obstruction",
      \.obstruction,
      held: \.obstruction,
      values: [-100, -6, 0],
      clamped: [(-101, -100), (1, 0), (.silence, -100)],
      refused: [Decibels(.nan), Decibels(.infinity)]
    ),
    SourcePropertyCase(
      "filter",
      \.filter,
      held: \.filter,
      values: [ToneFilter(low: -6, high: -60), ToneFilter(low: -60), ToneFilter()],
      clamped: [
        (ToneFilter(low: -61, high: 1), ToneFilter(low: -60)),
        (ToneFilter(low: .silence, high: .silence), ToneFilter(low: -60, high: -60)),
      ],
      refused: [ToneFilter(low: Decibels(.nan)), ToneFilter(high: Decibels(.infinity))]
    ),
    SourcePropertyCase(
      "roomRolloff",
      \.roomRolloff,
      \.roomRolloff,
      values: [0, 0.5, 1],
      clamped: [(-1, 0), (10, 1)],
      refused: [.nan, .infinity]
    ),
  ]
}
