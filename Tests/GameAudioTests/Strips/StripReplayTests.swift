import AudioSupport
import PCM
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// Strips of live worlds, of recordings and of snapshots.
@Suite(.hangLimit) struct StripReplayTests {
  private static let noise = Sound(TestSignal.noise(duration: .seconds(4), format: .mono(sampleRate: 48_000)))

  /// Changes the strip of a world at ticks, from a frame of the mix on.
  ///
  /// Another list waits for the thread that releases the list before: a busy machine has 100 ms for that.
  private static func change(_ world: AudioWorld, at block: Int) {
    let main = world.mixer.main
    switch block {
    case 12: main.inserts = [.compressor(threshold: -30, ratio: 4), .delay(.milliseconds(50))]
    case 16: main.fade(to: .decibels(-12), Fade(.milliseconds(100)))
    case 25:
      main.setInserts([.compressor(threshold: -20, ratio: 2), .delay(.milliseconds(50))], Fade(.milliseconds(80)))
    case 40: main.inserts = [.distortion(), .lowPass(4_000)]
    case 55: world.mixer.limiter = Insert.Limiter(ceiling: -20)
    case 60: main.isMuted = true
    case 64: main.isMuted = false
    case 70: world.mixer.loudnessTarget = Insert.Leveler(target: -30)
    case 80: main.inserts = []
    default: break
    }
  }

  @Test func `A live strip equals the offline strip to the bit`() async throws {
    let device = try AudioDevice.processed
    let context = try AudioContext(device: device)
    context.suspend()
    let blocks = 100
    /// A scene whose calls come in ticks from a frame on, and whose last insert before the fader collects the mix.
    func scene(in context: AudioContext, from first: Int) -> (Emitter, NotificationToken, Collected<[Float]>) {
      let world = AudioWorld(in: context)
      let mix = Collected<[Float]>()
      let collect = Insert.closure("collect") { samples, _ in mix.append(samples.indices.map { samples[$0] }) }
      let weak = Weak(world)
      let emitter = Emitter(playing: Self.noise, in: world)
      emitter.position = [0, 0, -1]
      let token = context.onTick(every: 512) { _ in
        guard let world = weak.object, world.context.mixedFrames >= first else { return }
        let block = (world.context.mixedFrames - first) / 512
        let (before, inserts) = (world.mixer.main.inserts, Insert(.width(Insert.Width(1))))
        if block == 0 { emitter.play() }
        Self.change(world, at: block)
        if world.mixer.main.inserts != before || block == 0 { world.mixer.main.inserts += [inserts, collect] }
      }
      return (emitter, token, mix)
    }
    let first = (context.mixedFrames / 512 + 8) * 512
    let (emitter, token, mix) = scene(in: context, from: first)
    let live = emitter.world
    #expect(live.mixer.limiter == Insert.Limiter() && live.mixer.main.inserts.isEmpty)
    // The call has a tick of its own, and the choice of voices counts ticks.
    live.mixer.limiter = Insert.Limiter()
    try await eventually("the sound was loaded") { emitter.inspector.loaded != nil }
    context.resume()
    try await eventually("the scene was mixed") { context.mixedFrames > first + (blocks + 10) * 512 }
    var offline = try OfflineRenderer(format: #require(device.renderedFormat))
    let (other, otherToken, expected) = scene(in: offline.context, from: first)
    other.world.mixer.limiter = Insert.Limiter()
    offline.render(frameCount: first)
    for _ in 0..<blocks { offline.render(frameCount: 512) }
    let (samples, wanted) = (mix.all.flatMap { $0 }, expected.all.flatMap { $0 })
    #expect(wanted.count > 60 * 1_024 && samples.count >= wanted.count)
    #expect(samples.prefix(wanted.count).elementsEqual(wanted))
    withExtendedLifetime((token, otherToken)) {}
  }

  @Test func `A replay has the strip of its recording, to the bit`() throws {
    let format = PCMFormat.stereo(sampleRate: 48_000)
    var offline = try OfflineRenderer(format: format)
    let world = AudioWorld(in: offline.context)
    world.mixer.main.inserts = [.highPass(200)]
    world.mixer.limiter = Insert.Limiter(ceiling: -10)
    world.mixer.loudnessTarget = Insert.Leveler(target: -18)
    let recording = world.record()
    world.playOnce(Self.noise)
    var mix: [Float] = []
    for block in 0..<100 {
      Self.change(world, at: block)
      mix += offline.render(frameCount: 512).samples
    }
    recording.stop()
    #expect(recording.isComplete)
    var other = try OfflineRenderer(format: format)
    let copy = AudioWorld(in: other.context)
    recording.replay(in: copy)
    let replayed = other.render(frameCount: 100 * 512).samples
    #expect(replayed == mix)
    #expect(copy.mixer.main.inserts == world.mixer.main.inserts && copy.mixer.limiter == world.mixer.limiter)
    #expect(copy.mixer.loudnessTarget == world.mixer.loudnessTarget)
  }

  @Test func `A replay of a beginning between two ticks has the limiter and the fader at once`() throws {
    let format = PCMFormat.stereo(sampleRate: 48_000)
    var offline = try OfflineRenderer(format: format)
    let world = AudioWorld(in: offline.context)
    world.mixer.limiter = Insert.Limiter(ceiling: -30)
    world.mixer.main.gain = .decibels(-20)
    offline.render(frameCount: 1_000)
    let recording = world.record()
    world.playOnce(Self.noise)
    let mix = offline.render(frameCount: 20_000).samples
    recording.stop()
    #expect(recording.isComplete)
    var other = try OfflineRenderer(format: format)
    let copy = AudioWorld(in: other.context)
    recording.replay(in: copy)
    #expect(other.render(frameCount: 20_000).samples == mix)
  }

  @Test func `A silent strip has another list at once, also behind a glide in silence`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    world.mixer.limiter = Insert.Limiter()
    offline.render(.seconds(1))
    world.mixer.limiter = Insert.Limiter(ceiling: -6)
    world.mixer.limiter = nil
    #expect(world.mixer.statistics.stageLatency == .zero)
    world.mixer.limiter = Insert.Limiter(ceiling: -3)
    #expect(world.mixer.statistics.stageLatency > .zero)
  }

  @Test func `Settings of many threads end with one list, in the strip and in the world`() async throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    for _ in 0..<20 {
      await withTaskGroup(of: Void.self) { group in
        for index in 0..<8 {
          group.addTask {
            let lists: [[Insert]] = [[.width(0.5)], [.lowPass(900), .width(0)], [.delay()], []]
            world.mixer.main.inserts = lists[index % 4]
            world.mixer.limiter = index % 3 == 0 ? Insert.Limiter() : nil
          }
        }
      }
      offline.render(frameCount: 1_024)
      let (settings, latency) = (world.inspector.stripSettings, world.mixer.statistics.stageLatency)
      // Silence: the chains are in force at once, and only a limiter has a latency.
      #expect((latency > .zero) == (settings.limiter != nil))
      #expect(world.mixer.main.meter().reductions.count == settings.inserts.count)
    }
  }

  @Test func `A snapshot of the mixer has the inserts, and glides to them`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let main = world.mixer.main
    let dry = world.mixer.snapshot()
    #expect(dry["main"].inserts == [] && world.mixer.snapshot()["main"] == MixSnapshot.Line(inserts: []))
    main.inserts = [.equalizer([.init(.bell, 400, level: 12, q: 1)])]
    let loud = world.mixer.snapshot()
    let stored = try decode(json(loud), as: MixSnapshot.self)
    #expect(stored == loud && loud["main"].inserts == main.inserts)
    main.inserts = [.equalizer([.init(.bell, 400, level: -12, q: 1)])]
    world.playOnce(.tone(.seconds(4)), gain: 0.2)
    let before = offline.render(.seconds(1)).frames(in: .milliseconds(500)..<(.seconds(1))).level(at: 400)
    world.mixer.apply(stored, Fade(.seconds(1)))
    #expect(main.inserts == loud["main"].inserts)
    let mix = offline.render(.seconds(2))
    #expect(mix.clicks(highestFrequency: 500).isEmpty)
    let middle = mix.frames(in: .milliseconds(490)..<(.milliseconds(510))).level(at: 400) - before
    let end = mix.frames(in: .milliseconds(1_500)..<(.seconds(2))).level(at: 400) - before
    #expect(abs(middle.rawValue - 12) < 0.3 && abs(end.rawValue - 24) < 0.05)
    // A line without inserts leaves them, and a blend has the list of the nearer snapshot.
    world.mixer.apply(MixSnapshot(lines: ["main": MixSnapshot.Line()]))
    #expect(main.inserts == loud["main"].inserts)
    let other = MixSnapshot(lines: ["main": MixSnapshot.Line(inserts: [])])
    #expect(loud.blended(with: other, 0.4)["main"].inserts == main.inserts)
    #expect(loud.blended(with: other, 0.6)["main"].inserts == [])
    #expect(loud.blended(with: MixSnapshot(lines: ["main": MixSnapshot.Line()]), 1)["main"].inserts == nil)
    world.mixer.apply(dry)
    #expect(main.inserts.isEmpty)
  }
}
