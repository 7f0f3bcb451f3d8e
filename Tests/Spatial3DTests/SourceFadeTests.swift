import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// The arithmetic of fades.
@Suite struct SourceFadeLogicTests {
  @Test(arguments: 1...200)
  func `The gain of a fade lies on a line, and stays between its ends`(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let (from, to) = (Float.random(in: 0...1, using: &random), Float.random(in: 0...1, using: &random))
    let begin = Int64.random(in: 0...1_000_000_000_000, using: &random)
    let duration = Int64.random(in: 1...10_000_000_000, using: &random)
    let fade = SourceFade(from: from, to: to, begin: begin, duration: duration)
    #expect(fade.gain(at: begin - 1) == from && fade.gain(at: begin) == from)
    #expect(fade.gain(at: begin + duration) == to && fade.gain(at: .max) == to)
    for _ in 0..<50 {
      let time = Int64.random(in: 0...duration, using: &random)
      let share = Double(time) / Double(duration)
      #expect(abs(Double(fade.gain(at: begin + time)) - (Double(from) + share * Double(to - from))) < 1e-6)
      let next = begin + time + Int64.random(in: 0...duration, using: &random)
      let step = fade.gain(from: begin + time, to: next)
      #expect(step == min(fade.gain(at: begin + time), fade.gain(at: next)))
      #expect((min(from, to)...max(from, to)).contains(step))
    }
  }

  @Test func `A step has 64 to 512 frames, and a fade of any length an end`() {
    for rate in [8_000, 44_100, 48_000, 192_000] {
      for duration in [Int64.min, -1, 0, 1, 1_000_000, 50_000_000, 1_000_000_000, .max] {
        let fade = SourceFade(from: 1, to: 0, begin: 1_000, duration: duration)
        #expect((64...512).contains(fade.stepLength(at: rate)))
        #expect(fade.end > fade.begin)
        #expect(fade.gain(at: .max) == 0)
      }
    }
    #expect(SourceFade(from: 1, to: 0, begin: 0, duration: 100_000_000).stepLength(at: 48_000) == 150)
  }
}

/// Sources that fade in and out in a mix.
@Suite struct SourceFadeTests {
  static let libraries: [DisabledFeatures] = [[], [.deviceClock], DisabledFeatures(stopFades: true)]

  /// A source of a steady value at the listener, whose mix is its gain.
  private static func steady(
    seconds: Int = 2,
    looping: Bool = false,
    in context: AudioContext
  ) throws -> SoundSource {
    let pcm = try PCMBuffer(samples: [Float](repeating: 1, count: seconds * 48_000 - 1) + [0], format: Scenes.mono)
    let source = try SoundSource(playing: SoundBuffer(pcm, in: context), in: context)
    source.isListenerRelative = true
    source.isLooping = looping
    return source
  }

  /// The largest distance of a mix from a line between two gains.
  private static func distance(_ mix: some Sequence<Float>, from: Float, to: Float, over frames: Int) -> Float {
    mix.enumerated().map { frame, sample in
      abs(sample - (from + (to - from) * min(Float(frame) / Float(frames), 1)))
    }.max() ?? 0
  }

  @Test(arguments: libraries, [480, 4_801, 24_000])
  func `The gain falls and rises on a line, and the state changes at the end of it`(
    disabled: DisabledFeatures,
    frames: Int
  ) throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    let source = try Self.steady(in: offline.context)
    let log = NotificationLog()
    let token = source.record(in: log)
    let duration = Scenes.mono.duration(ofFrames: frames)
    // One step, and the library's fade of 64 frames.
    let tolerance = max(64 / Float(frames) * 2, 3 / 32)

    source.play(fadingIn: duration)
    #expect(source.state == .playing)
    let rise = offline.render(frameCount: frames + 512).samples
    #expect(Self.distance(rise, from: 0, to: 1, over: frames) < tolerance)
    #expect(rise.suffix(300).allSatisfy { abs($0 - 1) < 1e-5 })

    source.pause(fadingOut: duration)
    #expect(source.state == .playing && source.gain == 1)
    let fall = offline.render(frameCount: frames + 512).samples
    #expect(Self.distance(fall, from: 1, to: 0, over: frames) < tolerance)
    #expect(fall.suffix(300).allSatisfy { abs($0) < 1e-6 })
    #expect(source.state == .paused && source.gain == 1)
    let position = source.playbackFrame
    #expect((2 * frames + 512...2 * frames + 576).contains(position))

    source.play()
    #expect(offline.render(frameCount: 1_000).samples.suffix(800).allSatisfy { abs($0 - 1) < 1e-5 })
    source.stop(fadingOut: duration)
    _ = offline.render(frameCount: frames - 1)
    #expect(source.state == .playing)
    _ = offline.render(frameCount: 2)
    #expect(source.state == .stopped)
    let ends = [frames + 512 + frames, 3 * frames + 2_024]
    #expect(
      log.all.map(\.kind) == [
        .stateChanged(.playing), .stateChanged(.paused), .stateChanged(.playing), .stateChanged(.stopped),
      ]
    )
    #expect([log.all[1].framePosition, log.all[3].framePosition] == ends)
    #expect(log.all.allSatisfy { $0.cause == .call })
    source.play()
    #expect(offline.render(frameCount: 1_000).samples.dropFirst(64).allSatisfy { abs($0 - 1) < 1e-5 })
    withExtendedLifetime(token) {}
  }

  @Test(arguments: libraries)
  func `Fades of 24 sines at once do not click`(disabled: DisabledFeatures) throws {
    for (length, feed) in [(64, NoClickTests.Feed.buffer), (480, .queue), (4_800, .stream), (4_800, .buffer)] {
      var offline = try OfflineRenderer(format: Scenes.stereo, disabling: disabled)
      let sources = try NoClickTests.sines(from: feed, in: offline.context)
      let duration = Scenes.mono.duration(ofFrames: length)
      for source in sources { source.play(fadingIn: duration) }
      var mix = offline.render(frameCount: 7_001).samples
      for source in sources { source.pause(fadingOut: duration) }
      mix += offline.render(frameCount: length / 2).samples
      for source in sources { source.play(fadingIn: duration) }
      mix += offline.render(frameCount: 7_001).samples
      for source in sources { source.stop(fadingOut: duration) }
      mix += offline.render(frameCount: 7_001).samples
      #expect(sources.allSatisfy { $0.state == .stopped })
      let clicks = try PCMBuffer(samples: mix, format: Scenes.stereo).clicks(highestFrequency: 1_400)
      #expect(clicks.isEmpty, "\(length) frames, \(feed): \(clicks)")
    }
  }

  @Test(arguments: libraries)
  func `Another call ends a fade, and a seek does not`(disabled: DisabledFeatures) throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    let source = try Self.steady(in: offline.context)
    func level() -> Float { offline.render(frameCount: 512).samples.last ?? 0 }

    // A sound that fades out ahead of a pause goes on. A sound that fades out ahead of a stop begins again.
    source.play()
    _ = offline.render(frameCount: 10_000)
    source.pause(fadingOut: .seconds(1))
    _ = offline.render(frameCount: 24_000)
    source.play()
    #expect((34_000...34_064).contains(source.playbackFrame))
    #expect(abs(level() - 1) < 1e-5)
    source.stop(fadingOut: .seconds(1))
    _ = offline.render(frameCount: 24_000)
    source.play()
    #expect(source.playbackFrame == 0)
    #expect(abs(level() - 1) < 1e-5)

    for verb in [SoundSource.stop, SoundSource.pause, SoundSource.rewind] {
      source.play(fadingIn: .seconds(1))
      #expect(level() < 0.02)
      verb(source)()
      #expect(source.state != .playing)
      _ = level()
      #expect(level() == 0)
      source.play()
      _ = level()
      #expect(abs(level() - 1) < 1e-5)
      source.stop()
    }

    // A call in a fade-in goes on from its level, in pieces of any length.
    source.play(fadingIn: .seconds(1))
    _ = offline.render(frameCount: 4_800)
    source.stop()
    var last = Float(0.1)
    for _ in 0..<32 {
      let piece = offline.render(frameCount: 16).samples
      for sample in piece {
        #expect(sample <= last + 0.01)
        last = sample
      }
    }
    #expect(last == 0)

    source.play()
    source.stop(fadingOut: .seconds(1))
    source.playbackFrame = 60_000
    #expect(abs(offline.render(frameCount: 24_000).samples[23_999] - 0.5) < 0.03)
    #expect(source.playbackFrame == 84_000)
    source.stop(fadingOut: .seconds(1) / 4)
    #expect(abs(offline.render(frameCount: 6_000).samples[5_999] - 0.25) < 0.03)
    _ = offline.render(frameCount: 7_000)
    #expect(source.state == .stopped)
  }

  @Test func `A source that does not play stops, and pauses, without a fade`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try Self.steady(in: offline.context)
    source.stop(fadingOut: .seconds(1))
    #expect(source.state == .initial)
    source.pause(fadingOut: .seconds(1))
    #expect(source.state == .initial)
    source.play()
    _ = offline.render(frameCount: 1_000)
    source.pause()
    source.stop(fadingOut: .seconds(1))
    #expect(source.state == .stopped)
    source.play(at: offline.context.clock + .milliseconds(100))
    source.stop(fadingOut: .seconds(1))
    #expect(source.state == .stopped)
  }

  @Test func `A sound that ends in its fade has its gain at the next start`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try Self.steady(seconds: 1, in: offline.context)
    source.play()
    source.stop(fadingOut: .seconds(60))
    _ = offline.render(frameCount: 60_000)
    #expect(source.state == .stopped)
    source.play()
    #expect(offline.render(frameCount: 1_000).samples.dropFirst(64).allSatisfy { abs($0 - 1) < 1e-5 })
    source.pause(fadingOut: .seconds(1_000_000_000_000))
    _ = offline.render(frameCount: 1_000)
    #expect(source.state == .playing)
  }

  @Test func `A stop without a fade is exact to the sample on a library that cuts`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    guard offline.context.handle.cutsSounds else { return }
    let source = try Self.steady(in: offline.context)
    for duration in [Duration.zero, .seconds(-1)] {
      source.play()
      #expect(offline.render(frameCount: 1_000).samples.allSatisfy { abs($0 - 1) < 1e-5 })
      source.stop(fadingOut: duration)
      #expect(offline.render(frameCount: 1_000).samples.allSatisfy { $0 == 0 })
      source.play()
      _ = offline.render(frameCount: 1_000)
      source.pause(fadingOut: duration)
      #expect(offline.render(frameCount: 1_000).samples.allSatisfy { $0 == 0 })
      source.play(fadingIn: duration)
      #expect(offline.render(frameCount: 1_000).samples.allSatisfy { abs($0 - 1) < 1e-5 })
      source.stop()
      _ = offline.render(frameCount: 64)
    }
  }

  @Test func `A scheduled start fades in from its frame`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: [.startDelay])
    let source = try Self.steady(in: offline.context)
    source.play(at: .milliseconds(100))
    source.pause()
    source.play(fadingIn: .milliseconds(100))
    let mix = offline.render(frameCount: 12_000).samples
    #expect(mix[..<4_800].allSatisfy { $0 == 0 })
    #expect(Self.distance(mix[4_800...], from: 0, to: 1, over: 4_800) < 0.1)
  }

  @Test func `A suspended context holds a fade, and deferred calls have none`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    let source = try Self.steady(in: context)
    source.play()
    _ = offline.render(frameCount: 4_800)
    source.stop(fadingOut: .milliseconds(100))
    _ = offline.render(frameCount: 2_400)
    context.suspend(.freeze, for: .background)
    _ = offline.render(frameCount: 48_000)
    #expect(source.state == .playing)
    context.resume(from: .background)
    _ = offline.render(frameCount: 2_300)
    #expect(source.state == .playing)
    _ = offline.render(frameCount: 200)
    #expect(source.state == .stopped)
    source.play()
    context.suspend(.queue, for: .background)
    source.stop(fadingOut: .seconds(1))
    #expect(source.state == .stopped)
    context.resume(from: .background)
    #expect(source.state == .stopped)
  }

  @Test func `A source that is released in its fade leaves no fade`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    do {
      let source = try Self.steady(in: offline.context)
      source.play()
      source.stop(fadingOut: .milliseconds(1))
    }
    #expect(offline.context.inspector.fadesNothing)
    #expect(offline.render(frameCount: 1_000).samples.suffix(500).allSatisfy { $0 == 0 })
  }

  @Test func `A fade to a stop ends with it where an output is lost and all sources are paused`() async throws {
    let device = try AudioDevice.silent
    let context = try AudioContext(device: device)
    let sources = try (0..<2).map { _ in try Self.steady(looping: true, in: context) }
    context.play(sources)
    sources[0].stop(fadingOut: .seconds(1_000))
    sources[1].pause(fadingOut: .seconds(1_000))
    device.pauseAll()
    #expect(sources[0].state == .stopped)
    #expect(sources[1].state == .paused)
    #expect(context.state.withLock { state in sources.allSatisfy { state.records[$0.key].scene.fadeGain == 1 } })
  }

  @Test(arguments: [[], [.startDelay]] as [DisabledFeatures])
  func `A source that waits for its start is paused where an output is lost and all sources are`(
    disabled: DisabledFeatures
  ) throws {
    let offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    let source = try Self.steady(in: offline.context)
    offline.context.play([source], at: offline.context.clock + .seconds(3))
    #expect(source.state == .playing)
    offline.context.device.pauseAll()
    #expect(source.state == .paused)
  }

  @Test func `A fade ahead of its begin, or of a clock that stands still, polls no more than needed`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    let source = try Self.steady(in: context)
    context.play([source], at: .seconds(3_600))
    source.pause()
    source.play(fadingIn: .seconds(1))
    #expect(context.inspector.stepFades() == 48_000)
    let other = try Self.steady(in: context)
    other.play(fadingIn: .seconds(1))
    let waits = [0, 50, 200, 300].map { context.inspector.waitForFades(at: $0 * 1_000_000) }
    #expect(waits.map { $0 == 100_000_000 } == [false, false, true, true])
    _ = offline.render(frameCount: 64)
    #expect(context.inspector.waitForFades(at: 400_000_000) != 100_000_000)
  }

  @Test func `A silent device fades by the clock`() async throws {
    let context = try AudioContext(device: .silent)
    let source = try Self.steady(looping: true, in: context)
    source.play(fadingIn: .milliseconds(50))
    try await eventually("the source has its gain") { context.inspector.fadesNothing }
    #expect(source.state == .playing)
    source.pause(fadingOut: .milliseconds(50))
    #expect(source.state == .playing)
    try await eventually("the source is paused") { source.state == .paused }
    source.play()
    source.stop(fadingOut: .milliseconds(50))
    try await eventually("the source has stopped") { source.state == .stopped }
    #expect(context.inspector.fadesNothing)
  }
}
