/// One use of a voice.
struct VoiceKey: Hashable, Sendable {
  let voice: Int
  /// The position in the order of all uses.
  let use: Int
}
