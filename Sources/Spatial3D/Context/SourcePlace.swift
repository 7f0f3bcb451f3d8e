/// One source's place in a scene: what a game has set of it, and what the library is to be told.
struct SourcePlace: Sendable {
  /// The library's name of the source.
  var id: UInt32
  /// What all gains are multiplied with on their way while the sound is always placed: it brings the sum of its channels to
  /// their mean, where the library does not.
  var channelFactor: Float
  /// What all gains are multiplied with on their way while the room is to get more than a source could send it.
  var boost: Float = 1
  /// Tells a source from those that had its place before; 0 where there is none now.
  var generation: UInt64
  /// Whether the sound is one that has to be asked for to be placed, and nobody was told that it is not.
  var hasFlatSound = false
  var wasToldUnplaced = false
  var values = SourceValues()
  var complaints: SourceProperties = []
  var startClock: Int64 = -1
  /// The frame that was asked for of one that does not play, to start at when it is played next; negative for none.
  var startFrame: Int32 = -1
  var effectSends = EffectSends()

  init(id: UInt32, generation: UInt64, channelFactor: Float) {
    self.id = id
    self.generation = generation
    self.channelFactor = channelFactor
  }

  /// What the library is to be told where some properties changed: a change of placing goes to the gains as well.
  ///
  /// Under the exponent model a change of gain goes to the attenuation as well, which is none for a silent source.
  @inline(__always)
  func told(_ properties: SourceProperties, under model: DistanceModel) -> SourceProperties {
    var told = properties
    if channelFactor != 1, properties.contains(.spatialization) { told.formUnion([.gain, .gainLimits]) }
    if model == .exponent, told.contains(.gain) { told.insert(.attenuation) }
    return told
  }

  /// Whether the source has a place and its sound, without anybody having said so, is not heard from there.
  @inline(__always)
  var isUnplaced: Bool {
    hasFlatSound && values.spatialization == .automatic && values.position != .zero && !values.usesDirectChannels
  }

  /// What all gains are multiplied with now.
  @inline(__always)
  var gainFactor: Float { values.spatialization == .always ? channelFactor * boost : boost }
}
