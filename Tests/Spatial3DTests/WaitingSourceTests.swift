import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Sources that wait for their start while calls pause, stop, move or schedule them again.
@Suite struct WaitingSourceTests {
  @Test(arguments: StartScenes.libraries, [false, true])
  func `A source that is played while it waits starts where it would have started`(
    disabled: DisabledFeatures,
    isPaused: Bool
  ) throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    let source = try StartScenes.ramp(in: offline.context)
    if isPaused {
      source.play()
      _ = offline.render(frameCount: 700)
      source.pause()
      _ = offline.render(frameCount: 700)
    }
    source.playbackFrame = 500
    source.play(at: StartScenes.time(ofFrame: 9_000))
    _ = offline.render(frameCount: 100)
    source.play()
    // A sound that starts in its middle fades in over the first mix.
    _ = offline.render(frameCount: 100)
    #expect(abs(offline.render(frameCount: 200).samples[100] - 0.701) < 1e-4)
    // A source that already plays starts over.
    source.play()
    #expect(abs(offline.render(frameCount: 300).samples[200] - 0.201) < 1e-4)
  }

  @Test(arguments: StartScenes.libraries)
  func `A source that is held keeps its start for another moment, and one that waits starts over`(
    disabled: DisabledFeatures
  ) throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    for (isHeld, first) in [(true, 0.5), (false, 0)] as [(Bool, Float)] {
      let source = try StartScenes.ramp(in: offline.context)
      source.playbackFrame = 500
      source.play(at: offline.context.clock + .seconds(1))
      if isHeld { source.pause() }
      source.play(at: offline.context.clock + StartScenes.time(ofFrame: 1_000))
      _ = offline.render(frameCount: 1_100)
      #expect(abs(offline.render(frameCount: 200).samples[100] - first - 0.201) < 1e-4)
    }
  }

  @Test(arguments: StartScenes.libraries)
  func `A source that a call names twice waits on as if the call named it once`(disabled: DisabledFeatures) throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    let source = try StartScenes.ramp(in: offline.context)
    source.play(at: StartScenes.time(ofFrame: 5_000))
    _ = offline.render(frameCount: 1_000)
    offline.context.pause([source, source])
    _ = offline.render(frameCount: 1_000)
    offline.context.play([source, source])
    let mix = offline.render(frameCount: 8_000)
    // Frame 5 000 of the mix is frame 3 000 of this part.
    #expect(mix.samples[..<3_000].allSatisfy { $0 == 0 })
    #expect(abs(mix.samples[3_300] - 0.301) < 1e-4)
  }

  @Test(arguments: StartScenes.libraries)
  func `A queue that has ended keeps its buffers while it waits for a start in its middle`(
    disabled: DisabledFeatures
  ) throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    let source = try SoundSource(in: offline.context)
    let loud = try PCMBuffer(samples: [Float](repeating: 0.5, count: 1_000), format: Scenes.mono)
    try source.queue((0..<3).map { _ in try SoundBuffer(loud, in: offline.context) })
    source.play()
    _ = offline.render(frameCount: 4_000)
    #expect(source.processedBufferCount == 3)
    source.playbackFrame = 500
    source.play(at: StartScenes.time(ofFrame: 5_000))
    #expect(source.processedBufferCount == 0)
    #expect(source.unqueueProcessed().isEmpty)
    let mix = offline.render(frameCount: 4_000).samples
    #expect(mix.prefix(1_000).allSatisfy { $0 == 0 })
    #expect(mix[2_000] > 0.3)
    #expect(source.state == .stopped)
  }

  @Test(arguments: StartScenes.libraries, [PlaybackTests.Verb.play, .pause])
  func `A queue that is stopped while it waits is played to its end, unheard`(
    disabled: DisabledFeatures,
    before: PlaybackTests.Verb
  ) throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    let source = try SoundSource(in: offline.context)
    let log = NotificationLog()
    let token = source.record(in: log, of: [.buffersProcessed, .state])
    let loud = try PCMBuffer(samples: [Float](repeating: 0.5, count: 100), format: Scenes.mono)
    try source.queue((0..<3).map { _ in try SoundBuffer(loud, in: offline.context) })
    source.play(at: StartScenes.time(ofFrame: 5_000))
    if before == .pause { source.pause() }
    source.stop()
    #expect(source.state == .stopped)
    #expect(log.all.suffix(2).map(\.kind) == [.buffersProcessed(3), .stateChanged(.stopped)])
    #expect(StartScenes.render(8_000, &offline).allSatisfy { $0 == 0 })
    #expect(source.processedBufferCount == 3)
    #expect(source.unqueueProcessed().count == 3)
    try source.queue([SoundBuffer(loud, in: offline.context)])
    source.play()
    #expect(offline.render(frameCount: 100).samples.suffix(20).allSatisfy { abs($0 - 0.5) < 1e-3 })
    withExtendedLifetime(token) {}
  }

  @Test(arguments: StartScenes.libraries)
  func `A source that waits can be held, started, stopped, rewound and dropped`(disabled: DisabledFeatures) throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    let context = offline.context
    let source = try StartScenes.ramp(in: context)

    // The source is paused over its start frame, and starts when it resumes.
    source.play(at: StartScenes.time(ofFrame: 1_000))
    source.pause()
    #expect(source.state == .paused)
    #expect(offline.render(frameCount: 2_048).level == .silence)
    source.play()
    #expect(source.state == .playing)
    #expect(abs(offline.render(frameCount: 1_024).samples[0] - 0.001) < 1e-4)
    source.rewind()
    _ = offline.render(frameCount: 1_024)

    // The source is paused and resumed before its start frame, and waits on.
    source.play(at: StartScenes.time(ofFrame: 8_192))
    context.pause([source])
    context.play([source])
    var mix = offline.render(frameCount: 4_096 + 10).samples
    #expect(mix.firstIndex { $0 != 0 } == 4_096)
    source.rewind()
    _ = offline.render(frameCount: 1_014)

    // After `play()`, the source does not wait.
    source.play(at: StartScenes.time(ofFrame: 1_000_000))
    source.play()
    #expect(abs(offline.render(frameCount: 1_024).samples[1] - 0.002) < 1e-4)
    source.rewind()
    _ = offline.render(frameCount: 1_024)

    for (end, state) in [(SoundSource.stop, SourceState.stopped), (SoundSource.rewind, .initial)] {
      source.play(at: context.clock + StartScenes.time(ofFrame: 10))
      end(source)()
      #expect(source.state == state)
      #expect(offline.render(frameCount: 1_024).level == .silence)
      #expect(source.state == state)
      source.rewind()
    }

    var dropped: SoundSource? = try StartScenes.ramp(in: context)
    dropped?.play(at: context.clock + StartScenes.time(ofFrame: 10))
    dropped = nil
    mix = offline.render(frameCount: 1_024).samples
    #expect(mix.allSatisfy { $0 == 0 })
  }

  @Test(arguments: StartScenes.libraries)
  func `A looping queue paused and resumed while it waits counts its loops from its start`(
    disabled: DisabledFeatures
  ) throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    let source = try SoundSource(in: offline.context)
    try source.queue([2, 1_218].map { try Scenes.silence(frames: $0, in: offline.context) })
    source.isLooping = true
    let loops = Lock(0)
    let token = source.observe(.loop) { notification in
      if case .looped(let count) = notification.kind { loops.withLock { $0 += count } }
    }
    source.play(at: StartScenes.time(ofFrame: 2_016))
    source.pause()
    source.play()
    _ = offline.render(frameCount: 2_016 + 1_219)
    #expect(loops.withLock { $0 } == 0)
    _ = offline.render(frameCount: 1_222)
    #expect(loops.withLock { $0 } == 2)
    token.cancel()
  }

  @Test(arguments: StartScenes.libraries)
  func `A stream that ends while it waits for its start stays stopped under a new observer`(
    disabled: DisabledFeatures
  ) throws {
    let offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    var reader = SampleReader(frames: 4_000)
    reader.knowsLength = false
    let source = try SoundSource(streaming: reader, in: offline.context)
    source.play(at: .seconds(1))
    source.playbackFrame = 1_000_000
    #expect(source.state == .stopped)
    let token = source.observe(.all) { _ in }
    #expect(source.state == .stopped)
    #expect(!offline.context.inspector.pollsPlayingSources)
    token.cancel()
  }
}
