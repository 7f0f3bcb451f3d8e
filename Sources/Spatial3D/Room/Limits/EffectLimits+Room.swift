import Glibc

extension EffectLimits {
  /// A room with the nearest values that the library computes with.
  ///
  /// A room is unchanged if the library computes with all of its values. Otherwise:
  ///
  /// - A band that falls much faster than the middle one decays more slowly.
  /// - A band that would never fall decays faster.
  /// - A low reference that is a small part of the rate is raised.
  func limited(_ room: RoomAcoustics) -> RoomAcoustics {
    var room = room
    liftShelves(&room)
    endDecays(&room)
    steady(&room)
    return room
  }

  /// Shelves below the least gain are lifted to it.
  private func liftShelves(_ room: inout RoomAcoustics) {
    guard let least = leastShelfGain else { return }
    let feedback = LateFeedback(room, self)
    guard feedback.leastShelfGain < least, let longest = feedback.lengths.max() else { return }
    // The value is a little higher, to stay above the limit after rounding.
    let shortest = 1.0001 / (1 / feedback.middle - log10(least) / (3 * longest))
    if feedback.low < shortest { room.setLowDecay(shortest) }
    if feedback.high < shortest { room.setHighDecay(atLeast: shortest, self) }
  }

  /// The library applies a shelf's decibels twice: a band that is to decay twice as long as the middle would never
  /// decay.
  private func endDecays(_ room: inout RoomAcoustics) {
    let feedback = LateFeedback(room, self)
    let longest = Self.largestRatio * feedback.middle
    if feedback.low > longest { room.setLowDecay(longest) }
    if feedback.high > longest { room.highFrequencyDecayRatio = Float(Self.largestRatio) }
  }

  /// Moves shelves that rounding errors of the library may make unstable.
  private func steady(_ room: inout RoomAcoustics) {
    for _ in 0..<Self.steps {
      let feedback = LateFeedback(room, self)
      let (lowest, highest) = (feedback.lowest, feedback.highest)
      let isLowSteady = lowest.gain < Self.steadyTurn
      if isLowSteady, highest.gain < Self.steadyTurn { return }
      if isLowSteady || lowest.lowError < lowest.highError {
        room.setHighDecay(feedback.high * (feedback.high < feedback.middle ? 1.02 : 1 / 1.02), self)
      } else if room.lowFrequencyReference < 1_000 {
        room.lowFrequencyReference = min(room.lowFrequencyReference * 1.05, 1_000)
      } else {
        room.setLowDecay(feedback.low * (feedback.low < feedback.middle ? 1.02 : 1 / 1.02))
      }
    }
  }

  /// A band with this ratio decays 19 times as long as the middle.
  private static let largestRatio = 1.9
  /// The largest part of a band that a turn of the feedback may leave.
  private static let steadyTurn = 0.9998
  /// The number of steps from 20 to 1,000 Hz, and from 0.1 to 20 s.
  private static let steps = 400
}

extension RoomAcoustics {
  fileprivate mutating func setLowDecay(_ time: Double) {
    lowFrequencyDecayRatio = Float(time / Double(decayTime.inSeconds)).clamped(to: 0.1...2)
  }

  fileprivate mutating func setHighDecay(_ time: Double, _ limits: EffectLimits) {
    highFrequencyDecayRatio = Float(time / Double(decayTime.inSeconds)).clamped(to: 0.1...2)
    liftAirLimit(to: time, limits)
  }

  /// Raises a shorter decay to `time`, and leaves a longer one.
  fileprivate mutating func setHighDecay(atLeast time: Double, _ limits: EffectLimits) {
    let ratio = Float(time / Double(decayTime.inSeconds))
    highFrequencyDecayRatio = max(highFrequencyDecayRatio, ratio.clamped(to: 0.1...2))
    liftAirLimit(to: time, limits)
  }

  private mutating func liftAirLimit(to time: Double, _ limits: EffectLimits) {
    guard let limit = airDecayTime(limits), limit < time else { return }
    let gain = Float(pow(10, -3 / (time * EffectLimits.speedOfSound)))
    airAbsorptionGain = Gain(gain.clamped(to: 0.892...1))
    while let limit = airDecayTime(limits), limit < time {
      airAbsorptionGain = Gain(airAbsorptionGain.rawValue.nextUp)
    }
  }
}
