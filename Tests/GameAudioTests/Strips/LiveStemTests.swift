import AudioSupport
import PCM
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The sums of buses in worlds that play on an output.
@Suite(.hangLimit) struct LiveStemTests {
  private static let noise = Sound(TestSignal.noise(duration: .seconds(4), format: .mono(sampleRate: 48_000)))

  /// A scene on two buses, whose calls come in ticks, and whose last insert before the fader collects the mix.
  private final class Scene: Sendable {
    let world: AudioWorld
    let mix = Collected<[Float]>()
    private let emitters: [Emitter]
    private let token = Lock<NotificationToken?>(nil)

    init(in context: AudioContext, from first: Int) {
      let world = AudioWorld(in: context)
      let (sfx, music) = (world.mixer.makeBus("sfx"), world.mixer.makeBus("music", kind: .direct))
      sfx.inserts = [.compressor(threshold: -30, ratio: 4), .delay(.milliseconds(50))]
      music.inserts = [.lowPass(4_000)]
      self.world = world
      emitters = [sfx, sfx, music].map { Emitter(playing: LiveStemTests.noise, in: world, on: $0) }
      // The call has a tick of its own, and the choice of voices counts ticks.
      world.mixer.limiter = Insert.Limiter()
      let own = Weak(self)
      let tick = context.onTick(every: 512) { _ in
        guard let scene = own.object, scene.world.context.mixedFrames >= first else { return }
        scene.change(at: (scene.world.context.mixedFrames - first) / 512)
      }
      token.withLock { $0 = tick }
    }

    var isLoaded: Bool { emitters.allSatisfy { $0.inspector.loaded != nil } }

    private func change(at block: Int) {
      let (sfx, music) = (world.mixer.makeBus("sfx"), world.mixer.makeBus("music", kind: .direct))
      emitters[0].position = [Float(block) / 20 - 2, 0, -1]
      switch block {
      case 0:
        let collect = Insert.closure("collect") { [mix] samples, _ in mix.append(samples.indices.map { samples[$0] }) }
        world.mixer.main.inserts = [.width(1), collect]
        emitters[0].play()
      case 5: emitters[1].play()
      case 8: emitters[2].play()
      case 15: sfx.setInserts([.limiter(ceiling: -20)], Fade(.milliseconds(50)))
      case 25: music.fade(to: 0.3, Fade(.milliseconds(200)))
      case 40: sfx.isMuted = true
      case 50: sfx.isMuted = false
      case 60: music.inserts = []
      default: break
      }
    }
  }

  @Test func `The live sums of buses equal the offline sums to the bit`() async throws {
    let device = try AudioDevice.processed
    let context = try AudioContext(device: device)
    context.suspend()
    let blocks = 100
    let first = (context.mixedFrames / 512 + 8) * 512
    let live = Scene(in: context, from: first)
    try await eventually("the sounds were loaded") { live.isLoaded }
    context.resume()
    try await eventually("the scene was mixed") { context.mixedFrames > first + (blocks + 10) * 512 }
    var offline = try OfflineRenderer(format: #require(device.renderedFormat))
    let other = Scene(in: offline.context, from: first)
    offline.render(frameCount: first)
    for _ in 0..<blocks { offline.render(frameCount: 512) }
    let (samples, wanted) = (live.mix.all.flatMap { $0 }, other.mix.all.flatMap { $0 })
    #expect(wanted.count > 60 * 1_024 && samples.count >= wanted.count && wanted.contains { abs($0) > 0.01 })
    let different = zip(samples, wanted).enumerated().first { $0.element.0 != $0.element.1 }?.offset
    #expect(different == nil)
  }

  @Test func `Buses get sums and lose their sounds on several threads, while the mix goes on`() async throws {
    let world = try AudioWorld(processing: true)
    let names = (0..<6).map { BusName("bus \($0)") }
    for name in names { world.mixer.makeBus(name) }
    let samples = Collected<Int>()
    await withTaskGroup(of: Void.self) { group in
      for (index, name) in names.enumerated() {
        group.addTask {
          var random = SplitMix64(seed: UInt64(index))
          let bus = world.mixer[name] ?? world.mixer.main
          var tokens: [NotificationToken] = []
          var meters: [BusMeter] = []
          for step in 0..<40 {
            switch Int.random(in: 0..<8, using: &random) {
            case 0: bus.inserts = [.lowPass(1_000), .limiter()]
            case 1: bus.inserts = []
            case 2: bus.inserts = [.delay(.milliseconds(20)), .distortion()]
            case 3: meters = [bus.meter()]
            case 4: tokens = [bus.tap { samples.append($0.samples.frameCount) }]
            case 5: bus.fade(to: Gain(Float(step) / 40), Fade(.milliseconds(20)))
            case 6: world.mixer.main.gain = Gain(Float(step) / 40)
            default: world.playOnce(Self.noise, at: [Float(step), 0, 0], gain: 0.05, on: bus)
            }
            try? await Task.sleep(for: .milliseconds(Int.random(in: 0..<10, using: &random)))
          }
          withExtendedLifetime((tokens, meters)) {}
        }
      }
    }
    let first = world.context.mixedFrames
    try await eventually("the mix goes on") { world.context.mixedFrames > first + 10_000 }
    #expect(world.contexts.count == 7 && world.inspector.stemCount == 7)
  }

  @Test func `A suspension holds the sums of all buses`() async throws {
    let world = try AudioWorld(processing: true)
    let bus = world.mixer.makeBus("sfx")
    let frames = Collected<MixChunk>()
    let token = bus.tap(.beforeInserts) { frames.append($0) }
    world.playOnce(Self.noise, on: bus)
    try await eventually("the bus sounds") { frames.all.contains { $0.samples.samples.contains { $0 != 0 } } }
    world.context.suspend()
    let frozen = world.context.mixedFrames
    try await Task.sleep(for: .milliseconds(100))
    #expect(world.context.mixedFrames == frozen)
    world.context.resume()
    try await eventually("the bus goes on") { frames.all.last.map { $0.frame > frozen + 4_800 } ?? false }
    let (chunks, next) = (frames.all, frames.all.dropFirst())
    #expect(zip(chunks, next).allSatisfy { $0.frame + $0.samples.frameCount == $1.frame && $1.lostFrames == 0 })
    withExtendedLifetime(token) {}
  }
}
