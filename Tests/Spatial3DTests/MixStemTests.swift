import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

@Suite(.hangLimit) struct MixStemTests {
  /// A stage that keeps the frames of a stem, and leaves the mix as it is.
  private final class StemProbe: MixStage {
    private let stem: MixStem
    private let content = Lock<[Float]>([])

    init(_ stem: MixStem) { self.stem = stem }

    var samples: [Float] { content.withLock { $0 } }
    var isEnding: Bool { false }
    var hasEnded: Bool { false }

    func process(_ samples: inout MutableSpan<Float>, at frame: Int) {
      let count = samples.count
      stem.edit { part in
        #expect(part.count == count)
        let piece = part.indices.map { part[$0] }
        content.withLock { $0 += piece }
      }
    }
  }

  /// A renderer with a stem, and a renderer of a scene alone.
  private struct Pair: ~Copyable {
    var mix: OfflineRenderer
    var alone: OfflineRenderer
    let stem: MixStem
    let probe: StemProbe

    init(_ features: DisabledFeatures = [], settings: OutputSettings = OutputSettings()) throws {
      let renderer = try OfflineRenderer(format: Scenes.stereo, settings: settings, disabling: features)
      let other = try OfflineRenderer(format: Scenes.stereo, settings: settings, disabling: features)
      let stem = try renderer.context.device.makeStem(like: renderer.context)
      let probe = StemProbe(stem)
      #expect(renderer.context.device.addMixStage(probe))
      (self.stem, self.probe) = (stem, probe)
      mix = renderer
      alone = other
    }

    /// Renders both, and returns the frames of the stem and of the scene alone.
    mutating func render(_ frameCount: Int) -> (stem: [Float], alone: [Float]) {
      let before = probe.samples.count
      mix.render(frameCount: frameCount)
      let alone = alone.render(frameCount: frameCount).samples
      return (Array(probe.samples[before...]), alone)
    }
  }

  private static let features: [DisabledFeatures] = [
    [], .init(capabilities: .deviceClock), .init(capabilities: .startDelay),
  ]

  private static func noise(_ seconds: Int = 2) -> PCMBuffer<Float> {
    TestSignal.noise(duration: .seconds(seconds), format: Scenes.mono)
  }

  @Test(arguments: [OutputSettings.HRTF.off, .on]) func `A stem sounds like its sources alone, to the bit`(
    _ hrtf: OutputSettings.HRTF
  ) throws {
    var pair = try Pair(settings: OutputSettings(hrtf: hrtf))
    let sources = try [pair.stem.context, pair.alone.context].map { context in
      let source = try SoundSource(playing: SoundBuffer(Self.noise(), in: context), in: context)
      source.isLooping = true
      source.play()
      return source
    }
    // Another sound in the mix, which the stem does not have.
    let other = try SoundSource(playing: SoundBuffer(Self.noise(), in: pair.mix.context), in: pair.mix.context)
    other.play()
    for (index, count) in [512, 1, 700, 4_096, 0, 20_000].enumerated() {
      for source in sources {
        source.position = [Float(index) - 2, 0, -1]
        source.gain = Gain(0.1 + 0.15 * Float(index))
        source.pitch = 1 + 0.1 * Float(index)
      }
      let (stem, alone) = pair.render(count)
      #expect(stem == alone && stem.count == 2 * count)
      #expect(count == 0 || stem.contains { $0 != 0 })
    }
  }

  @Test(arguments: features) func `A start at a clock comes at its frame, also behind a rest`(
    _ features: DisabledFeatures
  ) throws {
    var pair = try Pair(features)
    pair.mix.render(frameCount: 44_111)
    pair.alone.render(frameCount: 44_111)
    #expect(pair.stem.isResting)
    let sources = try [pair.stem.context, pair.alone.context].map { context in
      try SoundSource(playing: SoundBuffer(Self.noise(1), in: context), in: context)
    }
    #expect(abs((pair.stem.context.clock - pair.mix.context.clock) / .nanoseconds(1)) <= 1)
    for (source, clock) in zip(sources, [pair.mix.context.clock, pair.alone.context.clock]) {
      source.play(at: clock + .milliseconds(100))
    }
    let (stem, alone) = pair.render(30_000)
    #expect(stem == alone)
    let first = try #require(stem.firstIndex { $0 != 0 })
    #expect(abs(first / 2 - Scenes.stereo.frameCount(in: .milliseconds(100))) <= 1)
  }

  @Test(arguments: features) func `Fades, ends and notifications are those of the scene alone`(
    _ features: DisabledFeatures
  ) throws {
    var pair = try Pair(features)
    let frames = Lock<[[Int]]>([[], []])
    let contexts = [pair.stem.context, pair.alone.context]
    var tokens: [NotificationToken] = []
    var sources: [SoundSource] = []
    for (index, context) in contexts.enumerated() {
      let source = try SoundSource(playing: SoundBuffer(Self.noise(1), in: context), in: context)
      tokens.append(source.observe(.all) { event in frames.withLock { $0[index].append(event.framePosition) } })
      source.play()
      sources.append(source)
    }
    var (first, second) = pair.render(10_000)
    #expect(first == second)
    for source in sources { source.pause(fadingOut: .milliseconds(300)) }
    (first, second) = pair.render(20_000)
    #expect(first == second)
    for source in sources { source.stop() }
    (first, second) = pair.render(5_000)
    #expect(first == second)
    for source in sources { source.play() }
    (first, second) = pair.render(60_000)
    #expect(first == second)
    let found = frames.withLock { $0 }
    #expect(found[0] == found[1] && found[0].count >= 2)
    withExtendedLifetime(tokens) {}
  }

  @Test func `A stream of a stem is read for its frames`() throws {
    var pair = try Pair()
    let sources = try [pair.stem.context, pair.alone.context].map { context in
      let source = try SoundSource(streaming: SampleReader(Self.noise()), in: context)
      source.play()
      return source
    }
    for count in [300, 5_000, 40_000] {
      let (stem, alone) = pair.render(count)
      #expect(stem == alone && stem.contains { $0 != 0 })
    }
    withExtendedLifetime(sources) {}
  }

  @Test func `The reverb of a stem rings out before the stem rests`() throws {
    var pair = try Pair()
    let sources = try [pair.stem.context, pair.alone.context].map { context in
      let source = try SoundSource(playing: SoundBuffer(Self.noise(1), in: context), in: context)
      context.reverb = Reverb(.largeHall)
      source.reverbBlend = 1
      source.play()
      return source
    }
    let (stem, alone) = pair.render(60_000)
    #expect(stem == alone)
    #expect(!pair.stem.isResting)
    var seconds = 0
    while !pair.stem.isResting, seconds < 60 {
      let (stem, alone) = pair.render(48_000)
      for index in stem.indices where abs(stem[index] - alone[index]) > 1e-7 { Issue.record("a sample differs") }
      seconds += 1
    }
    #expect(pair.stem.isResting && seconds > 1)
    let resting = pair.render(512).stem
    #expect(resting.allSatisfy { $0 == 0 })
    withExtendedLifetime(sources) {}
  }

  @Test func `A stem stands still while its renderer is suspended`() throws {
    var pair = try Pair()
    let sources = try [pair.stem.context, pair.alone.context].map { context in
      let source = try SoundSource(playing: SoundBuffer(Self.noise(), in: context), in: context)
      source.play()
      return source
    }
    let before = pair.render(512)
    pair.mix.context.suspend()
    #expect(pair.mix.render(frameCount: 700).samples.allSatisfy { $0 == 0 })
    pair.mix.context.resume()
    let after = pair.render(512)
    #expect(before.stem == before.alone && after.stem == after.alone)
    #expect(pair.probe.samples.count == 2 * 1_024)
    withExtendedLifetime(sources) {}
  }

  @Test func `A stem follows the listener and the physics of the mix`() throws {
    let renderer = try OfflineRenderer(format: Scenes.stereo)
    let context = renderer.context
    let stem = try context.device.makeStem(like: context)
    context.listener.position = [1, 2, 3]
    context.listener.gain = 0.5
    (context.distanceModel, context.dopplerFactor, context.speedOfSound) = (.linearClamped, 2, 500)
    stem.context.follow(context)
    #expect(stem.context.listener == context.listener)
    #expect(stem.context.distanceModel == .linearClamped)
    #expect(stem.context.dopplerFactor == 2 && stem.context.speedOfSound == 500)
  }

  @Test func `The mix and a stem share no buffers, and both report where they are`() throws {
    let renderer = try OfflineRenderer(format: Scenes.stereo)
    let stem = try renderer.context.device.makeStem(like: renderer.context)
    let buffer = try SoundBuffer(Self.noise(1), in: renderer.context)
    let source = try SoundSource(in: stem.context)
    let reports = Lock<[String]>([])
    renderer.context.onDiagnostic = { report in reports.withLock { $0.append(report.message) } }
    source.buffer = buffer
    #expect(source.buffer == nil)
    #expect(reports.withLock { $0.count } == 1)
    let error = #expect(throws: AudioError.self) { try source.queue([buffer]) }
    #expect(error?.code == .wrongDevice)
  }

  @Test func `New settings of a device reach its stems`() throws {
    var pair = try Pair()
    let sources = try [pair.stem.context, pair.alone.context].map { context in
      let source = try SoundSource(playing: SoundBuffer(Self.noise(), in: context), in: context)
      source.position = [1, 0, 0]
      source.play()
      return source
    }
    _ = pair.render(512)
    try pair.mix.context.device.reset(OutputSettings(hrtf: .on))
    try pair.alone.context.device.reset(OutputSettings(hrtf: .on))
    #expect(pair.stem.context.output.hrtf.isOn && pair.alone.context.output.hrtf.isOn)
    _ = pair.render(4_096)
    let (stem, alone) = pair.render(4_096)
    #expect(stem == alone)
    withExtendedLifetime(sources) {}
  }

  @Test func `A stem that is removed is rendered no longer, and its context ends with it`() throws {
    var renderer = try OfflineRenderer(format: Scenes.stereo)
    var stem: MixStem? = try renderer.context.device.makeStem(like: renderer.context)
    let context = Weak(try #require(stem?.context))
    renderer.render(frameCount: 512)
    #expect(renderer.context.device.livingContexts.count == 2)
    if let stem { renderer.context.device.removeStem(stem) }
    stem = nil
    #expect(context.object == nil)
    renderer.render(frameCount: 512)
    #expect(renderer.context.device.livingContexts.count == 1)
  }
}
