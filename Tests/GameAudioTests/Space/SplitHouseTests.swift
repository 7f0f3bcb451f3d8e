import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// Several listeners in a world with portals.
@Suite struct SplitHouseTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  /// Rooms of 10 m in a row along x, each with a door to the next one.
  private static func row(_ world: AudioWorld, rooms: Int) {
    let silent = Reverb(.smallRoom, level: -40)
    world.zones = (0..<rooms).map {
      ReverbZone(.box(center: [Float($0) * 10, 0, 0], size: [10, 4, 10]), silent, fade: 0, name: "\($0)")
    }
    world.portals = (1..<rooms).map { Portal(between: "\($0 - 1)", and: "\($0)", at: [Float($0) * 10 - 5, 0, 3]) }
  }

  private static let signal = TestSignal.sine(frequency: 440, duration: .seconds(1), format: mono, amplitude: 0.1)
  private static let tone = Sound(signal)

  private static func emitter(at place: SIMD3<Float>, in world: AudioWorld, playing sound: Sound = tone) -> Emitter {
    let emitter = Emitter(playing: sound, in: world)
    (emitter.repeats, emitter.position) = (.forever, place)
    return emitter
  }

  @Test(arguments: 0..<3)
  func `A listener and portals that go in one frame leave no old ways`(parity: Int) throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    world.listeners = [0, 10, 50].map { Listener(position: [$0, 0, 0]) }
    Self.row(world, rooms: 6)
    let emitter = Self.emitter(at: [42, 0, 0], in: world)
    emitter.play()
    offline.render(frameCount: 2_048 + 512 * parity)
    #expect(emitter.inspector.owner == 2)
    world.listeners.removeLast()
    world.portals.removeLast(3)
    if parity == 2 { #expect(world.snapshot().emitters.count == 1) }
    offline.render(frameCount: 4_096)
    #expect(emitter.inspector.owner == 1)
    #expect(emitter.inspector.isBehindWall)
  }

  @Test func `A listener that comes back to its place has the ways of the present portals`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let heads = [Listener(position: [0, 0, 0]), Listener(position: [50, 0, 0])]
    world.listeners = heads
    Self.row(world, rooms: 6)
    let emitter = Self.emitter(at: [32, 0, 0], in: world)
    emitter.play()
    offline.render(frameCount: 2_048)
    #expect("\(world.explain(emitter))".contains("through portal 4–5"))
    world.listeners.removeLast()
    world.portals.removeFirst(4)
    offline.render(frameCount: 2_048)
    world.listeners = heads
    emitter.position = [42, 0, 0]
    offline.render(frameCount: 8_192)
    #expect("\(world.explain(emitter))".contains("through portal 4–5"), "\(world.explain(emitter))")
  }

  /// Plays an emitter behind the closed wall at x = 5, seen from the first listener.
  private static func playBehindWall(
    in world: AudioWorld,
    second: SIMD3<Float>,
    _ sound: Sound = tone
  ) -> Emitter {
    row(world, rooms: 2)
    world.portals[0].openness = 0
    world.listeners = [Listener(position: [4, 0, 0]), Listener(position: second)]
    let emitter = emitter(at: [6, 0, 0], in: world, playing: sound)
    emitter.play()
    return emitter
  }

  @Test func `A wall takes an emitter from the nearest listener`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    // The first listener is at 2 m, behind the wall, and the second one at 3 m in the room of the emitter.
    let emitter = Self.playBehindWall(in: world, second: [9, 0, 0])
    offline.render(frameCount: 2_048)
    #expect(emitter.inspector.owner == 1)
  }

  @Test func `The voice of a changed owner begins with the way to the new one`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitter = Self.playBehindWall(in: world, second: [9, 0, 900])
    offline.render(frameCount: 4_096)
    #expect(emitter.inspector.owner == 0)
    world.listeners[1].position = [9, 0, 0]
    for _ in 0..<8 where emitter.inspector.owner == 0 { offline.render(frameCount: 256) }
    let position = try #require(emitter.inspector.voicePosition)
    #expect(emitter.inspector.voiceOcclusion == 0 && emitter.inspector.owner == 1)
    // 3 m to the side of the second listener, around the first one.
    #expect((position - SIMD3(1, 0, 0)).norm < 1e-3)
  }

  @Test func `A stream that changes its owner is at its new place at once`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let file = try TemporarySound(Self.signal)
    let emitter = Self.playBehindWall(in: world, second: [9, 0, 900], Sound(file.path, streamed: true))
    offline.render(frameCount: 4_096)
    let voice = try #require(emitter.inspector.voice)
    #expect(emitter.inspector.owner == 0)
    world.listeners[1].position = [9, 0, 0]
    for _ in 0..<8 where emitter.inspector.owner == 0 { offline.render(frameCount: 256) }
    #expect(emitter.inspector.voice == voice && emitter.inspector.owner == 1)
    // 3 m to the side of the second listener, around the first one.
    let place = try #require(emitter.inspector.voicePosition)
    #expect((place - SIMD3(1, 0, 0)).norm < 1e-3, "\(place)")
  }

  @Test(arguments: [false, true])
  func `Many emitters change their listener by other voices, without a click`(drops: Bool) throws {
    let stereo = PCMFormat.stereo(sampleRate: 48_000)
    var offline = try OfflineRenderer(format: stereo)
    let world = AudioWorld(in: offline.context, voiceLimit: 20)
    let near = Listener(position: [0, 0, 2], orientation: Orientation(forward: [1, 0, 0], up: [0, 1, 0]))
    let far = Listener(position: [0, 0, -900])
    world.listeners = drops ? [far, near] : [Listener(position: [0, 0, -30]), far]
    let emitters = (0..<20).map { Self.emitter(at: [Float($0) / 4 - 2, 0, 0], in: world) }
    for emitter in emitters { emitter.play() }
    offline.render(frameCount: 8_192)
    func state() -> [(owner: Int, voice: Int?)] { emitters.map { ($0.inspector.owner, $0.inspector.voice) } }
    let before = state()
    #expect(before.allSatisfy { $0.owner == (drops ? 1 : 0) && $0.voice != nil })
    var mix = offline.render(frameCount: 2_048).samples
    if drops {
      world.listeners = [Listener(position: [0, 0, -30])]
    } else {
      world.listeners[1] = near
    }
    for _ in 0..<20 { mix += offline.render(frameCount: 512).samples }
    let after = state()
    for (old, new) in zip(before, after) {
      #expect(new.owner == (drops ? 0 : 1) && new.voice != nil)
      #expect(new.voice != old.voice, "A source has moved to the other listener.")
    }
    #expect(world.inspector.leftListenerCount == 0)
    #expect(try PCMBuffer(samples: mix, format: stereo).clicks(highestFrequency: 450).isEmpty)
  }
}
