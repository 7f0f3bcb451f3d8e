/// The players of a world.
struct PlayerTable: Sendable {
  var records: [PlayerRecord] = []
  /// Whether the output is a pair of loudspeakers: the power of mono sounds and the pan of players depend on it.
  var hasTwoLoudspeakers = true
}

extension PlayerTable: RateConvertible {
  mutating func convertFrames(_ conversion: FrameConversion) {
    for index in records.indices { records[index].playlist?.convertFrames(conversion) }
  }
}
