import GameAudio
import Spatial3DTesting

// The zones, the portals, the rays and the listeners of a random game.

extension RandomScene {
  private static let rooms = ["hall", "cell", "cave"]

  /// Changes the space of the game.
  mutating func actOnSpace() {
    switch Int.random(in: hasZones ? 0..<9 : 3..<9, using: &random) {
    case 0...1:
      var zones: [ReverbZone] = []
      for name in Self.rooms.prefix(Int.random(in: 0...5, using: &random)) { zones.append(zone(name)) }
      world.zones = zones
    case 2:
      // A zone that moves sounds on.
      guard let index = world.zones.indices.randomElement(using: &random) else { return }
      let shape = shape()
      world.zones[index].shape = shape
    case 3...4:
      var portals: [Portal] = []
      for _ in 0..<Int.random(in: 0...4, using: &random) { portals.append(portal()) }
      world.portals = portals
    case 5:
      guard let index = world.portals.indices.randomElement(using: &random) else { return }
      let openness = number(0...1)
      world.portals[index].openness = openness
    case 6:
      let level = Decibels(number(-40...0))
      world.wallOcclusion = level
    case 7:
      var listeners: [Listener] = []
      for _ in 0..<Int.random(in: 1...4, using: &random) { listeners.append(listener()) }
      world.listeners = listeners
    default: castRays()
    }
  }

  /// Answers the rays of a frame.
  mutating func castRays() {
    let limit = Int.random(in: 1...12, using: &random)
    var random = random
    world.castRays(limit: limit) { _ in
      let level = Decibels(Float.random(in: -40...0, using: &random))
      return [.clear, .wall(level), .obstacle(level)].randomElement(using: &random) ?? .clear
    }
    self.random = random
  }

  private mutating func zone(_ name: String) -> ReverbZone {
    ReverbZone(
      shape(),
      Reverb(
        efx: [.cave, .hangar, .livingRoom].randomElement(using: &random) ?? .cave,
        level: Decibels(number(-12...0))
      ),
      fade: number(0...8),
      priority: Int.random(in: 0...1, using: &random),
      name: name
    )
  }

  private mutating func shape() -> ReverbZone.Shape {
    switch Int.random(in: 0..<3, using: &random) {
    case 0: .sphere(center: place(), radius: number(3...20))
    case 1: .box(center: place(), size: [number(5...30), 8, number(5...30)], yaw: number(-90...90))
    default: .hull([place(), place(), place(), place(), place(), place()])
    }
  }

  private mutating func portal() -> Portal {
    let rooms = (Self.rooms + [nil] as [String?]).shuffled(using: &random)
    return Portal(
      between: rooms[0],
      and: rooms[1],
      at: place(),
      radius: number(0...2),
      openness: Bool.random(using: &random) ? 1 : number(0...1)
    )
  }

  private mutating func listener() -> Listener {
    Listener(
      position: place(),
      velocity: place(),
      orientation: Orientation(forward: place(), up: [0, 1, 0]),
      gain: Gain(number(0.5...1))
    )
  }
}
