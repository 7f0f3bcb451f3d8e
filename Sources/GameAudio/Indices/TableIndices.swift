/// The index of a voice in the pool.
typealias VoiceIndex = Int

/// The index of a player in the table of players.
typealias PlayerIndex = Int
