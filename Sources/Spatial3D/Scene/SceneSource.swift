internal import PCM

/// One source's part of a scene: the values that a game has set, and the factors for the library.
///
/// A setter returns whether there is a change to apply; the caller applies it. Pure: no call and no lock.
struct SceneSource: Sendable {
  // Each change of a value reads the properties up to the first values. They are adjacent for the processor's cache.

  /// The sound, while it is only placed on request and no diagnostic was reported about that.
  private var multichannelWarning: MultichannelWarning?
  /// The library's name of the source; it changes where another source of the library takes over.
  var id: UInt32
  /// A factor of all gains while the sound is always placed.
  ///
  /// It turns the sum of the sound's channels into their mean, where the library does not.
  private(set) var channelFactor: Float = 1
  /// A factor of all gains while the room gets more than a source could send it.
  var boost: Float = 1
  /// A factor of all gains while the source fades in or out.
  var fadeGain: Float = 1
  /// The loudspeakers to which the channels of the sound go while they are direct.
  private var soundLoudspeakers: Loudspeakers = []
  /// Whether the output lacks a loudspeaker of the sound, whose direct channel would be silent.
  private var lacksLoudspeakers = false
  private var wasUnplacedReported = false
  /// The properties with a diagnostic so far.
  private var complaints: SourceProperties = []
  var values = SourceValues()
  var effectSends = EffectSends()

  init(id: UInt32) { self.id = id }

  /// Stores the layout of a new sound; returns the properties to apply.
  mutating func setSound(_ layout: ChannelLayout?, channelFactor factor: Float, on output: Loudspeakers)
    -> SourceProperties
  {
    let before = (hasDirectSound, channelFactor)
    soundLoudspeakers = Loudspeakers(forSoundOf: layout)
    channelFactor = factor
    var changes = setOutput(output)
    if values.spatialization == .always, before != (hasDirectSound, channelFactor) { changes.formUnion(Self.placing) }
    return changes
  }

  /// Stores whether a new output has the loudspeakers of the sound; returns the properties to apply.
  mutating func setOutput(_ output: Loudspeakers) -> SourceProperties {
    let lacks = !output.isSuperset(of: soundLoudspeakers)
    guard lacksLoudspeakers != lacks else { return [] }
    lacksLoudspeakers = lacks
    return values.usesDirectChannels ? .directChannels : []
  }

  /// Whether the game has chosen direct channels for a sound that has any.
  private var hasDirectSound: Bool { values.usesDirectChannels && !soundLoudspeakers.isEmpty }

  /// The values for the library.
  ///
  /// Channels go to the loudspeakers directly if the output has all of them. Otherwise the sound is around the
  /// listener. It has no position in both cases: OpenAL Soft 1.19 would attenuate a direct sound by its distance, and
  /// 1.25 would not.
  var appliedValues: SourceValues {
    var applied = values
    applied.usesDirectChannels = values.usesDirectChannels && !lacksLoudspeakers
    applied.spatialization = spatialization
    return applied
  }

  @inline(__always)
  private var spatialization: Spatialization { hasDirectSound ? .never : values.spatialization }

  /// The properties that follow from whether the sound has a position.
  private static let placing: SourceProperties = [.spatialization, .gain, .gainLimits]

  /// The present factor of all gains.
  @inline(__always)
  var gainFactor: Float { fadeGain * (spatialization == .always ? channelFactor * boost : boost) }

  /// The properties to update in the library after a change: a change of `spatialization` updates the gains as well,
  /// and so does a change of `usesDirectChannels`.
  ///
  /// Under the exponent model a change of gain updates the attenuation as well, because a silent source has none.
  @inline(__always)
  func updates(after properties: SourceProperties, under model: DistanceModel) -> SourceProperties {
    var updates = properties
    if values.spatialization == .always, properties.contains(.directChannels) { updates.formUnion(Self.placing) }
    if channelFactor != 1, properties.contains(.spatialization) { updates.formUnion(Self.placing) }
    if model == .exponent, updates.contains(.gain) { updates.insert(.attenuation) }
    return updates
  }
}

// MARK: - Diagnostics

extension SceneSource {
  /// Whether this is the first diagnostic about a property of the source.
  mutating func complain(about property: SourceProperties) -> Bool { complaints.insert(property).inserted }

  /// Stores the source's new sound if it is only placed on request.
  mutating func setMultichannelWarning(_ sound: MultichannelWarning?) {
    if !wasUnplacedReported { multichannelWarning = sound }
  }

  /// Whether the source has a position, and its sound is not audible from there without a choice by the game.
  @inline(__always)
  var isUnplaced: Bool {
    multichannelWarning != nil && values.spatialization == .automatic && values.position != .zero
      && !values.usesDirectChannels
  }

  /// Takes the sound if it is not audible from the source's position: once.
  @inline(__always)
  mutating func takeUnplacedSound() -> MultichannelWarning? {
    guard isUnplaced else { return nil }
    defer { multichannelWarning = nil }
    wasUnplacedReported = true
    return multichannelWarning
  }
}
