import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Sounds that end, move and resume without a click, on a library that would cut them and on a library that fades them
/// out.
@Suite struct NoClickTests {
  static let libraries: [DisabledFeatures] = [[], DisabledFeatures(stopFades: true)]

  /// A call that changes the playback of sources.
  struct Change: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The state that the sources report at once.
    let state: SourceState
    let apply: @Sendable ([SoundSource], AudioContext) throws -> Void

    init(
      _ name: String,
      _ state: SourceState,
      _ apply: @escaping @Sendable ([SoundSource], AudioContext) throws -> Void
    ) {
      (testDescription, self.state, self.apply) = (name, state, apply)
    }
  }

  static let changes = [
    Change("stop", .stopped) { sources, _ in for source in sources { source.stop() } },
    Change("pause", .paused) { sources, _ in for source in sources { source.pause() } },
    Change("rewind", .initial) { sources, _ in for source in sources { source.rewind() } },
    Change("play again", .playing) { sources, _ in for source in sources { source.play() } },
    Change("seek", .playing) { sources, _ in for source in sources { source.playbackFrame = 12_347 } },
    Change("stop together", .stopped) { sources, context in context.stop(sources) },
    Change("pause together", .paused) { sources, context in context.pause(sources) },
    Change("rewind together", .initial) { sources, context in context.rewind(sources) },
    Change("play together", .playing) { sources, context in context.play(sources) },
    Change("play later", .playing) { sources, context in context.play(sources, at: context.clock + .milliseconds(20)) },
    Change("pause and play", .playing) { sources, _ in
      for source in sources {
        source.pause()
        source.play()
      }
    },
    Change("stop and play", .playing) { sources, _ in
      for source in sources {
        source.stop()
        source.play()
      }
    },
  ]

  /// The forms in which a source gets its sound.
  enum Feed: CaseIterable, Sendable {
    case buffer, queue, stream
  }

  /// 24 sines, each of another frequency below 700 Hz.
  static func sines(from feed: Feed, in context: AudioContext) throws -> [SoundSource] {
    try (0..<24).map { index in
      let tone = TestSignal.sine(
        frequency: 200 + 20 * Double(index),
        duration: .seconds(1),
        format: Scenes.mono,
        amplitude: 0.04
      )
      let source: SoundSource
      switch feed {
      case .buffer: source = try SoundSource(playing: SoundBuffer(tone, in: context), in: context)
      case .queue:
        source = try SoundSource(in: context)
        try source.queue([SoundBuffer(tone, in: context), SoundBuffer(tone, in: context)])
      case .stream: source = try SoundSource(streaming: SampleReader(tone), in: context)
      }
      source.position = Scenes.position(azimuth: Float(15 * index))
      source.isLooping = true
      return source
    }
  }

  /// Renders pieces of a length, and appends their samples.
  private static func render(_ pieces: Int, of length: Int, _ offline: inout OfflineRenderer, into mix: inout [Float]) {
    var piece = PCMBuffer<Float>(format: offline.format)
    for _ in 0..<pieces {
      offline.render(into: &piece, frameCount: length)
      mix += piece.samples
    }
  }

  private static func clicks(in samples: [Float]) throws -> [Click] {
    try PCMBuffer(samples: samples, format: Scenes.stereo).clicks(highestFrequency: 1_400)
  }

  @Test(arguments: libraries, Feed.allCases)
  func `A change of 24 sines at once does not click`(disabled: DisabledFeatures, feed: Feed) throws {
    for change in Self.changes {
      for length in [64, 1_024] {
        var offline = try OfflineRenderer(format: Scenes.stereo, disabling: disabled)
        let sources = try Self.sines(from: feed, in: offline.context)
        offline.context.play(sources)
        var mix: [Float] = []
        Self.render(max(7_001 / length, 1), of: length, &offline, into: &mix)
        try change.apply(sources, offline.context)
        #expect(sources.allSatisfy { $0.state == change.state }, "\(change.testDescription)")
        Self.render(max(7_001 / length, 1), of: length, &offline, into: &mix)
        #expect(try Self.clicks(in: mix).isEmpty, "\(change.testDescription), pieces of \(length)")
      }
    }
  }

  @Test(arguments: libraries)
  func `A release, a new buffer and a resume do not click`(disabled: DisabledFeatures) throws {
    var offline = try OfflineRenderer(format: Scenes.stereo, disabling: disabled)
    let context = offline.context
    var sources = try Self.sines(from: .buffer, in: context)
    context.play(sources)
    var mix: [Float] = []
    Self.render(5, of: 1_000, &offline, into: &mix)
    for source in sources { source.pause() }
    Self.render(5, of: 1_000, &offline, into: &mix)
    for source in sources { source.play() }
    Self.render(5, of: 1_000, &offline, into: &mix)
    for (source, other) in zip(sources, sources.reversed().map(\.buffer)) { source.buffer = other }
    #expect(sources.allSatisfy { $0.state == .initial })
    context.play(sources)
    Self.render(5, of: 1_000, &offline, into: &mix)
    sources.removeAll()
    Self.render(5, of: 1_000, &offline, into: &mix)
    #expect(try Self.clicks(in: mix).isEmpty)
    #expect(Self.isSilent(offline.render(frameCount: 1_000)))
  }

  private static func isSilent(_ mix: PCMBuffer<Float>) -> Bool { mix.samples.allSatisfy { abs($0) < 1e-6 } }

  @Test(arguments: [1, 2, 7, 31, 63, 64, 65, 1_000])
  func `A sound that is stopped fades out over 64 frames, in pieces of any length`(length: Int) throws {
    // OpenAL Soft 1.25 fades a sound out over the next mix, however short.
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: DisabledFeatures(stopFades: true))
    let steady = PCMBuffer<Float>(repeating: 0.5, frames: 20_000)
    let source = try SoundSource(playing: SoundBuffer(steady, in: offline.context), in: offline.context)
    source.isListenerRelative = true
    source.play()
    _ = offline.render(frameCount: 2_048)
    source.stop()
    var samples: [Float] = []
    while samples.count < 256 { samples += offline.render(frameCount: length).samples }
    let steps = zip([0.5] + samples, samples).map { $0 - $1 }
    #expect(steps.allSatisfy { $0 > -1e-4 && $0 < 0.05 }, "\(steps.max() ?? 0)")
    #expect(samples.dropFirst(128).allSatisfy { abs($0) < 1e-6 })
  }

  @Test(arguments: libraries)
  func `A sound that is paused continues at its frame, to the sample`(disabled: DisabledFeatures) throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    let source = try StartScenes.ramp(frames: 20_000, in: offline.context)
    source.isListenerRelative = true
    source.play()
    _ = offline.render(frameCount: 3_000)
    source.pause()
    _ = offline.render(frameCount: 1_000)
    let frame = source.playbackFrame
    #expect((3_000...3_064).contains(frame))
    source.play()
    let samples = offline.render(frameCount: 2_000).samples
    #expect((128..<2_000).allSatisfy { abs(samples[$0] - Float(frame + $0 + 1) / 1_000) < 1e-3 })
  }

  @Test func `A source of a library that cuts reports its changes as any other does`() throws {
    func kinds(_ disabled: DisabledFeatures) throws -> [SourceNotification.Kind] {
      var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
      let source = try SoundSource(playing: Scenes.silence(frames: 3_000, in: offline.context), in: offline.context)
      source.isLooping = true
      let log = NotificationLog()
      let token = source.record(in: log)
      source.play()
      _ = offline.render(frameCount: 7_000)
      source.pause()
      _ = offline.render(frameCount: 1_000)
      source.play()
      _ = offline.render(frameCount: 5_000)
      source.playbackFrame = 2_000
      _ = offline.render(frameCount: 2_000)
      source.play()
      _ = offline.render(frameCount: 3_500)
      source.stop()
      source.play()
      source.isLooping = false
      _ = offline.render(frameCount: 5_000)
      withExtendedLifetime(token) {}
      return log.kinds
    }
    let expected: [SourceNotification.Kind] = [
      .stateChanged(.playing), .looped(1), .looped(1), .stateChanged(.paused), .stateChanged(.playing),
      .looped(1), .looped(1), .looped(1), .looped(1), .stateChanged(.stopped), .stateChanged(.playing),
      .stateChanged(.stopped),
    ]
    #expect(try kinds([]) == expected)
    #expect(try kinds(DisabledFeatures(stopFades: true)) == expected)
  }

  @Test func `A context whose sources are all in use cuts a sound, and loses none`() throws {
    let settings = OutputSettings(sourceLimit: 16)
    var offline = try OfflineRenderer(
      format: Scenes.mono,
      settings: settings,
      disabling: DisabledFeatures(stopFades: true)
    )
    let context = offline.context
    let sound = try Scenes.silence(frames: 48_000, in: context)
    var sources: [SoundSource] = []
    while let source = try? SoundSource(playing: sound, in: context) { sources.append(source) }
    for _ in 0..<3 {
      context.play(sources)
      _ = offline.render(frameCount: 512)
      context.pause(sources)
      #expect(sources.allSatisfy { $0.state == .paused && (512...576).contains($0.playbackFrame) })
      context.stop(sources)
      #expect(sources.allSatisfy { $0.state == .stopped })
    }
    // A seek moves a source that has no other one to fade out in.
    context.play(sources)
    _ = offline.render(frameCount: 512)
    for source in sources { source.playbackFrame = 20_000 }
    #expect(sources.allSatisfy { $0.state == .playing && $0.playbackFrame == 20_000 })
    // A released source makes room for the next source at once.
    for _ in 0..<40 {
      _ = offline.render(frameCount: 512)
      sources.removeFirst()
      sources.append(try SoundSource(playing: sound, in: context))
      sources.last?.play()
    }
  }

  @Test func `The library's sources that fade out are released with the next mix, and with their context`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: DisabledFeatures(stopFades: true))
    let source = try Scenes.noise(in: offline.context)
    for _ in 0..<1_000 {
      _ = offline.render(frameCount: 64)
      source.play()
      #expect(offline.context.inspector.endingCount == 1)
    }
    _ = offline.render(frameCount: 64)
    #expect(offline.context.inspector.endingCount == 0)
    source.stop()
  }

  @Test func `A unit that is dropped beside a fade leaves its slot free`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: DisabledFeatures(stopFades: true))
    let source = try Scenes.noise(in: offline.context)
    for _ in 0..<200 {
      let unit = try EffectUnit(.echo(Effect.Echo()), in: offline.context)
      source.effectSends = [EffectSend(to: unit)]
      source.play()
      _ = offline.render(frameCount: 256)
      source.stop()
      source.effectSends = []
    }
    _ = offline.render(frameCount: 256)
  }

  @Test(arguments: libraries)
  func `A silent device releases what has faded out, while sources change state`(disabled: DisabledFeatures)
    async throws
  {
    let device = try AudioDevice(handle: DeviceHandle(silentDisabling: disabled), mixing: .byClock(ClockDrivenMixer()))
    let context = try AudioContext(device: device)
    let sources = try (0..<8).map { _ in try Scenes.noise(in: context) }
    for round in 0..<50 {
      try await eventually("the mixer goes on") { [clock = context.clock] in context.clock > clock }
      for source in sources { if round % 2 == 0 { source.pause() } else { source.play() } }
      #expect(sources.allSatisfy { $0.state == (round % 2 == 0 ? SourceState.paused : .playing) })
    }
    try await eventually("no source fades out") { context.inspector.endingCount == 0 }
  }

  @Test(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"), .hangLimit)
  func `A short sound that is to be paused inaudibly does not end, however late the pause comes`() async throws {
    let context = try AudioContext(device: AudioDevice(handle: DeviceHandle(opening: nil)))
    let source = try SoundSource(playing: Scenes.silence(frames: 10, in: context), in: context)
    context.withState { state in
      state.handle.silenceWithoutEnd(source.id)
      state.handle.perform(.play, source.id)
    }
    let first = context.mixedFrames
    try await eventually("the mixer has come in between") { context.mixedFrames > first + 4_096 }
    context.withState { $0.handle.perform(.pause, source.id) }
    #expect(source.state == .paused)
    context.withState { $0.records.applyEverything(of: source.key, in: $0.scene, by: $0.handle) }
    source.play()
    try await eventually("the sound ends at its end") { source.state == .stopped }
  }
}

extension PCMBuffer<Float> {
  fileprivate init(repeating value: Float, frames: Int) {
    self.init(format: Scenes.mono)
    append(frames: frames) { for _ in 0..<frames { $0.append(value) } }
  }
}
