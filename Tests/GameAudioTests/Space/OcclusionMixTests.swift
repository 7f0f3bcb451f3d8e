import GameAudio
import Spatial3DTesting
import Testing

/// Rays in a mix.
@Suite struct OcclusionMixTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  private static func tone(_ frequency: Double) -> Sound {
    Sound(TestSignal.sine(frequency: frequency, duration: .seconds(1), format: mono, amplitude: 0.5))
  }

  /// A world with a tone that a wall may occlude; nothing is mixed yet.
  private static func scene(_ frequency: Double, in context: AudioContext) -> (AudioWorld, Emitter) {
    let world = AudioWorld(in: context)
    let emitter = Emitter(playing: tone(frequency), in: world)
    emitter.repeats = .forever
    emitter.position = [0, 0, -1]
    emitter.play()
    return (world, emitter)
  }

  @Test func `A wall of 18 dB is there within the stated time, exact at 5 kHz`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let (world, emitter) = Self.scene(5_000, in: offline.context)
    world.castRays { _ in .clear }
    let before = offline.render(.milliseconds(500)).frames(in: .milliseconds(100)..<(.milliseconds(500))).level(
      at: 5_000
    )
    var level: Decibels = 0
    // One frame of the game is 16 ms. The time is 0.4 s where filters move evenly, and 0.77 s up to OpenAL Soft 1.24.
    let isEven = offline.context.physics.filterStep >= 0.5
    for frame in 0..<60 {
      world.castRays { _ in .wall(-18) }
      level = offline.render(frameCount: 768).level(at: 5_000) - before
      let time = Double(frame + 1) * 0.016
      if time < 0.1 { #expect(level > -10, "\(level) after \(time) s") }
      if time > (isEven ? 0.4 : 0.77) { #expect(abs(level.rawValue + 18) < 0.9, "\(level) after \(time) s") }
    }
    #expect(abs(level.rawValue + 18) < 0.5)
    #expect(world.explain(emitter).factors.contains { $0.kind == .occlusionByRays && $0.level < -5 })
    #expect("\(world.explain(emitter))".contains("occlusion by rays"))
  }

  @Test(arguments: [200, 1_000, 5_000] as [Double])
  func `A wall that comes and goes makes no click`(frequency: Double) throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let (world, emitter) = Self.scene(frequency, in: offline.context)
    var samples: [Float] = []
    for frame in 0..<200 {
      world.castRays { _ in frame / 50 % 2 == 0 ? .clear : .wall(-18) }
      samples += offline.render(frameCount: 768).samples
    }
    let mix = try PCMBuffer(samples: samples, format: Self.mono)
    #expect(mix.clicks(highestFrequency: frequency).isEmpty)
    withExtendedLifetime(emitter) {}
  }

  @Test func `The first answer is in the mix from its first frame on`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let (world, emitter) = Self.scene(5_000, in: offline.context)
    world.castRays { _ in .wall(-18) }
    let behind = offline.render(.milliseconds(500)).level(at: 5_000)
    let other = try OfflineRenderer(format: Self.mono)
    let (open, free) = Self.scene(5_000, in: other.context)
    offline = other
    open.castRays { _ in .clear }
    let clear = offline.render(.milliseconds(500)).level(at: 5_000)
    #expect(abs((behind - clear).rawValue + 18) < 0.5)
    withExtendedLifetime((emitter, free)) {}
  }

  @Test func `Answers come on top of the occlusion of the emitter and of its bus`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let (world, emitter) = Self.scene(5_000, in: offline.context)
    world.castRays { _ in .clear }
    let before = offline.render(.seconds(1)).frames(in: .milliseconds(500)..<(.seconds(1))).level(at: 5_000)
    emitter.occlusion = -6
    emitter.bus.filter = ToneFilter(high: -3)
    world.castRays { _ in OcclusionResult(occlusion: -5, obstruction: -4) }
    offline.render(.seconds(2))
    let after = offline.render(.seconds(1)).level(at: 5_000)
    #expect(abs((after - before).rawValue + 18) < 0.5)
  }

  @Test func `Rays go from the listener to the emitters, within the budget, and the closure may use the world`() throws
  {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    world.listener.position = [1, 2, 3]
    let emitters = (0..<40).map { index in
      let emitter = Emitter(playing: Self.tone(440), in: world)
      emitter.position = [Float(index), 0, -1]
      emitter.repeats = .forever
      emitter.play()
      return emitter
    }
    emitters[3].radius = 1
    offline.render(frameCount: 1_024)
    var asked: [Emitter.ID: Int] = [:]
    for _ in 0..<5 {
      var count = 0
      world.castRays(limit: 10) { ray in
        count += 1
        asked[ray.emitter, default: 0] += 1
        #expect(ray.origin == [1, 2, 3] && world.listener.position == [1, 2, 3])
        return .clear
      }
      #expect(count <= 10)
      offline.render(frameCount: 768)
    }
    #expect(asked.count == 40 && asked[emitters[3].id] == 5)
    // Bursts without a position need no ray, and a budget of 0 allows none.
    world.playOnce(Self.tone(440))
    world.castRays(limit: 0) { _ in
      Issue.record("There is no budget.")
      return .clear
    }
  }

  @Test func `Emitters that lack little for a voice are asked about after the others, inaudible ones never`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context, voiceLimit: 2)
    let emitters = [0, -1, -4, -70].map { (level: Decibels) in
      let emitter = Emitter(playing: Self.tone(440), in: world)
      (emitter.repeats, emitter.gain, emitter.position) = (.forever, .decibels(level), [0, 0, -1])
      emitter.play()
      return emitter
    }
    offline.render(frameCount: 8_192)
    var order: [Emitter.ID] = []
    world.castRays { ray in
      order.append(ray.emitter)
      return .clear
    }
    #expect(order == emitters.prefix(3).map(\.id))
  }

  @Test func `Each emitter that competes for a voice is asked about`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context, voiceLimit: 4)
    let emitters = (0..<12).map { index in
      let emitter = Emitter(playing: Self.tone(440), in: world)
      (emitter.repeats, emitter.position) = (.forever, [Float(index) / 10, 0, -1])
      emitter.play()
      return emitter
    }
    offline.render(frameCount: 1_024)
    #expect(emitters.count(where: \.isVirtual) == 8)
    let all = Set(emitters.map(\.id))
    var asked: Set<Emitter.ID> = []
    world.castRays(limit: 100) { ray in
      asked.insert(ray.emitter)
      return .clear
    }
    #expect(asked == all)
    asked = []
    for _ in 0..<8 {
      offline.render(frameCount: 768)
      world.castRays(limit: 10) { ray in
        asked.insert(ray.emitter)
        return .clear
      }
    }
    #expect(asked == all)
  }

  @Test func `A wrong answer is reported once, and the last one stays`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let (world, emitter) = Self.scene(5_000, in: offline.context)
    let reports = Collected<Diagnostic>()
    offline.context.onDiagnostic = { reports.append($0) }
    world.castRays { _ in .wall(-18) }
    offline.render(.milliseconds(100))
    for answer in [.wall(.init(.nan)), .wall(3), .obstacle(.init(.infinity)), .obstacle(.init(.nan))]
      as [OcclusionResult]
    {
      world.castRays { _ in answer }
      offline.render(.milliseconds(100))
    }
    #expect(reports.all.map(\.code) == [.wrongRayAnswer])
    #expect(emitter.inspector.rayOcclusion == -18)
    world.castRays { _ in .wall(.silence) }
    offline.render(.seconds(6))
    #expect(emitter.inspector.rayOcclusion == -100)
  }
}
