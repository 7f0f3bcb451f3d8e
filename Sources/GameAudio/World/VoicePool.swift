/// The voices of a world.
struct VoicePool: Sendable {
  /// The number of voices that emitters have; the pool has eight more, for those that fall silent.
  let limit: Int
  /// The largest number of streams that play at a time; the streams of players come first.
  var streamLimit = 16
  var voices: [Voice]
  var lastUse = 0
  /// Whether the device pauses sources when its output is lost: the world plays its own on.
  var revives = false

  init(limit: Int, size: Int) {
    self.limit = limit
    voices = Array(repeating: Voice(), count: size)
  }
}

extension VoicePool: RateConvertible {
  mutating func convertFrames(_ conversion: FrameConversion) {
    for index in voices.indices { voices[index].convertFrames(conversion) }
  }
}
