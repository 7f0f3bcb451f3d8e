/// The settable state of a source, at its defaults.
struct SourceValues: Hashable, Sendable {
  var gain: Float = 1
  var pitch: Float = 1
  var isLooping = false
  var position: SIMD3<Float> = .zero
  var velocity: SIMD3<Float> = .zero
  var isListenerRelative = false
}

/// Properties of a source: which of them changed, or were complained about.
struct SourceProperties: OptionSet, Hashable, Sendable {
  let rawValue: UInt32

  // The bits are the shim's S3D_SOURCE_….
  static let gain = SourceProperties(rawValue: 1 << 0)
  static let pitch = SourceProperties(rawValue: 1 << 1)
  static let looping = SourceProperties(rawValue: 1 << 2)
  static let position = SourceProperties(rawValue: 1 << 3)
  static let velocity = SourceProperties(rawValue: 1 << 4)
  static let listenerRelative = SourceProperties(rawValue: 1 << 5)
}
