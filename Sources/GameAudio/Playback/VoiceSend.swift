internal import Spatial3D

/// The share of a sound that goes to an effect.
struct VoiceSend: Sendable, Equatable {
  let unit: EffectUnit
  var gain: Float

  static func == (left: VoiceSend, right: VoiceSend) -> Bool { left.unit === right.unit && left.gain == right.gain }
}
