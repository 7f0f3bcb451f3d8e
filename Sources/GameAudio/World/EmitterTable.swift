/// The emitters and players of a world: a record for each slot, and the columns that every choice reads.
struct EmitterTable: Sendable {
  var columns = EmitterColumns()
  var records: [EmitterRecord] = []
  var rare: [RareSettings] = []
  var freeSlots: [Int32] = []
  var freeRare: [Int32] = []
  /// The number of emitters that play, fade out or wait for their sound.
  var activeCount = 0
  /// The number of emitters that end where they find no voice.
  var stoppingCount = 0
  var lastOrder: UInt32 = 0
  /// The number of the emitter or player that was made last.
  var lastNumber: UInt32 = 0
  var nextEnd = Int.max
  /// The slots of emitters whose pitch has changed.
  var changedPitches: [Int32] = []
  /// The slots of emitters with events, with a leader, and with a derived velocity.
  var observed = SlotList()
  var followers = SlotList()
  var deriving = SlotList()
  var derivedAt = 0
  /// The next slot whose frequency is computed while it is virtual.
  var nextShift = 0
}
