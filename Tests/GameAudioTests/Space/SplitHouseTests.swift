import Spatial3DTesting
import Testing

@testable import GameAudio

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

  private static func emitter(at place: SIMD3<Float>, in world: AudioWorld) -> Emitter {
    let tone = Sound(TestSignal.sine(frequency: 440, duration: .seconds(1), format: mono, amplitude: 0.1))
    let emitter = Emitter(playing: tone, in: world)
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
    #expect(world.withState { $0.records[emitter.slot].owner } == 2)
    world.listeners.removeLast()
    world.portals.removeLast(3)
    if parity == 2 { #expect(world.snapshot().emitters.count == 1) }
    offline.render(frameCount: 4_096)
    #expect(world.withState { $0.records[emitter.slot].owner } == 1)
    #expect(world.withState { $0.path(of: emitter.slot)?.course } == .wall)
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
}
