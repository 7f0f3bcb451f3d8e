/// The index of a voice in the pool of its world.
struct VoiceIndex: Hashable, Sendable {
  // An optional index takes four bytes of each emitter.
  private let number: UInt16

  /// The index of a position in an array with an element for each voice.
  init(_ position: Int) { number = UInt16(position) }

  /// The position in an array with an element for each voice.
  var position: Int { Int(number) }
}
