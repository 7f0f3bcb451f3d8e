import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// Calls of `castRays` in which answers are wrong, the world changes, or other calls run.
@Suite struct RayCallTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let tone = Sound(
    TestSignal.sine(frequency: 1_000, duration: .seconds(1), format: mono, amplitude: 0.5)
  )

  private static func emitters(_ count: Int, in world: AudioWorld) -> [Emitter] {
    (0..<count).map { index in
      let emitter = Emitter(playing: tone, in: world)
      (emitter.repeats, emitter.position) = (.forever, [Float(index) / 10, 0, -1])
      emitter.play()
      return emitter
    }
  }

  @Test func `Wrong answers for some emitters do not keep the others from being asked about`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitters = Self.emitters(40, in: world)
    offline.render(frameCount: 1_024)
    let wrong = Set(emitters.prefix(10).map(\.id))
    var asked: [Emitter.ID: Int] = [:]
    for _ in 0..<8 {
      world.castRays(limit: 10) { ray in
        asked[ray.emitter, default: 0] += 1
        return wrong.contains(ray.emitter) ? .wall(.init(.nan)) : .wall(-6)
      }
    }
    for emitter in emitters { #expect(asked[emitter.id] == 2) }
    #expect(emitters.map { $0.inspector.nextRayOcclusion == -6 } == emitters.map { !wrong.contains($0.id) })
  }

  @Test func `Each emitter that competes for a voice is asked about before it has one`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context, voiceLimit: 4)
    let emitters = Self.emitters(12, in: world)
    var asked: Set<Emitter.ID> = []
    for _ in 0..<8 {
      offline.render(frameCount: 1_024)
      world.castRays(limit: 10) { ray in
        asked.insert(ray.emitter)
        return .clear
      }
    }
    #expect(asked == Set(emitters.map(\.id)))
  }

  @Test func `The first answer to a voice that was mixed moves as later ones do`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitter = Self.emitters(1, in: world)[0]
    var samples = offline.render(frameCount: 256).samples
    world.castRays { _ in .wall(-60) }
    #expect(emitter.inspector.voiceOcclusion == 0)
    samples += offline.render(.seconds(1)).samples
    let mix = try PCMBuffer(samples: samples, format: Self.mono)
    #expect(mix.clicks(highestFrequency: 1_000).isEmpty)
  }

  @Test func `A ray passes the portal of the way also after another one was removed`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let silent = Reverb(.smallRoom, level: -40)
    world.zones = [
      ReverbZone(.box(center: [-5, 0, 0], size: [10, 4, 20]), silent, fade: 0, name: "left"),
      ReverbZone(.box(center: [5, 0, 0], size: [10, 4, 20]), silent, fade: 0, name: "right"),
    ]
    world.portals = [
      Portal(between: "left", and: nil, at: [-5, 0, 10]), Portal(between: "left", and: "right", at: [0, 0, -8]),
      Portal(between: "left", and: "right", at: [0, 0, 9]),
    ]
    world.listener.position = [-3, 0, -1]
    let emitter = Self.emitters(1, in: world)[0]
    emitter.position = [3, 0, -1]
    offline.render(.milliseconds(500))
    world.portals.remove(at: 0)
    var target = SIMD3<Float>.zero
    world.castRays { ray in
      target = ray.target
      return .clear
    }
    #expect(target == [0, 0, -8])
  }

  @Test func `The closure may end emitters, replace what the world has, and cast rays itself`() throws {
    let zone = ReverbZone(.sphere(center: .zero, radius: 9), Reverb(.smallRoom), name: "room")
    let changes: [(AudioWorld, [Emitter]) -> Void] = [
      { $1[3].stop(.none) },
      { world, _ in world.zones = [zone] },
      { world, _ in world.zones = [] },
      { world, _ in world.portals = [Portal(between: "room", and: nil, at: [9, 0, 0])] },
      { world, _ in world.portals = [] },
      { world, _ in world.listeners = [Listener(), Listener(position: [0, 0, -2])] },
      { world, _ in world.listeners = [Listener()] },
      { world, _ in world.castRays(limit: 3) { _ in .wall(-3) } },
    ]
    for (number, change) in changes.enumerated() {
      var offline = try OfflineRenderer(format: Self.mono)
      let world = AudioWorld(in: offline.context)
      if number.isMultiple(of: 2) { world.zones = [zone] }
      let emitters = Self.emitters(8, in: world)
      offline.render(frameCount: 1_024)
      var count = 0
      world.castRays { _ in
        if count == 2 { change(world, emitters) }
        count += 1
        return .wall(-6)
      }
      #expect(count == 8)
      #expect(emitters.allSatisfy { $0.inspector.nextRayOcclusion == -6 }, "change \(number)")
      offline.render(frameCount: 1_024)
      world.update { world.castRays { _ in .wall(-9) } }
      offline.render(.seconds(1))
      #expect(emitters[0].inspector.nextRayOcclusion == -9)
    }
  }

  @Test func `An answer for an emitter that has ended in the closure does not reach its successor`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitters = Self.emitters(3, in: world)
    var last: Emitter? = Self.emitters(1, in: world)[0]
    let slot = last?.inspector.slot
    offline.render(frameCount: 1_024)
    var new: Emitter?
    world.castRays { _ in
      if last != nil {
        last?.stop(.none)
        last = nil
        new = Self.emitters(1, in: world)[0]
      }
      return .wall(-6)
    }
    #expect(emitters.allSatisfy { $0.inspector.nextRayOcclusion == -6 })
    #expect(new?.inspector.slot == slot)
    #expect(new.map { $0.inspector.nextRayOcclusion } == 0)
    offline.render(frameCount: 1_024)
  }

  @Test(.hangLimit) func `Rays from two threads, zones, portals and listeners change beside the ticks`() async throws {
    let world = AudioWorld(in: try AudioContext(device: .silent))
    let emitters = Self.emitters(16, in: world)
    await withTaskGroup(of: Void.self) { group in
      for thread in 0..<2 {
        group.addTask {
          for _ in 0..<300 { world.castRays(limit: 5) { _ in .wall(thread == 0 ? -6 : -12) } }
        }
      }
      group.addTask {
        for index in 0..<300 {
          world.zones = (0...index % 3).map {
            ReverbZone(
              .sphere(center: [Float($0), 0, 0], radius: 2),
              Reverb(.smallRoom, level: Decibels(-Float(index))),
              name: "room"
            )
          }
        }
      }
      group.addTask {
        for index in 0..<300 {
          world.listeners = (0...index % 3).map { Listener(position: [Float($0), 0, 0]) }
          world.portals = index.isMultiple(of: 2) ? [] : [Portal(between: nil, and: "room", at: [1, 0, 0])]
        }
      }
    }
    world.castRays(limit: 16) { _ in .wall(-20) }
    world.portals = []
    world.castRays(limit: 16) { _ in .wall(-20) }
    try await eventually("the answers are in force") {
      world.castRays(limit: 16) { _ in .wall(-20) }
      return emitters.allSatisfy { abs($0.inspector.nextRayOcclusion + 20) < 0.1 }
    }
  }
}
