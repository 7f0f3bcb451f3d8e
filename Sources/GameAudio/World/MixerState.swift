/// The buses of a world, their fades and their duckers.
struct MixerState: Sendable {
  var buses: [BusRecord] = [BusRecord(name: "main", parent: nil)]
  /// The buses by their names, and how many of them are soloed.
  var indices = ["main": 0]
  var soloedCount = 0
  /// The bound of each bus, for the choice.
  var bounds: [Float] = [1]
  var fades = KeyedList<BusFade.Key, BusFade>()
  var duckers: [Ducker] = []
  /// The power of each bus at the last tick, while there are duckers.
  var powers: [Float] = []
  /// The frame up to which the duckers have moved.
  var duckedUntil = 0
  /// Whether another program plays music.
  var isOtherAudioPlaying = false
  var lastSendsVersion = 0
}
