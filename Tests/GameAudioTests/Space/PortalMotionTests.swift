import GameAudio
import Spatial3DTesting
import Testing

/// Motion, cones and changes of portals in a mix.
@Suite struct PortalMotionTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  private static func zones(_ count: Int) -> [ReverbZone] {
    (0..<count).map { index in
      let shape = ReverbZone.Shape.box(center: [Float(index) * 10 - 5, 0, 0], size: [10, 4, 20])
      return ReverbZone(shape, Reverb(.smallRoom, level: -40), fade: 0, name: "\(index)")
    }
  }

  private static func emitter(at place: SIMD3<Float>, in world: AudioWorld) -> Emitter {
    let tone = Sound(TestSignal.sine(frequency: 440, duration: .seconds(1), format: mono, amplitude: 0.5))
    let emitter = Emitter(playing: tone, in: world)
    (emitter.repeats, emitter.position) = (.forever, place)
    return emitter
  }

  /// Two rooms with a door, a listener in one of them, and an emitter in the other one.
  private static func house(in context: AudioContext) -> (AudioWorld, Emitter) {
    let world = AudioWorld(in: context)
    world.listener.position = [-3, 0, 0]
    world.zones = zones(2)
    world.portals = [Portal(between: "0", and: "1", at: [0, 0, -8], radius: 0.5)]
    return (world, emitter(at: [3, 0, 0], in: world))
  }

  @Test func `A sound that goes away from the door has a lower pitch`() throws {
    for (speed, expected) in [(20, 0.95), (-20, 1.055)] as [(Float, Float)] {
      var offline = try OfflineRenderer(format: Self.mono)
      let (world, emitter) = Self.house(in: offline.context)
      emitter.velocity = [0, 0, speed]
      emitter.play()
      offline.render(frameCount: 4_096)
      #expect(abs(emitter.inspector.shift - expected) < 0.005)
      let way = try #require(emitter.inspector.voicePosition) - world.listener.position
      let velocity = try #require(emitter.inspector.voiceVelocity)
      #expect((velocity * way).sum() * speed > 0)
    }
  }

  @Test func `A cone that faces the door is louder than one that faces away`() throws {
    func level(_ direction: SIMD3<Float>) throws -> Decibels {
      var offline = try OfflineRenderer(format: Self.mono)
      let (_, emitter) = Self.house(in: offline.context)
      emitter.direction = direction
      emitter.cone = Cone(innerAngle: 60, outerAngle: 120, outerGain: 0.1)
      emitter.play()
      let level = offline.render(.seconds(1)).level(at: 440)
      let gain: Float = direction.z < 0 ? 1 : 0.1
      #expect(abs(emitter.inspector.coneFactor - gain) < 0.01)
      return level
    }
    #expect(abs((try level([-3, 0, -7.5]) - level([3, 0, 7.5])).rawValue - 20) < 0.3)
  }

  @Test func `A change far along the way glides`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    world.listener.position = [-3, 0, 0]
    world.zones = Self.zones(3)
    world.portals = [
      Portal(between: "0", and: "1", at: [0, 0, 0]), Portal(between: "1", and: "2", at: [10, 0, 0]),
      Portal(between: "1", and: "2", at: [10, 0, 9]),
    ]
    let emitter = Self.emitter(at: [13, 0, 0], in: world)
    emitter.play()
    offline.render(frameCount: 4_096)
    func distance() throws -> Float {
      let place = try #require(emitter.inspector.voicePosition)
      return (place - world.listener.position).norm
    }
    let before = try distance()
    var (last, largest) = (before, Float(0))
    world.portals[1].openness = 0
    for _ in 0..<24 {
      offline.render(frameCount: 512)
      largest = try max(largest, abs(distance() - last))
      last = try distance()
    }
    #expect(last > before + 5 && largest < (last - before) / 10, "\(before) to \(last) in steps of \(largest)")
  }

  @Test func `A ray passes the present portal, after another one was removed`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    world.listener.position = [-3, 0, 0]
    world.zones = Self.zones(2)
    world.portals = [
      Portal(between: "0", and: nil, at: [-5, 0, 10]), Portal(between: "0", and: "1", at: [0, 0, -8]),
      Portal(between: "1", and: nil, at: [5, 0, 10]),
    ]
    let emitter = Self.emitter(at: [3, 0, 0], in: world)
    emitter.play()
    offline.render(frameCount: 4_096)
    let before = try #require(emitter.inspector.voicePosition)
    world.portals.removeFirst()
    let targets = Collected<SIMD3<Float>>()
    world.castRays { ray in
      targets.append(ray.target)
      return .clear
    }
    #expect(targets.all == [[0, 0, -8]])
    #expect("\(world.explain(emitter))".contains("through portal 0–1"))
    world.portals.removeFirst()
    world.castRays { _ in
      Issue.record("A sound behind a wall is no question.")
      return .clear
    }
    #expect("\(world.explain(emitter))".contains("wall between the rooms"))
    // The change glides all the same.
    offline.render(frameCount: 512)
    let after = try #require(emitter.inspector.voicePosition)
    #expect((after - before).norm < 2)
  }

  @Test func `A door that moves searches no room`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    world.zones = Self.zones(2)
    world.portals = [Portal(between: "0", and: "1", at: [0, 0, -8])]
    let emitter = Self.emitter(at: [3, 0, 0], in: world)
    emitter.play()
    offline.render(frameCount: 2_048)
    let version = world.inspector.roomVersion
    for step in 1...10 {
      world.portals[0].openness = 1 - Float(step) / 20
      world.wallOcclusion = Decibels(-30 - Float(step))
      offline.render(frameCount: 512)
    }
    #expect(world.inspector.roomVersion == version)
    #expect(abs((emitter.inspector.pathOcclusion ?? 0) + 6.02) < 0.1)
    // A portal that moves, moves its doorway.
    world.portals[0].position.z = -7
    #expect(world.inspector.roomVersion > version)
  }

  @Test func `The world may change inside of castRays`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    world.listeners = [Listener(position: [-3, 0, 0]), Listener(position: [8, 0, 0])]
    world.zones = Self.zones(3)
    world.portals = [Portal(between: "0", and: "1", at: .zero), Portal(between: "1", and: "2", at: [10, 0, 0])]
    let emitters = [3, -4, 12].map { Self.emitter(at: [$0, 0, 0], in: world) }
    for emitter in emitters { emitter.play() }
    offline.render(frameCount: 4_096)
    var calls = 0
    world.castRays { _ in
      calls += 1
      world.portals = []
      world.zones.removeLast()
      world.listeners = [Listener(position: [-3, 0, 0])]
      emitters[1].stop()
      world.update { world.castRays { _ in .clear } }
      return .wall(-20)
    }
    #expect(calls == 3)
    offline.render(frameCount: 8_192)
    #expect(world.snapshot().emitters.count == 3)
    #expect(emitters.allSatisfy { $0.inspector.owner == 0 })
  }

  @Test func `Portals, zones and listeners may change beside the mix`() async throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    world.zones = Self.zones(4)
    let emitters = (0..<8).map { Self.emitter(at: [Float($0) * 4, 0, 0], in: world) }
    for emitter in emitters { emitter.play() }
    let game = Task.detached {
      for frame in 0..<200 {
        world.listeners = (0...frame % 4).map { Listener(position: [Float($0 * 9), 0, 1]) }
        world.portals = (0..<frame % 5).map { Portal(between: "\($0)", and: "\($0 + 1)", at: [Float($0) * 10, 0, 0]) }
        if frame % 7 == 0 { world.zones = Self.zones(2 + frame % 3) }
        world.castRays { _ in .wall(-12) }
        await Task.yield()
      }
    }
    for _ in 0..<200 {
      offline.render(frameCount: 256)
      await Task.yield()
    }
    await game.value
    offline.render(frameCount: 2_048)
    #expect(emitters.allSatisfy { $0.inspector.owner < world.listeners.count })
  }
}
