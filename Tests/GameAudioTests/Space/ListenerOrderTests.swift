import GameAudio
import Spatial3DTesting
import Testing

/// Four listeners: the order of those behind the first one changes nothing that is heard.
@Suite struct ListenerOrderTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let orders = [[1, 2, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]]

  private static let heads = [
    Listener(position: [3, 0, 1]),
    Listener(position: [400, 5, 0], orientation: Orientation(forward: [1, 0, 0.4], up: [0, 1, 0]), gain: 0.5),
    Listener(
      position: [0, 0, 900],
      velocity: [2, 0, 9],
      orientation: Orientation(forward: [0, 1, 0], up: [1, 0, 0]),
      gain: 2
    ), Listener(position: [-700, 0, -30], velocity: [0, 0, -4]),
  ]

  /// The results of a world with four listeners.
  private struct Result: Equatable {
    var mix: [Float] = []
    /// The head of each emitter, by its index in the first order.
    var owners: [Int?] = []
    var zones: [[Float?]] = []
    var virtual: [Bool] = []
    var rays: [SIMD3<Float>] = []
    var places: [Double] = []
  }

  private static func result(_ order: [Int]) throws -> Result {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context, voiceLimit: 6)
    let all = [0] + order
    world.listeners = all.map { heads[$0] }
    // The zones of one reverb sound with one unit, with a part for each listener.
    world.zones = heads.indices.map { index in
      let center = heads[index].position + [0, 0, Float(index)]
      return ReverbZone(.sphere(center: center, radius: 2), Reverb(.smallRoom), fade: 6, name: "zone \(index)")
    }
    // Two rooms around each head, with a door between them.
    for (index, head) in heads.enumerated() {
      let center = head.position + SIMD3(20, 0, 0)
      world.zones.append(ReverbZone(.box(center: center, size: [8, 4, 8]), Reverb(.plate), name: "room \(index)"))
      world.portals.append(
        Portal(between: "room \(index)", and: nil, at: center - SIMD3(4, 0, 0), openness: 0.5)
      )
    }
    var emitters: [Emitter] = []
    for (index, head) in heads.enumerated() {
      for place in [SIMD3<Float>(2, 0.5, -1), SIMD3(20, 0, 1), SIMD3(-9, 0, 4)] {
        let tone = TestSignal.sine(
          frequency: 300 + 90 * Double(emitters.count),
          duration: .seconds(1),
          format: mono,
          amplitude: 0.03 + 0.01 * Float(index)
        )
        let emitter = Emitter(playing: Sound(tone), in: world)
        (emitter.position, emitter.repeats, emitter.direction) = (head.position + place, .forever, [0, 0, 1])
        emitter.velocity = [0, 3, 1]
        emitter.cone = Cone(innerAngle: 60, outerAngle: 200, outerGain: 0.2)
        emitter.play()
        emitters.append(emitter)
      }
    }
    var result = Result()
    result.mix = offline.render(.milliseconds(300)).samples
    var origins: [Emitter.ID: SIMD3<Float>] = [:]
    for _ in 0..<4 {
      world.castRays(limit: 6) { ray in
        origins[ray.emitter] = ray.origin
        return .wall(ray.origin.x < 0 ? -9 : 0)
      }
    }
    result.rays = emitters.map { origins[$0.id] ?? [.zero, .zero, -1] }
    result.mix += offline.render(.milliseconds(200)).samples
    let snapshot = world.snapshot()
    result.owners = snapshot.emitters.map { all[$0.listener ?? 0] }
    result.zones = snapshot.zones.map { [$0.weight, $0.level?.rawValue] }
    result.virtual = emitters.map(\.isVirtual)
    result.places = snapshot.emitters.map(\.place)
    return result
  }

  @Test func `The mix, the owners, the voices, the zones and the rays are those of any order`() throws {
    let first = try Self.result(Self.orders[0])
    // Each emitter has the listener that it is near.
    #expect(first.owners == (0..<12).map { $0 / 3 })
    #expect(first.virtual.contains(true) && first.virtual.contains(false))
    #expect(first.zones.prefix(4).allSatisfy { ($0[0] ?? 0) > 0.1 })
    for order in Self.orders.dropFirst() {
      let other = try Self.result(order)
      #expect(zip(first.mix, other.mix).allSatisfy { abs($0 - $1) < 1e-5 }, "\(order)")
      #expect(other.owners == first.owners && other.virtual == first.virtual && other.rays == first.rays, "\(order)")
      for (zone, same) in zip(other.zones, first.zones) {
        #expect(zip(zone, same).allSatisfy { abs(($0 ?? 0) - ($1 ?? 0)) < 1e-4 }, "\(order)")
      }
      #expect(zip(other.places, first.places).allSatisfy { abs($0 - $1) < 1e-5 }, "\(order)")
    }
  }

  @Test func `Fewer listeners leave each emitter with one of those that are left`() throws {
    for count in 1...4 {
      var offline = try OfflineRenderer(format: Self.mono)
      let world = AudioWorld(in: offline.context)
      let tone = Sound(TestSignal.sine(frequency: 400, duration: .seconds(1), format: Self.mono))
      world.listeners = (0..<4).map { Listener(position: [Float($0) * 50, 0, 0]) }
      let emitters = (0..<4).map { index in
        let emitter = Emitter(playing: tone, in: world)
        (emitter.position, emitter.repeats) = ([Float(index) * 50, 0, -1], .forever)
        emitter.play()
        return emitter
      }
      offline.render(.milliseconds(50))
      let owners = { emitters.map(\.inspector.owner) }
      #expect(owners() == [0, 1, 2, 3])
      world.listeners.removeLast(4 - count)
      // Voices that play around the others go on there until the next choice.
      #expect(owners() == [0, 1, 2, 3])
      #expect(world.inspector.listenerCount == count)
      #expect(world.inspector.earPositions.map(\.x) == [0, 50, 100, 150])
      offline.render(.milliseconds(50))
      #expect(owners() == (0..<4).map { min($0, count - 1) })
      #expect(world.inspector.earPositions.count == count)
      // The next listeners take the slots of the listeners that have gone.
      world.listeners.append(Listener(position: [1_000, 0, 0]))
      #expect(world.listeners.count == min(count + 1, 4))
    }
  }

  @Test
  func `An emitter that was paused around a listener that has gone comes back through the doors of the first one`()
    throws
  {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    world.zones = [
      ReverbZone(.box(center: [-5, 0, 0], size: [10, 4, 20]), Reverb(.smallRoom), fade: 0, name: "left"),
      ReverbZone(.box(center: [5, 0, 0], size: [10, 4, 20]), Reverb(.smallRoom), fade: 0, name: "right"),
    ]
    world.portals = [Portal(between: "left", and: "right", at: [0, 0, -8])]
    world.listeners = [Listener(position: [-5, 0, 0]), Listener(position: [5, 0, 1])]
    let tone = Sound(TestSignal.sine(frequency: 400, duration: .seconds(1), format: Self.mono))
    let emitter = Emitter(playing: tone, in: world)
    (emitter.position, emitter.repeats) = ([5, 0, 0], .forever)
    emitter.play()
    offline.render(.milliseconds(50))
    #expect(world.snapshot().emitters[0].listener == 1 && world.snapshot().emitters[0].path == nil)
    emitter.pause(.none)
    world.listeners.removeLast()
    offline.render(.milliseconds(50))
    emitter.play()
    var origins: [SIMD3<Float>] = []
    world.castRays { ray in
      origins.append(ray.origin)
      return .clear
    }
    offline.render(.milliseconds(50))
    let path = world.snapshot().emitters[0].path
    #expect(path?.portal == 0 && (path?.length ?? 0) > 17, "\(String(describing: path))")
    #expect(origins == [[-5, 0, 0]])
    // A new door is nearer; the paths are searched from the same listener.
    world.portals.append(Portal(between: "left", and: "right", at: [0, 0, 1]))
    var targets: [SIMD3<Float>] = []
    world.castRays { ray in
      targets.append(ray.target)
      return .clear
    }
    #expect(targets == [[0, 0, 1]] && world.snapshot().emitters[0].path?.portal == 1)
  }
}
