/// Properties of a source that the library is to be told, with their values.
struct SourceChange: Sendable {
  let id: UInt32
  let values: SourceValues
  let properties: SourceProperties

  /// The model of the source, or else of its context.
  let distanceModel: DistanceModel

  /// What brings the sum of the sound's channels to their mean, where the library does not.
  let channelFactor: Float

  /// What gains are multiplied with on their way to the library.
  var gainFactor: Float { values.spatialization == .always ? channelFactor : 1 }
}
