import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Reasons and modes of a suspension, by their audible results.
@Suite struct SuspensionModeTests {
  /// One source each that plays, is paused, was stopped and was never played.
  private func sources(in offline: inout OfflineRenderer) throws -> [SoundSource] {
    let sources = try (0..<4).map { index in
      let source = try Scenes.noise(in: offline.context, at: [Float(index) - 1.5, 0, -1])
      source.playbackFrame = 1_000 * index
      return source
    }
    _ = offline.render(frameCount: 2_048)
    sources[1].pause()
    sources[2].stop()
    sources[3].rewind()
    _ = offline.render(frameCount: 2_048)
    return sources
  }

  @Test func `An interruption while the user has paused leaves the game paused`() throws {
    var offline = try OfflineRenderer(format: Scenes.stereo)
    let context = offline.context
    let source = try Scenes.noise(in: context)
    _ = offline.render(frameCount: 1_024)
    context.suspend()
    context.suspend(.mute, for: .interruption)
    context.resume(from: .interruption)
    #expect(context.isSuspended)
    #expect(context.suspensions == [.userPause: .freeze])
    let clock = context.clock
    #expect(offline.render(frameCount: 4_096).level == .silence)
    #expect(context.clock == clock)
    context.resume(from: .background)
    #expect(context.isSuspended)
    context.resume()
    #expect(!context.isSuspended)
    #expect(offline.render(frameCount: 4_096).level > -60)
    #expect(source.state == .playing)
  }

  @Test func `A muted scene fades out, keeps playing silently and fades in without a time shift`() throws {
    let tone = TestSignal.sine(frequency: 300, duration: .seconds(2), format: Scenes.mono)
    func play(in context: AudioContext) throws -> SoundSource {
      let source = try SoundSource(playing: SoundBuffer(tone, in: context), in: context)
      source.gain = 0.5
      source.play()
      return source
    }
    var whole = try OfflineRenderer(format: Scenes.stereo)
    let reference = try play(in: whole.context)
    let expected = whole.render(frameCount: 40_960)
    var muted = try OfflineRenderer(format: Scenes.stereo)
    let source = try play(in: muted.context)
    let before = muted.render(frameCount: 10_240)
    muted.context.suspend(.mute, for: .interruption)
    let out = muted.render(frameCount: 2_048)
    let silence = muted.render(frameCount: 8_192)
    #expect(silence.level == .silence)
    #expect(source.state == .playing)
    #expect(muted.context.listener.gain == 1)
    muted.context.resume(from: .interruption)
    let back = muted.render(frameCount: 20_480)
    // The mix has the same sound at the same time.
    let late = 2_048 * 2
    #expect(Array(back.samples[late...]) == Array(expected.samples[(40_960 - 20_480) * 2 + late..<40_960 * 2]))
    let mix = try PCMBuffer(samples: [before, out, silence, back].flatMap(\.samples), format: Scenes.stereo)
    #expect(mix.clicks(highestFrequency: 400).isEmpty)
    #expect(reference.state == .playing)
  }

  @Test func `A mute silences direct channels, ringing rooms and effects, including new ones`() throws {
    var offline = try OfflineRenderer(format: Scenes.stereo)
    let context = offline.context
    context.reverb = Reverb(.cathedral)
    let unit = try EffectUnit(.echo(Effect.Echo()), in: context)
    let source = try Scenes.noise(in: context)
    source.reverbBlend = 0.7
    source.effectSends = [EffectSend(to: unit, gain: 1)]
    let pcm = TestSignal.noise(duration: .seconds(2), format: Scenes.stereo)
    let music = try SoundSource(playing: SoundBuffer(pcm, in: context), in: context)
    music.usesDirectChannels = true
    music.play()
    _ = offline.render(.milliseconds(500))
    context.suspend(.mute, for: .interruption)
    _ = offline.render(.milliseconds(100))
    #expect(offline.render(.milliseconds(300)).isSilent(below: -100))
    unit.gain = 0.9
    context.listener.gain = 0.8
    context.reverb = Reverb(.plate)
    let later = try EffectUnit(.echo(Effect.Echo()), in: context)
    source.effectSends = [EffectSend(to: later, gain: 1)]
    _ = offline.render(.milliseconds(100))
    #expect(offline.render(.milliseconds(300)).isSilent(below: -100))
    #expect(context.listener.gain == 0.8)
    context.resume(from: .interruption)
    _ = offline.render(.milliseconds(100))
    #expect(offline.render(.milliseconds(300)).level > -40)
    #expect(context.libraryListener.gain == 0.8)
  }

  @Test func `A freeze during a mute stays silent until the mute ends`() throws {
    var offline = try OfflineRenderer(format: Scenes.stereo)
    let source = try Scenes.noise(in: offline.context)
    _ = offline.render(frameCount: 1_024)
    offline.context.suspend(.mute, for: .interruption)
    _ = offline.render(frameCount: 2_048)
    offline.context.suspend(.freeze, for: .userPause)
    #expect(offline.render(frameCount: 2_048).level == .silence)
    offline.context.resume(from: .userPause)
    #expect(offline.render(frameCount: 2_048).level == .silence)
    offline.context.resume(from: .interruption)
    #expect(offline.render(frameCount: 2_048).level > -60)
    withExtendedLifetime(source) {}
  }

  @Test(arguments: 0..<40)
  func `Deferred calls mix as if they had been made on resume`(seed: UInt64) throws {
    func play(_ mode: SuspensionMode) throws -> PCMBuffer<Float> {
      var random = SplitMix64(seed: seed)
      var offline = try OfflineRenderer(format: Scenes.stereo)
      let context = offline.context
      let sources = try sources(in: &offline)
      context.suspend(mode, for: .background)
      for _ in 0..<12 {
        let source = sources.randomElement(using: &random)!
        switch Int.random(in: 0..<7, using: &random) {
        case 0: source.play()
        case 1: source.pause()
        case 2: source.stop()
        case 3: source.rewind()
        case 4: source.playbackFrame = Int.random(in: 0..<20_000, using: &random)
        case 5: context.play(sources)
        default: context.pause([source])
        }
      }
      let readings = sources.map { ($0.state, $0.playbackFrame) }
      let mix = offline.render(frameCount: 1_024)
      #expect(mix.level == .silence)
      context.resume(from: .background)
      for (source, (state, frame)) in zip(sources, readings) {
        #expect(source.state == state)
        if state == .playing || state == .paused { #expect(source.playbackFrame == frame) }
      }
      // The fade of a source that ends or moves depends on the calls before.
      _ = offline.render(frameCount: 2_048)
      return offline.render(frameCount: 8_192)
    }
    let (kept, direct) = (try play(.queue), try play(.freeze))
    #expect(try kept.difference(from: direct).peak < -120)
  }

  @Test func `Deferred calls notify observers on resume`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    let source = try SoundSource(playing: Scenes.silence(frames: 4_800, in: context), in: context)
    let log = NotificationLog()
    let token = source.record(in: log)
    context.suspend(.queue, for: .background)
    for _ in 0..<1_000 {
      source.play()
      source.stop()
    }
    source.play()
    #expect(source.state == .playing)
    #expect(log.all.isEmpty)
    _ = offline.render(frameCount: 4_800)
    #expect(log.all.isEmpty)
    context.resume(from: .background)
    #expect(log.states == [.playing])
    _ = offline.render(frameCount: 9_600)
    #expect(log.states == [.playing, .stopped])
    withExtendedLifetime(token) {}
  }

  @Test(arguments: StartScenes.libraries)
  func `A playing source with a deferred scheduled start reports no state change on resume`(disabled: DisabledFeatures)
    throws
  {
    func play(_ mode: SuspensionMode) throws -> PCMBuffer<Float> {
      var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
      let context = offline.context
      let source = try Scenes.noise(in: context)
      _ = offline.render(frameCount: 4_096)
      let log = NotificationLog()
      let token = source.record(in: log)
      context.suspend(mode, for: .background)
      source.playbackFrame = 700
      context.play([source], at: .milliseconds(200))
      #expect(source.state == .playing)
      context.resume(from: .background)
      #expect(source.state == .playing)
      #expect(log.states.isEmpty)
      let mix = offline.render(frameCount: 24_000)
      #expect(log.states.isEmpty)
      token.cancel()
      return mix
    }
    let (kept, direct) = (try play(.queue), try play(.freeze))
    #expect(kept.samples == direct.samples)
  }

  @Test func `One-shots and streams wait for resume, and a source dropped meanwhile stays silent`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    context.suspend(.queue, for: .background)
    let stream = try SoundSource(streaming: SampleReader(frames: 9_600), in: context)
    stream.play()
    #expect(stream.state == .playing)
    try context.playOnce(Scenes.silence(frames: 480, in: context))
    do {
      let dropped = try Scenes.noise(in: context)
      #expect(dropped.state == .playing)
    }
    #expect(context.inspector.deferredSourceCount == 2)
    #expect(offline.render(frameCount: 4_800).level == .silence)
    context.resume(from: .background)
    #expect(context.inspector.deferredSourceCount == 0)
    #expect(offline.render(frameCount: 4_800).level > -40)
    _ = offline.render(frameCount: 9_600)
    #expect(stream.state == .stopped)
  }

  @Test func `A silent device is suspended like any other`() async throws {
    let context = try AudioContext(device: .silent)
    let source = try SoundSource(playing: Scenes.silence(frames: 4_800, in: context), in: context)
    context.suspend(.queue, for: .background)
    source.play()
    let later = try AudioContext(device: context.device)
    #expect(later.isSuspended)
    let other = try SoundSource(playing: Scenes.silence(frames: 480, in: later), in: later)
    other.play()
    #expect(later.inspector.defersCalls)
    context.suspend(.mute, for: .interruption)
    context.resume(from: .background)
    await source.waitUntilStopped()
    await other.waitUntilStopped()
    #expect(later.suspensions == [.interruption: .mute])
  }

  @Test func `The clock stands still until all deferred calls are performed`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    let first = try SoundSource(playing: Scenes.silence(frames: 4_800, in: context), in: context)
    let second = try SoundSource(playing: Scenes.silence(frames: 4_800, in: context), in: context)
    context.suspend(.queue, for: .background)
    first.play()
    second.play()
    // The handler runs in the middle of the notifications: offline, on the thread that makes them.
    let token = first.observe(.state) { _ in
      let workers = Workers(count: 1) { _ in context.resume(from: .userPause) }
      // A handler cannot throw; the issue is recorded.
      try? eventually("the other thread has resumed") { workers.areDone }
      #expect(context.device.inspector.hasStoppedTime)
      #expect(context.inspector.defersCalls)
      #expect(second.state == .playing)
    }
    context.resume(from: .background)
    token.cancel()
    #expect(!context.device.inspector.hasStoppedTime)
    #expect(!context.inspector.defersCalls && !context.inspector.performsDeferredCalls)
    #expect([first.state, second.state] == [.playing, .playing])
    _ = offline.render(frameCount: 9_600)
    #expect([first.state, second.state] == [.stopped, .stopped])
  }

  @Test func `Eight threads may suspend and resume for their own reasons`() async throws {
    let context = try AudioContext(device: .silent)
    let source = try SoundSource(playing: Scenes.silence(frames: 480, in: context), in: context)
    await withTaskGroup(of: Void.self) { group in
      for index in 0..<8 {
        group.addTask {
          var random = SplitMix64(seed: UInt64(index))
          let reason = SuspensionReason("reason \(index)")
          for _ in 0..<100 {
            context.suspend(SuspensionMode.allCases.randomElement(using: &random)!, for: reason)
            source.play()
            if Bool.random(using: &random) { source.stop() }
            context.resume(from: reason)
          }
        }
      }
    }
    #expect(!context.isSuspended)
    #expect(!context.inspector.defersCalls)
    source.play()
    await source.waitUntilStopped()
    #expect(source.state == .stopped)
  }
}
