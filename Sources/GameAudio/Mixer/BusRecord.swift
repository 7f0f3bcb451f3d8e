internal import Spatial3D

/// The settings of a bus, and the values that follow from the settings of the buses above it.
struct BusRecord: Sendable {
  let name: String
  let parent: BusIndex?
  /// Whether its sounds have no position.
  let isDirect: Bool
  var gain: Float = 1
  var pitch: Float = 1
  var filter = ToneFilter()
  var isMuted = false
  var isSoloed = false
  /// The number of pauses without a resume, the level of their fade, and whether it has ended.
  var pauses = 0
  var pauseLevel: Float = 1
  var isHalted = false
  /// Whether the bus is silent while another program plays music, and the level of that.
  var mutesWithOtherAudio = false
  var otherAudioLevel: Float = 1
  /// The change by the duckers of the bus, in decibels.
  var duck: Float = 0
  var sends: [VoiceSend] = []
  /// The most processors of a bus.
  ///
  /// Chosen: more than a bus of a game or of a studio has.
  static let mostInserts = 16

  /// The stem of the bus; `nil` for a bus whose sounds are in the stem of a bus around it.
  var stem: StemIndex?
  /// The processors of the sum; `nil` while the program has not set any.
  var inserts: [Insert]?
  var limit: PlaybackLimit?
  /// The emitters on it or below it that count for its limit.
  var counted = 0
  /// The frame of the mix at which an emitter last began on it or below it.
  var lastBegin: Int?

  /// The first bus inside this bus, and the next bus with the same parent.
  var firstChild: BusIndex?
  var nextSibling: BusIndex?
  /// The values for the sounds of the bus.
  var totals = BusTotals()
  /// The numbers of the last updates that have changed the pitch, and that have paused the sounds or ended their pause.
  var pitchUpdate: Int?
  var pauseUpdate: Int?

  init(name: String, parent: BusIndex?, isDirect: Bool = false) {
    (self.name, self.parent, self.isDirect) = (name, parent, isDirect)
  }

  /// Copies the settings of another bus, with sends of its own.
  mutating func copySettings(of other: BusRecord, sends: [VoiceSend]) {
    (gain, pitch, filter) = (other.gain, other.pitch, other.filter)
    (isMuted, isSoloed, limit, duck) = (other.isMuted, other.isSoloed, other.limit, other.duck)
    (pauses, pauseLevel, isHalted) = (other.pauses, other.pauseLevel, other.isHalted)
    (mutesWithOtherAudio, otherAudioLevel) = (other.mutesWithOtherAudio, other.otherAudioLevel)
    self.sends = sends
  }

  /// The gain of the bus by itself: a mute and a pause are part of it, a solo of another bus is not.
  var ownGain: Float { isMuted ? 0 : gain * pauseLevel * otherAudioLevel * (duck < 0 ? Decibels(duck).factor : 1) }

  /// The gain behind the inserts: a pause silences the sounds before them, so that a tail rings out.
  var faderGain: Float { isMuted ? 0 : gain * otherAudioLevel * (duck < 0 ? Decibels(duck).factor : 1) }
}

/// The products and sums of the settings along the path from the root to a bus.
struct BusTotals: Sendable {
  /// The gain of the buses inside the bus, and the gain of its own sounds; a solo elsewhere silences only the sounds.
  var pathGain: Float = 1
  var gain: Float = 1
  /// Both without the gains of faders.
  var sourcePathGain: Float = 1
  var sourceGain: Float = 1
  /// The stem of its sounds.
  var stem = StemIndex.main
  /// The gains of the faders of the path, up to the stem of its sounds: a stem inside the bus has them in its fader.
  var innerGain: Float = 1
  /// The levels of the pauses of the path, which the sources have: a tail rings out.
  var pauseGain: Float = 1
  /// The gain that the fader of the bus is to have, if it has a stem.
  var faderGain: Float = 1
  var pitch: Float = 1
  /// The filter, in decibels.
  var low: Float = 0
  var high: Float = 0
  var isPaused = false
  /// Whether a bus of the path is soloed.
  var isInSolo = false
  /// The strongest send to each effect, and the number of their changes; 0 if there was never one.
  var sends: [VoiceSend] = []
  var sendsVersion = 0

  var filter: ToneFilter { ToneFilter(low: Decibels(max(low, -60)), high: Decibels(max(high, -60))) }

  /// The largest factor by which the bus makes a sound audible, by the direct path and by the effects together.
  var bound: Float { isPaused ? 0 : gain * (1 + sends.power).squareRoot() }
}

extension [VoiceSend] {
  /// Adds a send; of two to one effect the stronger one stays.
  mutating func join(_ send: VoiceSend) {
    if let index = firstIndex(where: { $0.unit === send.unit }) {
      self[index].gain = Swift.max(self[index].gain, send.gain)
    } else {
      append(send)
    }
  }

  /// The sends of an emitter and the sends of its buses: an own send to an effect replaces the send of a bus.
  ///
  /// The strongest come first, as the output may grant less than all.
  func joined(inheriting inherited: [VoiceSend]) -> [VoiceSend] {
    guard !inherited.isEmpty else { return self }
    var sends = self
    for send in inherited where !contains(where: { $0.unit === send.unit }) { sends.append(send) }
    if sends.count > 1 { sends.sort { $0.gain > $1.gain } }
    return sends
  }

  /// The sum of the powers of all sends.
  var power: Float { reduce(0) { $0 + $1.gain * $1.gain } }
}
