import Foundation
import GameAudio

/// Moving emitters on a field around a moving listener, with zones, portals and rays or without, rendered offline.
final class SpaceScene {
  /// The parts of the scene beside its emitters.
  struct Parts: OptionSet {
    let rawValue: Int
    /// Three zones, of which two sound at the listener.
    static let zones = Parts(rawValue: 1)
    /// 100 openings between the zones and the outdoors.
    static let portals = Parts(rawValue: 2)
    /// 64 rays a frame.
    static let rays = Parts(rawValue: 4)
    static let all: Parts = [.zones, .portals, .rays]
  }

  static let rayCount = 64

  private var offline: OfflineRenderer
  private let timer = TickTimer()
  private let castsRays: Bool
  private let emitters: [Emitter]
  private var places: [SIMD3<Float>]
  private var mix: PCMBuffer<Float>
  private var frameNumber = 0
  let world: AudioWorld

  /// A scene with some of the parts.
  convenience init(count: Int, with parts: Parts) throws {
    try self.init(
      count: count,
      zones: parts.contains(.zones) ? Self.zones : [],
      portals: parts.contains(.portals) ? Self.portals : [],
      castsRays: parts.contains(.rays)
    )
  }

  /// A hall around the listener, whose openings all lead to the outdoors.
  convenience init(count: Int, openings: Int) throws {
    let hall = ReverbZone(.box(center: .zero, size: [10, 10, 10]), Reverb(.mediumRoom), name: "hall")
    let portals = (0..<openings).map { index in
      Portal(between: "hall", and: nil, at: [5, 0, Float(index) * 10 / Float(openings) - 5])
    }
    try self.init(count: count, zones: [hall], portals: portals, castsRays: false)
  }

  private init(count: Int, zones: [ReverbZone], portals: [Portal], castsRays: Bool) throws {
    self.castsRays = castsRays
    offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    mix = PCMBuffer(format: offline.format)
    timer.open(in: offline.context)
    world = AudioWorld(in: offline.context, voiceLimit: 64)
    world.zones = zones
    world.portals = portals
    let sound = Sound(EmitterScene.noise)
    places = EmitterScene.places(count)
    emitters = places.map { [world] place in
      let emitter = Emitter(playing: sound, in: world)
      (emitter.position, emitter.repeats) = (place, .forever)
      emitter.play()
      return emitter
    }
    timer.close(in: offline.context)
    // The first choices fill the voices.
    for _ in 0..<24 { frame() }
  }

  /// A frame of a game: the listener and all emitters move, the rays are cast, and two ticks are rendered.
  func frame() {
    step()
    castRays()
    offline.render(into: &mix, frameCount: 1_024)
  }

  /// The time of the rays and the ticks of a frame, without the time of the mix.
  func secondsOfFrame() -> Double {
    step()
    _ = timer.take()
    let rays = Turns.seconds(.thread, castRays)
    offline.render(into: &mix, frameCount: 1_024)
    return rays + timer.take()
  }

  /// Casts the rays of a frame.
  func castRays() {
    guard castsRays else { return }
    world.castRays(limit: Self.rayCount) { ray in Walls.answer(from: ray.origin, to: ray.target) }
  }

  /// Moves the listener on a circle, and all emitters to and fro.
  private func step() {
    frameNumber += 1
    let shift: Float = frameNumber.isMultiple(of: 2) ? 0.02 : -0.02
    for index in places.indices { places[index].x += shift }
    let (angle, places) = (Float(frameNumber) * 0.02, places)
    world.update {
      world.listener.position = [4 * cos(angle), 0, 4 * sin(angle)]
      world.move(emitters, to: places.span)
    }
  }

  // MARK: - The zones and the portals

  private static let zones = [("west", Float(-12.5)), ("middle", 0), ("east", 12.5)].map { name, x in
    ReverbZone(.box(center: [x, 0, 0], size: [name == "middle" ? 10 : 15, 10, 40]), Reverb(.mediumRoom), name: name)
  }

  /// Ten openings in each wall: between neighbours, and to the outdoors.
  private static let portals: [Portal] = (0..<10).flatMap { index -> [Portal] in
    let z = Float(index) * 4 - 18
    func portal(_ first: String, _ second: String?, _ x: Float, _ z: Float) -> Portal {
      Portal(between: first, and: second, at: [x, 0, z], openness: 1 - 0.05 * Float(index))
    }
    return [
      portal("west", "middle", -5, z), portal("west", "middle", -5, z + 1), portal("west", "middle", -5, z + 2),
      portal("middle", "east", 5, z), portal("middle", "east", 5, z + 1), portal("middle", "east", 5, z + 2),
      portal("west", nil, -20, z), portal("east", nil, 20, z),
      portal("middle", nil, z / 4, -20), portal("middle", nil, z / 4, 20),
    ]
  }
}

/// The walls of a level, and the answer to a ray: 16 boxes, as few as a level may have.
enum Walls {
  private static let centers: [SIMD3<Float>] = (0..<16).map { index in
    let angle = Float(index) * .pi / 8
    return [9 * cos(angle), 0, 9 * sin(angle)]
  }

  /// Whether a box of two metres is between two positions.
  static func answer(from origin: SIMD3<Float>, to target: SIMD3<Float>) -> OcclusionResult {
    let way = target - origin
    for center in centers {
      let near = (center - 1 - origin) / way
      let far = (center + 1 - origin) / way
      let (low, high) = (pointwiseMin(near, far).max(), pointwiseMax(near, far).min())
      if max(low, 0) <= min(high, 1) { return .wall(-12) }
    }
    return .clear
  }
}
