import GameAudio
import Stage

/// The house with its sounds in a world: zones for the rooms, portals for the doors, and an emitter for each monster.
final class HauntedHouse {
  /// The occlusion of a wall at 5 kHz, for portals and rays.
  static let wall: Decibels = -36
  /// The occlusion of a pillar at 5 kHz.
  static let pillar: Decibels = -24
  /// The change of a door's openness in a second.
  static let doorSpeed: Float = 1

  let world: AudioWorld
  /// A bus for each monster.
  let buses: [Bus]
  /// How far each door is to be open.
  private(set) var targets = Plan.doors.map(\.openness)
  private let emitters: [Emitter]
  /// The sounds by key: snapshots and recordings name them.
  private let bank: SoundBank
  private let step: Sound
  private let steps: Bus
  private var time = 0.0
  private var walked = 0.0
  private var lastPlace: SIMD2<Double>?

  init(in context: AudioContext) throws {
    world = AudioWorld(in: context, voiceLimit: 16)
    world.mixer.main.gain = .decibels(8)
    let all = world.mixer.makeBus("monsters")
    buses = Monster.all.map { [world] in world.mixer.makeBus(BusName($0.name), in: all) }
    steps = world.mixer.makeBus("steps")
    steps.gain = .decibels(-9)
    let bank = SoundBank(in: world)
    bank.define("step", try MonsterSounds.step())
    step = try bank["step"]
    world.zones = Plan.zones
    world.portals = Plan.portals
    world.wallOcclusion = Self.wall
    var emitters: [Emitter] = []
    for (monster, bus) in zip(Monster.all, buses) {
      let key = SoundKey(monster.name)
      bank.define(key, Sound(try MonsterSounds.loop(of: monster)))
      let emitter = Emitter(playing: try bank[key], in: world, on: bus)
      emitter.repeats = .forever
      emitters.append(emitter)
    }
    (self.emitters, self.bank) = (emitters, bank)
  }

  /// Starts all monsters, with the listener at a position.
  func begin(at place: SIMD2<Double>, facing direction: SIMD2<Double>) {
    advance(by: 0, to: place, facing: direction)
    for emitter in emitters { emitter.play() }
    castRays()
  }

  /// The position of each monster now.
  var monsters: [SIMD2<Double>] { Monster.all.map { $0.place(at: time) } }

  /// How far each door is open now.
  var openness: [Float] { world.portals.map(\.openness) }

  /// Opens a door, or closes it; it moves with the next frames.
  func setDoor(_ index: Int, isOpen: Bool) { targets[index] = isOpen ? 1 : 0 }

  /// The frame of the scripted walk at a time.
  func advance(toRouteAt time: Double) {
    if let door = Route.legs[Route.leg(at: time)].opens { setDoor(door, isOpen: true) }
    let step = Route.step(at: time)
    advance(by: 1 / Double(Route.updateRate), to: step.place, facing: step.direction)
  }

  /// One frame of the game: doors and monsters move, the listener walks, and the world asks for the walls.
  func advance(by seconds: Double, to place: SIMD2<Double>, facing direction: SIMD2<Double>) {
    time += seconds
    let way = place - (lastPlace ?? place)
    walked += (way * way).sum().squareRoot()
    lastPlace = place
    world.update {
      world.listener.position = Plan.scenePosition(place)
      world.listener.orientation = Orientation(forward: Plan.scenePosition(direction, height: 0), up: [0, 1, 0])
      for (monster, emitter) in zip(Monster.all, emitters) {
        emitter.position = Plan.scenePosition(monster.place(at: time))
      }
      moveDoors(by: seconds)
      if walked >= 0.75 {
        walked = 0
        world.playOnce(step, at: Plan.scenePosition(place, height: 0), on: steps)
      }
    }
    castRays()
  }

  private func moveDoors(by seconds: Double) {
    let most = Self.doorSpeed * Float(seconds)
    for (index, target) in targets.enumerated() where world.portals[index].openness != target {
      let change = target - world.portals[index].openness
      world.portals[index].openness += min(max(change, -most), most)
    }
  }

  /// Answers the rays of the world by the plan.
  private func castRays() {
    let openness = openness
    world.castRays(limit: 16) { ray in
      func place(_ position: SIMD3<Float>) -> SIMD2<Double> { [Double(position.x), Double(position.z)] }
      switch Plan.obstacle(from: place(ray.origin), to: place(ray.target), openness: openness) {
      case .nothing: return .clear
      case .pillar: return .obstacle(Self.pillar)
      case .wall: return .wall(Self.wall)
      }
    }
  }

  /// The path, the occlusion and the level of each monster now.
  var hearings: [Hearing] { emitters.map { Hearing(world.explain($0)) } }
}
