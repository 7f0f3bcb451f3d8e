internal import Spatial3D

/// The players of a world.
struct PlayerTable: Sendable {
  private(set) var records: [PlayerRecord] = []
  /// Whether the output is a pair of loudspeakers: the power of mono sounds and the pan of players depend on it.
  private(set) var hasTwoLoudspeakers = true

  /// The indices of the records, also of those that are free.
  var indices: some Collection<PlayerIndex> { records.indices.lazy.map { PlayerIndex($0) } }

  subscript(player: PlayerIndex) -> PlayerRecord {
    // Not `_read`: where Swift 6.3 does not inline a `_read` of a large record, it releases a field of the record after
    // the access, at an address that is no longer valid.
    get { records[player.position] }
    _modify { yield &records[player.position] }
  }

  /// Adds a player with a playlist.
  mutating func add(_ playlist: Playlist) -> PlayerIndex {
    let record = PlayerRecord(playlist: playlist)
    guard let free = records.firstIndex(where: { $0.playlist == nil }) else {
      records.append(record)
      return PlayerIndex(records.count - 1)
    }
    records[free] = record
    return PlayerIndex(free)
  }

  /// Frees the record of a player; returns its content.
  mutating func remove(_ player: PlayerIndex) -> PlayerRecord {
    let record = records[player.position]
    records[player.position] = PlayerRecord()
    return record
  }

  /// The slot of a player; `nil` for a record that is free.
  func slot(of player: PlayerIndex) -> EmitterSlot? { records[player.position].playlist?.slot }

  /// Whether a sound of a player has a moment.
  func hasScheduledSound(_ player: PlayerIndex) -> Bool {
    records[player.position].playlist?.scheduledSounds.isEmpty == false
  }

  /// Whether a sound is scheduled, or is being opened.
  var needsTicks: Bool {
    records.contains { $0.playlist.map { !$0.scheduledSounds.isEmpty || $0.openingCount > 0 } ?? false }
  }

  /// Sets whether the output is a pair of loudspeakers, for the power of mono sounds and for the pan of all players.
  mutating func setTwoLoudspeakers(_ isPair: Bool) {
    guard isPair != hasTwoLoudspeakers else { return }
    hasTwoLoudspeakers = isPair
    for index in records.indices { records[index].playlist?.setTwoLoudspeakers(isPair) }
  }

  /// The law of a player's pan for a voice; `nil` for a number of channels that has no pan.
  func panLaw(of player: PlayerIndex, channelCount: Int) -> PanLaw? {
    guard channelCount == 1 || channelCount == 2 else { return nil }
    return records[player.position].playlist?.panLaw(channelCount: channelCount)
  }
}

extension PlayerTable: RateConvertible {
  mutating func convertFrames(_ conversion: FrameConversion) {
    for index in records.indices { records[index].playlist?.convertFrames(conversion) }
  }
}
