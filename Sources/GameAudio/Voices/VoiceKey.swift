/// One use of a voice.
struct VoiceKey: Hashable, Sendable {
  let voice: VoiceIndex
  /// The position in the order of all uses.
  let use: Int
}
