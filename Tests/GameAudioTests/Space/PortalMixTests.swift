import GameAudio
import Spatial3DTesting
import Testing

/// Portals in a mix.
@Suite struct PortalMixTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let stereo = PCMFormat.stereo(sampleRate: 48_000)

  private static func tone(_ frequency: Double) -> Sound {
    Sound(TestSignal.sine(frequency: frequency, duration: .seconds(1), format: mono, amplitude: 0.5))
  }

  /// Two rooms beside each other, 10 m wide, with a door at the back of the wall between them.
  private static func house(_ world: AudioWorld, openness: Float = 1) {
    let silent = Reverb(.smallRoom, level: -40)
    world.zones = [
      ReverbZone(.box(center: [-5, 0, 0], size: [10, 4, 20]), silent, fade: 0, name: "left"),
      ReverbZone(.box(center: [5, 0, 0], size: [10, 4, 20]), silent, fade: 0, name: "right"),
    ]
    world.portals = [Portal(between: "left", and: "right", at: [0, 0, -8], radius: 0.5, openness: openness)]
  }

  private static func emitter(_ frequency: Double, in world: AudioWorld) -> Emitter {
    let emitter = Emitter(playing: tone(frequency), in: world)
    (emitter.repeats, emitter.position) = (.forever, [3, 0, 0])
    return emitter
  }

  @Test func `A sound in the next room comes from the door, at the distance of the way`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    world.listener.position = [-3, 0, 0]
    Self.house(world)
    let emitter = Self.emitter(440, in: world)
    emitter.play()
    let level = offline.render(.seconds(1)).level(at: 440)
    let straight = try OfflineRenderer(format: Self.mono)
    offline = straight
    let open = AudioWorld(in: offline.context)
    let free = Self.emitter(440, in: open)
    // Twice the distance to the edge of the opening.
    free.position = [0, 0, -2 * SIMD3<Float>(3, 0, 7.5).norm]
    free.play()
    #expect(abs((level - offline.render(.seconds(1)).level(at: 440)).rawValue) < 0.2)
    let explanation = "\(world.explain(emitter))"
    #expect(explanation.contains("attenuation at 16.2 m through portal left–right"), "\(explanation)")
    let ways = world.explain(emitter).factors.compactMap { factor -> (distance: Float, portal: Portal)? in
      guard case .attenuation(let distance, let portal?) = factor.kind else { return nil }
      return (distance, portal)
    }
    #expect(ways.count == 1 && ways[0].portal == world.portals[0])
    // From the listener to the portal, and as far to the emitter: 3 m across and 7.5 m ahead.
    #expect(abs(ways[0].distance - 2 * (3 * 3 + 7.5 * 7.5).squareRoot()) < 1e-3)
    let place = try #require(emitter.inspector.voicePosition)
    #expect(abs(place.z / (place.x + 3) + 2.5) < 0.01)
    var target = SIMD3<Float>.zero
    world.castRays { ray in
      target = ray.target
      return .clear
    }
    #expect((target - SIMD3(0, 0, -8)).norm < 0.01)
  }

  @Test func `A ray to a sound in the next room passes the opening from each place of the room`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    Self.house(world)
    let emitter = Self.emitter(440, in: world)
    // Rays around it would end beside the opening.
    emitter.radius = 2
    emitter.play()
    for x in stride(from: Float(-9.5), to: 0, by: 1.5) {
      for z in stride(from: Float(-9.5), through: 9.5, by: 0.5) {
        world.listener.position = [x, 0, z]
        offline.render(frameCount: 1_024)
        world.castRays { ray in
          // The point at which the ray meets the wall at x = 0; the opening is from z = -8.5 to -7.5.
          let (origin, target) = (ray.origin, ray.target)
          let part = target.x == origin.x ? 1 : min(-origin.x / (target.x - origin.x), 1)
          let crossing = origin + (target - origin) * part
          let isBlocked = target.x >= 0 && abs(crossing.z + 8) > 0.5
          if isBlocked { Issue.record("A ray from \(origin) to \(target) meets the wall at \(crossing).") }
          return isBlocked ? .wall(-40) : .clear
        }
        #expect(!"\(world.explain(emitter))".contains("by rays"))
      }
    }
  }

  @Test func `A half-open door occludes by 6 dB, a closed one as the wall does`() throws {
    var levels: [Decibels] = []
    for openness in [1, 0.5, 0] as [Float] {
      var offline = try OfflineRenderer(format: Self.mono)
      let world = AudioWorld(in: offline.context)
      world.listener.position = [-3, 0, 0]
      world.wallOcclusion = -24
      Self.house(world, openness: openness)
      let emitter = Self.emitter(5_000, in: world)
      emitter.play()
      levels.append(offline.render(.seconds(1)).level(at: 5_000))
      let names = ["attenuation", "portal left–right", "wall between the rooms"]
      #expect("\(world.explain(emitter))".contains(names[openness == 1 ? 0 : openness == 0 ? 2 : 1]))
      let kinds = world.explain(emitter).factors.map(\.kind)
      #expect(kinds.contains(.portal(world.portals[0])) == (openness != 0) && kinds.contains(.wall) == (openness == 0))
      if openness == 0 {
        world.castRays { _ in
          Issue.record("A sound behind a wall is no question.")
          return .clear
        }
      }
    }
    #expect(abs((levels[1] - levels[0]).rawValue + 6) < 0.3)
    // The straight path is shorter: 6 m for 16.2 m.
    #expect(abs((levels[2] - levels[0]).rawValue + 24 - 8.6) < 0.5)
  }

  @Test func `A walk through a door, and a door that slams, make no click`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    world.listener.position = [-3, 0, 0]
    Self.house(world)
    let emitter = Self.emitter(440, in: world)
    emitter.play()
    var mix: [Float] = []
    var step: Float = 0
    var last: SIMD3<Float>?
    func frame() throws {
      mix += offline.render(frameCount: 768).samples
      let place = try #require(emitter.inspector.voicePosition)
      let way = place - world.listener.position
      if let last { step = max(step, (way / way.norm - last).norm) }
      last = way / way.norm
    }
    let path: [SIMD3<Float>] = [[-3, 0, 0], [-1, 0, -8], [1, 0, -8], [3, 0, -4], [-1, 0, -8], [-3, 0, 0]]
    for (from, to) in zip(path, path.dropFirst()) {
      // At 3 m/s.
      let frames = Int((to - from).norm / 3 / 0.016)
      for index in 0..<frames {
        world.listener.position = from + (to - from) * (Float(index) / Float(frames))
        try frame()
      }
    }
    for openness in [0, 1, 0.3, 1, 0] as [Float] {
      world.portals[0].openness = openness
      for _ in 0..<40 { try frame() }
    }
    let buffer = try PCMBuffer(samples: mix, format: Self.stereo)
    #expect(buffer.clicks(highestFrequency: 450).isEmpty)
    #expect(step < 0.7, "The direction has moved by \(step) in 16 ms.")
  }

  @Test func `The walls have an occlusion from silence to none`() throws {
    let offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    offline.context.onDiagnostic = { _ in }
    world.wallOcclusion = Decibels(.nan)
    #expect(world.wallOcclusion == -30)
    world.wallOcclusion = 7
    #expect(world.wallOcclusion == 0)
  }
}
