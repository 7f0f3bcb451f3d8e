/// One source's slot in a scene: the values that a game has set, and the factors for the library.
struct SourceRecord: Sendable {
  /// The library's name of the source.
  var id: UInt32
  /// A factor of all gains while the sound is always placed.
  ///
  /// It turns the sum of the sound's channels into their mean, where the library does not.
  var channelFactor: Float
  /// A factor of all gains while the room gets more than a source could send it.
  var boost: Float = 1
  /// Distinguishes a source from earlier ones in its slot; 0 for an empty slot.
  var generation: UInt64
  /// Whether the sound is only placed on request, and no diagnostic was reported about that.
  var hasMultichannelWarning = false
  var wasUnplacedReported = false
  var values = SourceValues()
  var complaints: SourceProperties = []
  var startClock: Int64 = -1
  /// The requested frame of the next start of a source that does not play; negative for none.
  var startFrame: Int32 = -1
  var effectSends = EffectSends()

  init(id: UInt32, generation: UInt64, channelFactor: Float) {
    self.id = id
    self.generation = generation
    self.channelFactor = channelFactor
  }

  /// The properties to update in the library after a change: a change of `spatialization` updates the gains as well.
  ///
  /// Under the exponent model a change of gain updates the attenuation as well, because a silent source has none.
  @inline(__always)
  func told(_ properties: SourceProperties, under model: DistanceModel) -> SourceProperties {
    var told = properties
    if channelFactor != 1, properties.contains(.spatialization) { told.formUnion([.gain, .gainLimits]) }
    if model == .exponent, told.contains(.gain) { told.insert(.attenuation) }
    return told
  }

  /// Whether the source has a position, and its sound is not audible from there without a choice by the game.
  @inline(__always)
  var isUnplaced: Bool {
    hasMultichannelWarning && values.spatialization == .automatic && values.position != .zero
      && !values.usesDirectChannels
  }

  /// The present factor of all gains.
  @inline(__always)
  var gainFactor: Float { values.spatialization == .always ? channelFactor * boost : boost }
}
