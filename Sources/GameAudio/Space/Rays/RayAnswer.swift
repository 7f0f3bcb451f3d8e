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
      abs(target - value) < 0.01 ? target : value + (target - value) * part
    }
    occlusion = next(occlusion, nextOcclusion)
    obstruction = next(obstruction, nextObstruction)
  }
}

/// The mean of the answers to the rays of one emitter.
///
/// It is the mean of their powers, so that half hidden is half the power.
struct RayMean: Sendable {
  private var occlusion: Float = 0
  private var obstruction: Float = 0
  private var count: Float = 0

  mutating func add(_ result: OcclusionResult) {
    occlusion += Self.power(result.occlusion)
    obstruction += Self.power(result.obstruction)
    count += 1
  }

  /// The mean levels, in decibels of -100 to 0.
  var levels: (occlusion: Float, obstruction: Float) { (level(of: occlusion), level(of: obstruction)) }

  private static func power(_ level: Decibels) -> Float { pow(10, max(level.rawValue, -100) / 10) }

  private func level(of sum: Float) -> Float { min(max(10 * log10(sum / max(count, 1)), -100), 0) }
}

/// The ends of the rays to an emitter with a radius: its centre, and four points on the disc that faces the listener.
enum RayDisc {
  /// The number of rays for a radius.
  static func count(radius: Float) -> Int { radius > 0 ? 5 : 1 }

  /// The end of a ray; the ray with the index 0 ends at the centre.
  static func target(_ index: Int, of center: SIMD3<Float>, radius: Float, from origin: SIMD3<Float>) -> SIMD3<Float> {
    guard index > 0, radius > 0 else { return center }
    let way = center - origin
    let length = way.length
    let ahead = length > 0 ? way / length : SIMD3(0, 0, -1)
    // An axis far from the direction of the ray keeps the cross products exact.
    let axis: SIMD3<Float> = abs(ahead.y) < 0.9 ? SIMD3(0, 1, 0) : SIMD3(1, 0, 0)
    let side = normalized(ahead.crossed(with: axis))
    let offset = index % 2 == 1 ? side : side.crossed(with: ahead)
    return center + offset * (index < 3 ? radius : -radius)
  }

  private static func normalized(_ vector: SIMD3<Float>) -> SIMD3<Float> {
    vector / max(vector.length, .leastNormalMagnitude)
  }
}
