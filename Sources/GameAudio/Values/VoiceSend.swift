internal import Spatial3D

/// The share of a sound that goes to an effect.
struct VoiceSend: Sendable, Equatable {
  /// The range of a gain that a game sets.
  static let gainRange: ClosedRange<Gain> = Gain.silence...Gain.unity

  let unit: EffectUnit
  var gain: Float

  static func == (left: VoiceSend, right: VoiceSend) -> Bool { left.unit === right.unit && left.gain == right.gain }
}
