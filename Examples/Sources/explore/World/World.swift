import Foundation
import GameAudio
import Stage

/// The state of the exploration: a listener and sounds on a plan.
///
/// It has no effects: ``Soundscape`` applies it to a context.
struct World: Sendable {
  /// A sound at a position.
  struct Sound: Hashable, Sendable {
    let name: String
    let place: SIMD2<Double>

    /// The change of its level behind a wall, in decibels.
    let wallLoss: Double

    var isMuted = false

    /// The occlusion by walls: the level at 5 kHz, in decibels.
    fileprivate(set) var occlusion = 0.0

    /// The occlusion by the walls at the present position of the listener, which ``occlusion`` approaches.
    fileprivate var targetOcclusion = 0.0
  }

  /// The number of updates a second.
  static let updateRate = 30

  /// The level at 5 kHz behind a wall, in decibels.
  static let wallLevel = -30.0

  /// The speed of a change of the occlusion, in decibels per second: a jump would click.
  static let occlusionSpeed = 150.0

  /// The fading of the sounds with distance.
  static let attenuation = DistanceAttenuation(referenceDistance: 3, model: .inverseClamped)

  /// The gain of every emitter.
  static let gain = 0.9

  /// The reverb of the hall; the garden has none.
  static let hall = Reverb(.largeHall, level: -10.5)

  /// The height of the hall, in metres.
  static let hallHeight: Float = 8

  /// The number of voices: one for each position of the plan.
  static let voices = Plan.house.places.count

  let plan: Plan
  private(set) var walker: Walker
  private(set) var sounds: [Sound]

  /// The sum of all updates, in seconds.
  private(set) var time = 0.0

  /// Sounds at the positions of a plan; sounds beyond the number of positions are left out.
  init(_ plan: Plan, sounds: [(name: String, wallLoss: Double)]) {
    self.plan = plan
    walker = Walker(at: plan.start)
    self.sounds = zip(sounds, plan.places).map { Sound(name: $0.name, place: $1, wallLoss: $0.wallLoss) }
    updateTargets()
    for index in self.sounds.indices { self.sounds[index].occlusion = self.sounds[index].targetOcclusion }
  }

  /// Does what a key asks for.
  mutating func perform(_ command: Command) {
    switch command {
    case .walk(let steps): walker.walk(steps)
    case .turn(let turns): walker.turn(turns)
    case .toggleMute(let index) where sounds.indices.contains(index): sounds[index].isMuted.toggle()
    default: break
    }
  }

  /// Lets a number of seconds pass.
  mutating func advance(by seconds: Double) {
    let before = walker.position
    walker.advance(by: seconds, on: plan)
    time += seconds
    if walker.position != before { updateTargets() }
    let most = Self.occlusionSpeed * seconds
    for index in sounds.indices {
      let change = sounds[index].targetOcclusion - sounds[index].occlusion
      sounds[index].occlusion += min(max(change, -most), most)
    }
  }

  private mutating func updateTargets() {
    for index in sounds.indices { sounds[index].targetOcclusion = wallShare(before: index) * Self.wallLevel }
  }

  /// The part of a listener's width from which a wall hides a sound, from 0 to 1.
  ///
  /// The edge of an opening is therefore soft: the sound comes in step by step.
  func wallShare(before index: Int) -> Double {
    let place = sounds[index].place
    let way = place - walker.position
    let distance = (way * way).sum().squareRoot()
    guard distance > 0 else { return 0 }
    let aside = SIMD2(-way.y, way.x) / distance
    let offsets = [-0.3, -0.15, 0, 0.15, 0.3]
    let hidden = offsets.count { plan.hasWall(between: walker.position + aside * $0, and: place) }
    return Double(hidden) / Double(offsets.count)
  }

  /// The listener of the scene: the plan lies on the ground, and up on it is -z.
  var listener: Listener {
    Listener(
      position: Self.scenePosition(walker.position),
      velocity: Self.scenePosition(walker.velocity),
      orientation: Orientation(forward: Self.scenePosition(walker.direction), up: [0, 1, 0])
    )
  }

  /// A vector of the plan in the scene.
  static func scenePosition(_ vector: SIMD2<Double>) -> SIMD3<Float> { [Float(vector.x), 0, Float(vector.y)] }

  /// Whether the listener is in the hall.
  var isInHall: Bool { plan.ground(at: walker.position) == .hall }

  /// The direction and distance of a sound from the listener.
  func polarPosition(of index: Int) -> PolarPosition {
    listener.polarPosition(of: Self.scenePosition(sounds[index].place))
  }

  /// The calculated change of a sound's level on its direct path to the listener, in decibels.
  ///
  /// The sum of the emitter's gain, the inverse distance law, and the loss behind a wall. The room adds to what is
  /// heard. Minus infinity if the sound is muted.
  func directLevel(of index: Int) -> Double {
    let sound = sounds[index]
    guard !sound.isMuted else { return -.infinity }
    let reference = Double(Self.attenuation.referenceDistance)
    let distance = max(Double(polarPosition(of: index).distance), reference)
    return 20 * log10(Self.gain * reference / distance) + sound.occlusion / Self.wallLevel * sound.wallLoss
  }
}
