/// The numbers of plays of a sound, in all of its forms and variations.
struct SoundPlays: Sendable {
  /// The entries of the sound in the table.
  var entries = 0
  /// The emitters that count for its limit.
  var counted = 0
  /// The emitters that have begun in the last 50 ms, if their loudness is compensated.
  var recent = 0
  /// The frame of the mix at which an emitter last began with it.
  var lastBegin: Int?
  /// The key of the sound in a bank.
  var key: SoundKey?
}
