/// The index of a voice in the pool.
typealias VoiceIndex = Int
