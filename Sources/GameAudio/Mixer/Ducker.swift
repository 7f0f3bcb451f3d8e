internal import Spatial3D

/// The state of one ``Ducking``: the level by which a bus is lowered at present.
///
/// The level moves at the same speed from any level, so that a condition that holds again in the middle of a release
/// goes on from the level in force. Pure: no call and no lock.
struct Ducker: Hashable, Sendable {
  /// The indices of the bus that is lowered, and of the bus whose sounds lower it.
  private(set) var target: BusIndex
  private(set) var trigger: BusIndex
  private(set) var ducking: Ducking
  /// The level in force, in decibels: 0 or below.
  private(set) var level: Float = 0
  private var isTriggered = false
  /// Whether the program has ended it: the level goes back, and the ducker goes.
  private(set) var isRetired = false
  /// The seconds of the hold that are left.
  private var holding = 0.0

  /// The lowest sum of the levels by which a bus is lowered: the dynamic range of 16 bits.
  static let floor: Float = -96
  /// The level above which a sound counts as playing.
  ///
  /// Chosen: below the pauses of speech in a recording, and above its noise.
  private static let audible: Decibels = -60
  /// The distance from the level that begins a condition to the level that ends it.
  ///
  /// Chosen: the level of speech changes by about as much from syllable to syllable.
  private static let hysteresis: Decibels = 6

  init(_ target: BusIndex, under trigger: BusIndex, _ ducking: Ducking) {
    (self.target, self.trigger, self.ducking) = (target, trigger, ducking)
  }

  /// The same state for other buses.
  func moved(to target: BusIndex, under trigger: BusIndex) -> Ducker {
    var copy = self
    (copy.target, copy.trigger) = (target, trigger)
    return copy
  }

  /// Applies other settings; the level goes on from its present value.
  mutating func set(_ ducking: Ducking) { (self.ducking, isRetired) = (ducking, false) }

  /// Ends the ducking by its release.
  mutating func retire() { (isRetired, holding) = (true, 0) }

  /// Moves the level over a time, with the level that the trigger's bus has now.
  mutating func advance(triggerLevel: Decibels, by seconds: Double) {
    let threshold: Decibels =
      switch ducking.trigger {
      case .playing: Self.audible
      case .level(let above): above.rawValue.isNaN ? .silence : above
      }
    isTriggered = !isRetired && triggerLevel > (isTriggered ? threshold - Self.hysteresis : threshold)
    if isTriggered {
      holding = max(ducking.hold / .seconds(1), 0)
      return approach(depth, in: ducking.attack, after: seconds)
    }
    let held = min(holding, seconds)
    holding -= held
    // An attack that the end of the condition cuts short stays where it is for the hold.
    if seconds > held { approach(0, in: ducking.release, after: seconds - held) }
  }

  /// The whole change.
  private var depth: Float {
    ducking.depth.rawValue.isNaN ? 0 : min(max(ducking.depth.rawValue, Self.floor), 0)
  }

  private mutating func approach(_ goal: Float, in duration: Duration, after seconds: Double) {
    let whole = duration / .seconds(1)
    guard whole > 0 else { return level = goal }
    let distance = max(-depth, -level) * Float(min(seconds / whole, 1))
    level = goal < level ? max(level - distance, goal) : min(level + distance, goal)
  }
}
