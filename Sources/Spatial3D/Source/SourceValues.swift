/// The settable state of a source, at its defaults.
///
/// The values are plain numbers, and a batch copies them bitwise. Games set the first values each frame, so these are
/// adjacent.
struct SourceValues: Hashable, Sendable {
  var position: SIMD3<Float> = .zero
  var velocity: SIMD3<Float> = .zero
  var gain: Float = 1
  var pitch: Float = 1
  var isLooping = false
  var isListenerRelative = false
  var spatialization = Spatialization.automatic
  var usesDirectChannels = false
  var gainLimits: ClosedRange<Float> = 0...1
  var dopplerFactor: Float = 1
  var direction: SIMD3<Float> = .zero
  var cone = Cone()
  var attenuation = DistanceAttenuation()
  var radius: Float = 0
  var airAbsorption: Float = 0
  var stereoAngles = StereoAngles()
  /// The index in the library's list.
  var resampler: Int32?
  var reverbBlend: Float = 0
  var occlusion: Decibels = 0
  var obstruction: Decibels = 0
  var filter = ToneFilter()
  var roomRolloff: Float = 0
}

/// A set of properties of a source that changed, or that a diagnostic reported.
struct SourceProperties: OptionSet, Hashable, Sendable {
  let rawValue: UInt32

  // The bits are the shim's S3D_SOURCE_….
  static let gain = SourceProperties(rawValue: 1 << 0)
  static let pitch = SourceProperties(rawValue: 1 << 1)
  static let looping = SourceProperties(rawValue: 1 << 2)
  static let position = SourceProperties(rawValue: 1 << 3)
  static let velocity = SourceProperties(rawValue: 1 << 4)
  static let listenerRelative = SourceProperties(rawValue: 1 << 5)
  static let gainLimits = SourceProperties(rawValue: 1 << 6)
  static let dopplerFactor = SourceProperties(rawValue: 1 << 7)
  static let direction = SourceProperties(rawValue: 1 << 8)
  static let cone = SourceProperties(rawValue: 1 << 9)
  static let attenuation = SourceProperties(rawValue: 1 << 10)
  static let radius = SourceProperties(rawValue: 1 << 11)
  static let airAbsorption = SourceProperties(rawValue: 1 << 12)
  static let spatialization = SourceProperties(rawValue: 1 << 13)
  static let directChannels = SourceProperties(rawValue: 1 << 14)
  static let stereoAngles = SourceProperties(rawValue: 1 << 15)
  static let resampler = SourceProperties(rawValue: 1 << 16)
  static let reverbBlend = SourceProperties(rawValue: 1 << 20)
  static let occlusion = SourceProperties(rawValue: 1 << 21)
  static let obstruction = SourceProperties(rawValue: 1 << 22)
  static let roomRolloff = SourceProperties(rawValue: 1 << 23)
  // No value stands behind these; a diagnostic reports each once.
  static let effectSends = SourceProperties(rawValue: 1 << 24)
  static let leftOutSends = SourceProperties(rawValue: 1 << 25)
  static let buffer = SourceProperties(rawValue: 1 << 26)
  static let loopRange = SourceProperties(rawValue: 1 << 27)
  static let filter = SourceProperties(rawValue: 1 << 28)

  /// The properties that together select the filters and effects of a source.
  static let routing: SourceProperties = [.reverbBlend, .occlusion, .obstruction, .filter]

  /// Whether all are among the first properties, which games set each frame.
  var areBasic: Bool { rawValue < Self.gainLimits.rawValue }
}

extension SourceValues {
  /// Copies some properties, and returns those that differed.
  ///
  /// The other values are a closure, so that only the requested properties are loaded: this runs for every source of a
  /// batch.
  @inline(__always)
  mutating func adopt(_ properties: SourceProperties, of other: @autoclosure () -> SourceValues) -> SourceProperties {
    // Bits instead of sets: each set operation is a call here, and this runs for every source and frame.
    var changed: UInt32 = 0
    @inline(__always)
    func take<Value: Equatable>(_ property: SourceProperties, _ own: inout Value, _ value: @autoclosure () -> Value) {
      guard properties.rawValue & property.rawValue != 0 else { return }
      let value = value()
      guard own != value else { return }
      own = value
      changed |= property.rawValue
    }
    take(.gain, &gain, other().gain)
    take(.pitch, &pitch, other().pitch)
    take(.looping, &isLooping, other().isLooping)
    take(.position, &position, other().position)
    take(.velocity, &velocity, other().velocity)
    take(.listenerRelative, &isListenerRelative, other().isListenerRelative)
    guard !properties.areBasic else { return SourceProperties(rawValue: changed) }
    take(.gainLimits, &gainLimits, other().gainLimits)
    take(.dopplerFactor, &dopplerFactor, other().dopplerFactor)
    take(.direction, &direction, other().direction)
    take(.cone, &cone, other().cone)
    take(.attenuation, &attenuation, other().attenuation)
    take(.radius, &radius, other().radius)
    take(.airAbsorption, &airAbsorption, other().airAbsorption)
    take(.spatialization, &spatialization, other().spatialization)
    take(.directChannels, &usesDirectChannels, other().usesDirectChannels)
    take(.stereoAngles, &stereoAngles, other().stereoAngles)
    take(.resampler, &resampler, other().resampler)
    take(.reverbBlend, &reverbBlend, other().reverbBlend)
    take(.occlusion, &occlusion, other().occlusion)
    take(.obstruction, &obstruction, other().obstruction)
    take(.filter, &filter, other().filter)
    take(.roomRolloff, &roomRolloff, other().roomRolloff)
    return SourceProperties(rawValue: changed)
  }
}

/// The slot of a source's record in its context, and a generation that distinguishes the sources which used the slot
/// over time.
struct SourceKey: Hashable, Sendable {
  let slot: Int
  let generation: UInt64
}
