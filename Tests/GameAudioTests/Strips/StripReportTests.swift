import AudioSupport
import PCM
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// Reports of inserts and meters, and processors of the program.
@Suite(.hangLimit) struct StripReportTests {
  private static let stereo = PCMFormat.stereo(sampleRate: 48_000)
  private static let noise = Sound(TestSignal.noise(duration: .seconds(1), format: .mono(sampleRate: 48_000)))

  /// A processor that counts its blocks, and reports its end.
  private final class Life: Sendable {
    let blocks = Collected<BlockDescription>()
    let ends = Collected<Int>()

    func insert(_ name: String, factor: Float) -> Insert {
      .processor(name) { _ in Processor(life: self, factor: factor) }
    }
  }

  private struct Processor: ~Copyable, BlockProcessor {
    let life: Life
    let factor: Float

    mutating func process(_ samples: inout MutableSpan<Float>, _ block: BlockDescription) {
      life.blocks.append(block)
      for index in samples.indices { samples[index] *= factor }
    }

    deinit { life.ends.append(1) }
  }

  private static func reports(of context: AudioContext) -> Collected<Diagnostic> {
    let reports = Collected<Diagnostic>()
    context.onDiagnostic = { reports.append($0) }
    return reports
  }

  @Test func `A plain world keeps its settings, and reports once that they have no effect`() throws {
    for device in try [AudioDevice.silent, AudioDevice(named: nil)] {
      let context = try AudioContext(device: device)
      let reports = Self.reports(of: context)
      let world = AudioWorld(in: context)
      let main = world.mixer.main
      for _ in 0..<3 {
        main.inserts = [.lowPass(500)]
        world.mixer.limiter = Insert.Limiter()
        world.mixer.loudnessTarget = Insert.Leveler()
        let meter = main.meter()
        #expect(meter.channels.isEmpty && meter.loudness.integrated == nil && meter.reductions == [0])
        #expect(meter.loudness.truePeak == .silence)
        meter.reset()
      }
      #expect(main.inserts == [.lowPass(500)] && world.mixer.limiter == Insert.Limiter())
      #expect(world.mixer.loudnessTarget == Insert.Leveler())
      #expect(reports.all.map(\.code) == [.mixNotProcessed])
      #expect(reports.all.first?.message.contains("AudioWorld(processing: true)") == true)
    }
  }

  @Test func `A second world of a device is reported, and has the strip after the end of the first`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let reports = Self.reports(of: offline.context)
    var first: AudioWorld? = AudioWorld(in: offline.context)
    first?.mixer.limiter = Insert.Limiter(ceiling: -20)
    let second = AudioWorld(in: offline.context)
    second.mixer.limiter = Insert.Limiter(ceiling: -40)
    second.playOnce(Self.noise)
    let before = offline.render(.milliseconds(200)).samples
    #expect(before.contains { abs($0) > 0.05 } && before.allSatisfy { abs($0) <= 0.100_001 })
    #expect(reports.all.filter { $0.code == .mixNotProcessed }.count == 1)
    #expect(reports.all.contains { $0.message.hasPrefix("An older world of the device") })
    withExtendedLifetime(first) {}
    first = nil
    #expect(offline.render(.milliseconds(200)).samples.allSatisfy { abs($0) <= 0.010_001 })
  }

  @Test func `The end of a world has the gain of its main bus and its limiter`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    var world: AudioWorld? = AudioWorld(in: offline.context)
    world?.mixer.limiter = Insert.Limiter(ceiling: -6)
    world?.mixer.main.gain = 0.1
    world?.playOnce(Self.noise)
    let before = offline.render(.milliseconds(200)).samples.map(abs).max() ?? 0
    world = nil
    let end = offline.render(.milliseconds(100)).samples
    #expect(before > 0.02 && (end.map(abs).max() ?? 1) <= before)
    #expect(end.suffix(2_000).allSatisfy { $0 == 0 })
    // Nothing of the strip is left for what sounds later.
    let noise = TestSignal.noise(duration: .seconds(1), format: .mono(sampleRate: 48_000))
    let source = try SoundSource(playing: SoundBuffer(noise, in: offline.context), in: offline.context)
    source.play()
    let loudest = offline.render(.milliseconds(100)).samples.map(abs).max() ?? 0
    #expect(loudest > 5 * before, "\(loudest) after \(before)")
  }

  @Test func `Numbers out of their ranges are reported once for each property`() throws {
    let offline = try OfflineRenderer(format: Self.stereo)
    let reports = Self.reports(of: offline.context)
    let world = AudioWorld(in: offline.context)
    for _ in 0..<2 {
      world.mixer.main.inserts = [.highPass(0), .compressor(threshold: 90, ratio: .nan)]
      world.mixer.limiter = Insert.Limiter(ceiling: 6)
      world.mixer.loudnessTarget = Insert.Leveler(target: 3)
    }
    let messages = reports.all.map(\.message)
    for name in ["inserts[1].compressor.threshold", "inserts[1].compressor.ratio", "mixer.limiter.ceiling"] {
      #expect(messages.filter { $0.contains(name) }.count == 1, "\(name): \(messages)")
    }
    #expect(messages.count == 5)
    world.mixer.main.inserts = Array(repeating: .width(1), count: 17)
    #expect(world.mixer.main.inserts.count == 16 && reports.all.last?.message.contains("inserts.count") == true)
  }

  @Test func `A processor that returns no number is silent for a block, reported, and bypassed`() throws {
    for value in [Float.nan, .infinity, 1e30] {
      var offline = try OfflineRenderer(format: Self.stereo)
      let reports = Self.reports(of: offline.context)
      let world = AudioWorld(in: offline.context)
      world.mixer.main.inserts = [
        .width(0),
        .closure("broken") { samples, block in if block.frame >= 9_600 { samples[samples.count / 2] = value } },
      ]
      world.mixer.limiter = Insert.Limiter()
      world.playOnce(Self.noise)
      let mix = offline.render(.seconds(1))
      #expect(mix.samples.allSatisfy { $0.isFinite })
      #expect(reports.all.map(\.code) == [.processorFailed] && reports.all[0].message.contains("broken"))
      // The block of the fault is silent, less the latency of the limiter, and the sound comes back in 10 ms.
      let silent = mix.frames(in: .milliseconds(205)..<(.milliseconds(213)))
      #expect(silent.samples.allSatisfy { $0 == 0 })
      #expect(mix.frames(in: .milliseconds(300)..<(.milliseconds(400))).samples.contains { abs($0) > 0.1 })
    }
  }

  @Test func `A processor lives as long as its list, and a list with its name keeps it`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let (life, other) = (Life(), Life())
    let world = AudioWorld(in: offline.context)
    world.playOnce(Self.noise)
    world.mixer.main.inserts = [life.insert("gain", factor: 0.5)]
    offline.render(frameCount: 1_024)
    world.mixer.main.inserts = [other.insert("gain", factor: 0), .lowPass(10_000)]
    world.mixer.main.inserts[0].mix = 0.5
    offline.render(.milliseconds(200))
    // Another list has another processor, made by the first description. A list that no tick has performed has made a
    // processor, too.
    #expect(other.blocks.all.isEmpty && life.ends.all.count == 2)
    let frames = life.blocks.all.map(\.frame)
    #expect(frames.first == 0 && life.blocks.all.allSatisfy { $0.format == Self.stereo && $0.frameCount <= 512 })
    world.mixer.main.inserts = []
    offline.render(.milliseconds(200))
    #expect(life.ends.all.count == 3)
  }

  /// A processor that passes the sound as it is, and states a latency.
  private struct Late: BlockProcessor {
    let resets: Collected<Int>
    let blocks: Collected<BlockDescription>

    var latency: Int { 100 }
    var tail: Int? { 0 }

    mutating func process(_ samples: inout MutableSpan<Float>, _ block: BlockDescription) { blocks.append(block) }
    mutating func reset() { resets.append(1) }
  }

  /// A processor with the defaults of the protocol.
  private struct Silencer: BlockProcessor {
    mutating func process(_ samples: inout MutableSpan<Float>, _ block: BlockDescription) {
      samples.update(repeating: 0)
    }
  }

  @Test func `A processor states its latency, and forgets the sound when a bypass ends`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let (resets, blocks) = (Collected<Int>(), Collected<BlockDescription>())
    let late = Late(resets: resets, blocks: blocks)
    /// The latency and the tail of any processor, after a reset.
    func timing(of processor: some BlockProcessor) -> (latency: Int, tail: Int?) {
      var processor = processor
      processor.reset()
      return (processor.latency, processor.tail)
    }
    #expect(timing(of: late) == (100, 0) && resets.all.count == 1)
    resets.removeAll()
    var silencer = Silencer()
    silencer.reset()
    #expect(silencer.latency == 0 && silencer.tail == nil && timing(of: silencer) == (0, nil))
    let world = AudioWorld(in: offline.context)
    world.mixer.main.inserts = [.processor("late") { _ in late }]
    world.playOnce(Self.noise)
    offline.render(frameCount: 1_024)
    #expect(world.mixer.statistics.stageLatency == Self.stereo.duration(ofFrames: 100))
    #expect(blocks.all.first == BlockDescription(format: Self.stereo, frameCount: 512, frame: 0))
    world.mixer.main.inserts[0].isBypassed = true
    offline.render(.milliseconds(100))
    #expect(resets.all.isEmpty)
    world.mixer.main.inserts[0].isBypassed = false
    offline.render(.milliseconds(100))
    #expect(resets.all.count == 1)
  }

  @Test func `The settings of an insert are changed in place`() throws {
    var equalizer = Insert.Equalizer([.init(.bell, 400, level: 6)])
    equalizer.bands[0].shape = .notch
    #expect(equalizer.bands == [.init(.notch, 400, level: 6)] && equalizer.level(at: 400, sampleRate: 48_000) < -60)
    var distortion = Insert.Distortion(.tube)
    #expect(distortion.curve == .tube)
    distortion.curve = .fold
    #expect(distortion == Insert.Distortion(.fold))
    var limiter = Insert.Limiter(isTruePeak: false)
    #expect(!limiter.isTruePeak)
    limiter.isTruePeak = true
    #expect(limiter == Insert.Limiter())
  }

  @Test func `An insert from a file has the processor that the program has set under its name`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let reports = Self.reports(of: offline.context)
    let world = AudioWorld(in: offline.context)
    let stored = try json([Insert.closure("mute") { samples, _ in samples.update(repeating: 0) }])
    let decoded = try decode(stored, as: [Insert].self)
    world.playOnce(Self.noise)
    world.mixer.main.inserts = decoded
    #expect(offline.render(.milliseconds(100)).samples.contains { abs($0) > 0.1 })
    #expect(reports.all.map(\.code) == [.processorUnknown] && reports.all[0].message.contains("mute"))
    // Equal by its name, and with a processor.
    world.mixer.main.inserts = [.closure("mute") { samples, _ in samples.update(repeating: 0) }]
    offline.render(.milliseconds(100))
    #expect(offline.render(.milliseconds(100)).samples.allSatisfy { $0 == 0 })
    world.mixer.main.inserts = decoded + [.width(1)]
    offline.render(.milliseconds(100))
    #expect(offline.render(.milliseconds(100)).samples.allSatisfy { $0 == 0 })
    #expect(reports.all.count == 1)
  }

  @Test func `A handler of a fault may release the world`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let kept = Lock<AudioWorld?>(AudioWorld(in: offline.context))
    offline.context.onDiagnostic = { _ in
      var world: AudioWorld?
      kept.withLock { swap(&$0, &world) }
    }
    kept.withLock { $0 }?.mixer.main.inserts = [.closure("broken") { samples, _ in samples[0] = .nan }]
    kept.withLock { $0 }?.playOnce(Self.noise)
    offline.render(.milliseconds(50))
    #expect(kept.withLock { $0 } == nil)
    #expect(offline.render(.milliseconds(50)).samples.allSatisfy { $0 == 0 })
  }
}
