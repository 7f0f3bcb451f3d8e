internal import Glibc
internal import Spatial3D

/// The occlusion of an emitter that the rays have found, and the occlusion in force.
///
/// Pure: no call and no lock.
struct RayAnswer: Equatable, Sendable {
  /// The occlusion in force and the occlusion that it moves to, in decibels.
  var occlusion: Float = 0
  var obstruction: Float = 0
  private(set) var nextOcclusion: Float = 0
  private(set) var nextObstruction: Float = 0
  /// The number of the call that has asked last; 0 for none since the emitter began.
  private(set) var call: UInt32 = 0
  /// Whether the next answer is the first since the emitter began.
  private(set) var isFirst = true

  /// The time in which the occlusion moves by 63 % of the difference, in seconds.
  ///
  /// Chosen: a game asks about each emitter a few times in a second, and the answers change in steps.
  static let smoothing: Float = 0.08

  var isMoving: Bool { occlusion != nextOcclusion || obstruction != nextObstruction }

  /// The calls since the last question; an emitter that was never asked about is older than all.
  func age(at call: UInt32) -> UInt32 { self.call == 0 ? .max : call &- self.call }

  /// Lets the next answer count as the first; the last one is in force until then.
  mutating func begin() {
    (isFirst, call) = (true, 0)
    settle()
  }

  /// Notes a question whose answer cannot be used: the last one stays.
  mutating func skip(at call: UInt32) { self.call = call }

  /// Takes an answer; a first one, and one for an emitter without a voice, is in force at once.
  mutating func take(occlusion: Float, obstruction: Float, at call: UInt32, isHeard: Bool) {
    (nextOcclusion, nextObstruction) = (occlusion, obstruction)
    if isFirst || !isHeard { settle() }
    (isFirst, self.call) = (false, call)
  }

  /// Puts the last answer in force.
  mutating func settle() { (occlusion, obstruction) = (nextOcclusion, nextObstruction) }

  /// Moves on by a time.
  mutating func step(seconds: Float) {
    let part = 1 - exp(-seconds / Self.smoothing)
    func next(_ value: Float, _ target: Float) -> Float {
      // 0.01 dB is inaudible; without an end the values would change in each tick.
      abs(target - value) < 0.01 ? target : value + (target - value) * part
    }
    occlusion = next(occlusion, nextOcclusion)
    obstruction = next(obstruction, nextObstruction)
  }
}
