/// The filters on a source's paths: its own filter and occlusion, then obstruction on the path to the listener, and the
/// sends to effects.
///
/// The signal path is Apple's 3D mixer's. Pure: no call, no lock, and no memory of its own.
struct SourceRouting: Sendable {
  /// The direct path.
  let direct: PathFilter
  /// The factor for all gains of the source, which raises its input to the room above the library's limit.
  ///
  /// Every other path is lowered by the same factor.
  let boost: Float
  private var sends = InlineArray<16, Send>(repeating: Send(index: 0, slot: 0, filter: PathFilter()))
  /// How many sends are in use.
  private(set) var sendCount = 0

  struct Send: Equatable, Sendable {
    /// The index of the send, from 0.
    var index: Int
    /// The slot that it feeds; 0 for none.
    var slot: UInt32
    var filter: PathFilter
  }

  /// A send that is in use.
  subscript(position: Int) -> Send { sends[position] }

  init(_ values: SourceValues, _ effects: EffectSends, in room: RoomFeeds) {
    let sendLimit = min(room.sendLimit, Ranges.sendLimit.upperBound)

    // The room uses the first two sends, one of which fades out, or as many as the game's effects leave.
    let roomSends = min(2, max(sendLimit - effects.activeCount, 0))
    let isFed = roomSends > 0 && room.current != nil
    let dry = isFed ? DryWetLaw.dry(values.reverbBlend) : 1
    boost = isFed && values.reverbBlend > 0 ? room.boost : 1
    direct = PathFilter.direct(occlusion: values.occlusion, obstruction: values.obstruction, tone: values.filter)
      .scaled(by: dry / boost)

    let wet = PathFilter.send(occlusion: values.occlusion, tone: values.filter)
      .scaled(by: DryWetLaw.wet(values.reverbBlend))
    for send in 0..<2 where roomSends > 0 {
      // If only one send is left, the newest room uses it.
      guard room.slots[send] != 0, roomSends == 2 || send == room.last else { continue }
      let filter = send == room.current ? wet : wet.scaled(by: 0)
      append(Send(index: min(send, roomSends - 1), slot: room.slots[send], filter: filter))
    }
    let roomIndices = sendCount

    // The game's effects use the last sends. The room may use a send that an effect has left.
    for (order, effect) in effects.sends.enumerated() {
      let index = sendLimit - 1 - order
      guard index >= 0 else { break }
      if order >= effects.activeCount, (0..<roomIndices).contains(where: { sends[$0].index == index }) { continue }
      let filter = PathFilter.send(occlusion: values.occlusion, lowPass: effect.lowPass, tone: values.filter)
      append(Send(index: index, slot: effect.slot, filter: filter.scaled(by: effect.level / boost)))
    }
  }

  private mutating func append(_ send: Send) {
    guard sendCount < sends.count else { return }
    sends[sendCount] = send
    sendCount += 1
  }
}
