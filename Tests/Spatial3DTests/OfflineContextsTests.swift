import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Several contexts of one offline device, as two players at one screen have them.
@Suite struct OfflineContextsTests {
  static let libraries: [DisabledFeatures] = [[], [.deviceClock], [.startDelay], DisabledFeatures(stopFades: true)]

  /// A source of noise that differs with the seed.
  private static func source(_ seed: UInt64, in context: AudioContext) throws -> SoundSource {
    var random = SplitMix64(seed: seed)
    let samples = (0..<30_000).map { _ in Float.random(in: -0.2...0.2, using: &random) } + [0]
    let pcm = try PCMBuffer(samples: samples, format: Scenes.mono)
    let source = try SoundSource(playing: SoundBuffer(pcm, in: context), in: context)
    source.position = Scenes.position(azimuth: Float(seed) * 40)
    return source
  }

  private static func difference(_ first: [Float], _ second: [Float]) -> Float {
    first.count == second.count ? zip(first, second).map { abs($0 - $1) }.max() ?? 0 : .infinity
  }

  @Test(arguments: libraries, [PCMFormat.mono(sampleRate: 48_000), .stereo(sampleRate: 44_100)])
  func `The mix of two contexts is the sum of their mixes`(disabled: DisabledFeatures, format: PCMFormat) throws {
    /// The mix of the contexts of some of two players.
    func mix(of players: Set<Int>) throws -> [Float] {
      var offline = try OfflineRenderer(format: format, disabling: disabled)
      let contexts = [offline.context, try AudioContext(device: offline.context.device)]
      contexts[1].listener.orientation = Orientation(forward: [1, 0, 0], up: [0, 1, 0])
      var sources: [SoundSource] = []
      for (player, context) in contexts.enumerated() {
        let source = try Self.source(UInt64(player + 1), in: context)
        if !players.contains(player) { source.gain = 0 }
        source.play()
        sources.append(source)
      }
      var samples = offline.render(frameCount: 5_000).samples
      sources[0].position = [3, 0, 0]
      sources[1].pause()
      samples += offline.render(frameCount: 5_001).samples
      sources[1].play()
      return samples + offline.render(frameCount: 5_000).samples
    }
    let (both, first, second) = (try mix(of: [0, 1]), try mix(of: [0]), try mix(of: [1]))
    #expect(Self.difference(both, zip(first, second).map { $0 + $1 }) < 1e-5)
    #expect(first.contains { abs($0) > 0.01 } && second.contains { abs($0) > 0.01 })
  }

  @Test func `A context posts a change of its output by the settings of a further context`() throws {
    let first = try OfflineRenderer(format: Scenes.stereo).context
    guard first.capabilities.contains(.hrtf), !first.device.hrtfNames.isEmpty else {
      try Test.cancel("there is no HRTF here")
    }
    let kinds = Lock<[ContextEvent.Kind]>([])
    let token = first.observe { event in kinds.withLock { $0.append(event.kind) } }
    let second = try AudioContext(device: first.device)
    #expect(kinds.withLock { $0 } == [])
    let third = try AudioContext(device: first.device, settings: OutputSettings(hrtf: .on))
    #expect(kinds.withLock { $0 } == [.outputChanged] && first.output.hrtf.isOn)
    withExtendedLifetime((second, third, token)) {}
  }

  @Test(arguments: libraries)
  func `Both contexts have one clock, and events at their frames`(disabled: DisabledFeatures) throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    _ = offline.render(frameCount: 1_234)
    let contexts = [offline.context, try AudioContext(device: offline.context.device)]
    #expect(contexts[0].clock == contexts[1].clock)
    let log = NotificationLog()
    var tokens: [NotificationToken] = []
    let sources = try contexts.enumerated().map { index, context in
      let source = try SoundSource(playing: Scenes.silence(frames: 3_000 + 500 * index, in: context), in: context)
      tokens.append(source.record(in: log))
      return source
    }
    for (source, context) in zip(sources, contexts) { source.play(at: context.clock + .milliseconds(100)) }
    _ = offline.render(frameCount: 20_000)
    let start = 1_234 + 4_800
    let ends = log.all.filter { $0.kind == .stateChanged(.stopped) }.map(\.framePosition)
    #expect(ends == [start + 3_000, start + 3_500])
    #expect(contexts[0].clock == contexts[1].clock)
    #expect(contexts[1].inspector.renderedFrameCount == 21_234)
    withExtendedLifetime(tokens) {}
  }

  @Test func `Streams and one-shots of both contexts play to their ends`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let contexts = [offline.context, try AudioContext(device: offline.context.device)]
    let reader = SampleReader(frames: 40_000)
    let streams = try contexts.map { context in
      let source = try SoundSource(streaming: reader, in: context)
      source.isListenerRelative = true
      source.gain = 0.25
      source.play()
      return source
    }
    for context in contexts { try context.playOnce(Scenes.silence(frames: 10_000, in: context)) }
    #expect(contexts.allSatisfy { $0.state.withLock { $0.oneShots.count } == 1 })
    let samples = offline.render(frameCount: 41_000).samples
    #expect(Self.difference(Array(samples[..<39_999]), reader.samples.dropLast().map { 0.5 * $0 }) < 1e-5)
    #expect(streams.allSatisfy { $0.state == .stopped })
    #expect(contexts.allSatisfy { $0.state.withLock { $0.oneShots.isEmpty } })
  }

  @Test func `A sound buffer of one context plays in the other`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let other = try AudioContext(device: offline.context.device)
    let buffer = try SoundBuffer(
      PCMBuffer(samples: [Float](repeating: 0.5, count: 999) + [0], format: Scenes.mono),
      in: offline.context
    )
    let source = try SoundSource(playing: buffer, in: other)
    source.isListenerRelative = true
    source.play()
    #expect(offline.render(frameCount: 500).samples.allSatisfy { abs($0 - 0.5) < 1e-5 })
  }

  @Test func `A further context keeps the format, the sends and the place of the sounds`() throws {
    var offline = try OfflineRenderer(
      format: .stereo(sampleRate: 44_100),
      settings: OutputSettings(auxiliarySendLimit: 4)
    )
    let first = try Self.source(1, in: offline.context)
    first.play()
    let before = offline.render(frameCount: 2_000).samples
    var further: AudioContext? = try AudioContext(
      device: offline.context.device,
      settings: OutputSettings(sampleRate: 22_050, layout: .surround51, auxiliarySendLimit: 2)
    )
    #expect(further?.sampleRate == 44_100 && offline.context.sampleRate == 44_100)
    #expect(further?.output.layout == .stereo)
    #expect(further?.output.auxiliarySendLimit == offline.context.output.auxiliarySendLimit)
    let during = offline.render(frameCount: 2_000).samples
    further = nil
    let after = offline.render(frameCount: 2_000).samples

    var alone = try OfflineRenderer(format: .stereo(sampleRate: 44_100))
    let same = try Self.source(1, in: alone.context)
    same.play()
    let mixes = (0..<3).map { _ in alone.render(frameCount: 2_000).samples }
    #expect(Self.difference(before, mixes[0]) < 1e-6)
    // The context restarts the device, and OpenAL Soft 1.25 then fades the sounds of the others in over 64 frames.
    #expect(Self.difference(Array(during.dropFirst(128)), Array(mixes[1].dropFirst(128))) < 1e-5)
    #expect(Self.difference(after, mixes[2]) < 1e-5)
  }

  @Test(arguments: [ChannelLayout.surround51, .ambisonic(order: 1)])
  func `Any format may have several contexts`(layout: ChannelLayout) throws {
    guard var offline = try? OfflineRenderer(format: PCMFormat(sampleRate: 48_000, layout: layout)) else { return }
    let other = try AudioContext(device: offline.context.device)
    let source = try Self.source(2, in: other)
    source.play()
    let mix = offline.render(frameCount: 3_000)
    #expect(mix.format == offline.format && mix.frameCount == 3_000)
    #expect(mix.samples.contains { abs($0) > 0.01 })
  }

  @Test func `A handler may use, make and end other contexts of its device`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let other = try AudioContext(device: offline.context.device)
    let source = try SoundSource(playing: Scenes.silence(frames: 2_000, in: other), in: other)
    let device = offline.context.device
    let made = Made()
    let token = source.observe(.state) { _ in
      if made.contexts.withLock({ $0.count }) < 5, let context = try? AudioContext(device: device) {
        made.contexts.withLock { $0.append(context) }
        source.play()
      } else {
        made.contexts.withLock { $0 = [] }
      }
    }
    source.play()
    for _ in 0..<10 { _ = offline.render(frameCount: 2_500) }
    #expect(other.inspector.renderedFrameCount == 25_000)
    withExtendedLifetime(token) {}
  }

  private final class Made: Sendable {
    let contexts = Lock<[AudioContext]>([])
  }
}
