/// The buses of a world, their fades and their duckers.
struct MixerState: Sendable {
  var buses = BusTree()
  var fades = KeyedList<BusFade.Key, BusFade>()
  var duckers: [Ducker] = []
  /// The power of each bus at the last tick, while there are duckers.
  var powers: [Float] = []
  /// The frame up to which the duckers have moved.
  var duckedUntil = 0
  /// Whether another program plays music.
  var isOtherAudioPlaying = false
  var lastSendsVersion = 0

  /// Returns the bus of a name, and adds the bus if the name is new: without room it returns the parent.
  mutating func makeBus(_ name: String, in parent: BusIndex, isDirect: Bool) -> BusIndex {
    buses.makeBus(name, in: parent, isDirect: isDirect)
  }
}

extension MixerState: RateConvertible {
  mutating func convertFrames(_ conversion: FrameConversion) {
    fades.update { conversion.convert(&$0.begin) }
    conversion.convert(&duckedUntil)
    for index in buses.indices { conversion.convert(&buses[index].lastBegin) }
  }
}
