import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Sources that start at a frame of the mix, with the library's start delay and without it.
@Suite struct ScheduledStartTests {
  @Test(arguments: StartScenes.libraries, [1, 2, 63, 64, 777, 1_023, 1_024, 1_025, 3_001, 50_000])
  func `A source starts at exactly the requested frame`(disabled: DisabledFeatures, frame: Int) throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    let source = try StartScenes.ramp(in: offline.context)
    _ = offline.render(frameCount: 300)
    source.play(at: StartScenes.time(ofFrame: 300 + frame))
    #expect(source.state == .playing)
    let mix = StartScenes.render(frame + 2_000, &offline)
    #expect(mix[..<frame].allSatisfy { $0 == 0 })
    for index in 0..<2_000 { #expect(abs(mix[frame + index] - Float(index + 1) / 1_000) < 1e-4) }
  }

  @Test(arguments: StartScenes.libraries, [11_025, 44_100, 96_000, 192_000])
  func `A start time between two frames is rounded to the nearest at any mix rate`(
    disabled: DisabledFeatures,
    rate: Int
  ) throws {
    var offline = try OfflineRenderer(format: .mono(sampleRate: rate), disabling: disabled)
    let impulse = try PCMBuffer(samples: [Float](repeating: 0.5, count: 64) + [0, 0], format: offline.format)
    let buffer = try SoundBuffer(impulse, in: offline.context)
    var now = 0
    for step in 0..<40 {
      let source = try SoundSource(playing: buffer, in: offline.context)
      let frame = now + 37 + step * 13
      let frameLength = offline.format.duration(ofFrames: 1)
      source.play(at: offline.format.duration(ofFrames: frame) + frameLength * (Double(step % 9) - 4) / 10)
      let mix = offline.render(frameCount: 1_000).samples
      #expect(mix.firstIndex { $0 > 0.4 } == frame - now)
      now += 1_000
    }
  }

  @Test(arguments: StartScenes.libraries)
  func `Neither pitch nor speed nor waiting through suspension moves the start`(disabled: DisabledFeatures) throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    let source = try StartScenes.ramp(in: offline.context)
    source.play(at: StartScenes.time(ofFrame: 5_000))
    source.pitch = 0.5
    #expect(offline.render(frameCount: 2_000).level == .silence)
    source.velocity = [0, 0, 30]
    offline.context.suspend()
    #expect(offline.render(frameCount: 10_000).level == .silence)
    offline.context.resume()
    source.velocity = .zero
    let mix = offline.render(frameCount: 4_000).samples
    #expect(mix[..<3_000].allSatisfy { $0 == 0 })
    #expect(abs(mix[3_000] - 0.001) < 1e-4)
    // At half the speed, the sound is at its 500th frame after 1,000 frames.
    #expect(abs(mix[3_999] - 0.5) < 0.01)
  }

  @Test(arguments: StartScenes.libraries)
  func `A loop range loops behind a start that was delayed`(disabled: DisabledFeatures) throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    let source = try StartScenes.ramp(frames: 100, loopRange: 40..<90, in: offline.context)
    source.isLooping = true
    source.play(at: StartScenes.time(ofFrame: 1_500))
    let mix = StartScenes.render(4_000, &offline)
    #expect(mix[..<1_500].allSatisfy { $0 == 0 })
    for index in 0..<2_500 {
      let frame = index < 90 ? index : 40 + (index - 40) % 50
      #expect(abs(mix[1_500 + index] - Float(frame + 1) / 1_000) < 1e-4)
    }
  }

  @Test(arguments: StartScenes.libraries)
  func `Sixty-four sources start together at their frame, and a second group at its own`(disabled: DisabledFeatures)
    throws
  {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    let context = offline.context
    let pcm = try PCMBuffer(samples: [Float](repeating: 0.01, count: 3_000), format: Scenes.mono)
    let buffer = try SoundBuffer(pcm, in: context)
    let sources = try (0..<64).map { _ in try SoundSource(playing: buffer, in: context) }
    let late = try SoundSource(playing: buffer, in: context)
    context.play([late], at: StartScenes.time(ofFrame: 2_000))
    context.play(sources, at: StartScenes.time(ofFrame: 1_111))
    let mix = StartScenes.render(3_000, &offline)
    #expect(mix[..<1_111].allSatisfy { $0 == 0 })
    #expect(mix[1_111..<2_000].allSatisfy { abs($0 - 0.64) < 1e-4 })
    #expect(mix[2_000...].allSatisfy { abs($0 - 0.65) < 1e-4 })
  }

  @Test(arguments: StartScenes.libraries)
  func `A scheduled start resumes a paused source and silences a playing one until its frame`(
    disabled: DisabledFeatures
  ) throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    let (paused, playing) = (try StartScenes.ramp(in: offline.context), try StartScenes.ramp(in: offline.context))
    paused.play()
    _ = offline.render(frameCount: 1_024)
    paused.pause()
    _ = offline.render(frameCount: 1_024)
    let position = paused.playbackFrame
    #expect(position >= 1_024)
    paused.play(at: StartScenes.time(ofFrame: 4_096))
    #expect(paused.state == .playing)
    var mix = offline.render(frameCount: 4_096).samples
    #expect(mix[..<2_048].allSatisfy { $0 == 0 })
    // A start in the middle of a sound fades in.
    #expect(abs(mix[4_000] - Float(position + 4_000 - 2_048 + 1) / 1_000) < 2e-3)
    paused.rewind()
    _ = offline.render(frameCount: 2_048)

    playing.play()
    _ = offline.render(frameCount: 1_024)
    playing.play(at: offline.context.clock + StartScenes.time(ofFrame: 3_000))
    mix = offline.render(frameCount: 4_000).samples
    // A sound that is cut off may fade out.
    #expect(mix[1_024..<3_000].allSatisfy { $0 == 0 })
    #expect(abs(mix[3_000] - 0.001) < 1e-4)
  }

  @Test(arguments: StartScenes.libraries)
  func `A source that is paused between two frames starts between them`(disabled: DisabledFeatures) throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    let source = try StartScenes.ramp(in: offline.context)
    source.pitch = 0.5
    source.play()
    _ = offline.render(frameCount: 1_025)
    source.pause()
    source.play(at: StartScenes.time(ofFrame: 4_096))
    let mix = StartScenes.render(4_096, &offline)
    // At the start, the source is at 512.5 frames, whose value is 0.5135.
    #expect(abs(mix[4_000] - Float(513.5 + Double(4_000 - 3_071) / 2) / 1_000) < 2e-4)
  }

  @Test(arguments: StartScenes.libraries)
  func `A waiting source with another start time starts from its beginning`(disabled: DisabledFeatures) throws {
    for isPausedBefore in [false, true] {
      var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
      let source = try StartScenes.ramp(in: offline.context)
      if isPausedBefore { source.play() }
      _ = offline.render(frameCount: 100)
      source.pause()
      source.play(at: StartScenes.time(ofFrame: 3_000))
      source.play(at: StartScenes.time(ofFrame: 2_000))
      let mix = StartScenes.render(2_500, &offline)
      // The fade of the sound that was paused ends before.
      #expect(mix[1_000..<1_900].allSatisfy { $0 == 0 })
      for frame in [0, 300, 599] { #expect(abs(mix[1_900 + frame] - Float(frame + 1) / 1_000) < 1e-4) }
    }
  }

  @Test(arguments: StartScenes.libraries)
  func `A source that starts inside its sound instead of waiting restarts from its beginning at once`(
    disabled: DisabledFeatures
  ) throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    let source = try StartScenes.ramp(in: offline.context)
    source.playbackFrame = 500
    source.play(at: StartScenes.time(ofFrame: 3_000))
    source.play()
    #expect(source.playbackFrame == 500)
    source.play()
    #expect(source.playbackFrame == 0)
    _ = offline.render(frameCount: 200)
    #expect(source.playbackFrame == 200)
  }

  @Test(arguments: StartScenes.libraries)
  func `A start time in the past starts a source at once`(disabled: DisabledFeatures) throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    _ = offline.render(frameCount: 2_000)
    let source = try StartScenes.ramp(in: offline.context)
    source.play(at: .milliseconds(1))
    #expect(abs(offline.render(frameCount: 10).samples[0] - 0.001) < 1e-4)
  }

  @Test(arguments: StartScenes.libraries)
  func `A property set in a batch applies from the first frame of a scheduled start`(disabled: DisabledFeatures) throws
  {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    let source = try StartScenes.ramp(in: offline.context)
    offline.context.withDeferredUpdates {
      source.gain = 0.5
      source.play(at: StartScenes.time(ofFrame: 100))
    }
    let mix = offline.render(frameCount: 1_000).samples
    #expect(abs(mix[999] - 0.45) < 1e-3)
    #expect(mix[..<100].allSatisfy { $0 == 0 })
  }

  @Test(arguments: StartScenes.libraries)
  func `A paused source with a scheduled start begins at once at a time in the past`(disabled: DisabledFeatures) throws
  {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    let source = try StartScenes.ramp(in: offline.context)
    source.play(at: StartScenes.time(ofFrame: 20_000))
    source.pause()
    _ = offline.render(frameCount: 1_024)
    source.play(at: .zero)
    #expect(abs(offline.render(frameCount: 10).samples[0] - 0.001) < 1e-4)
  }

  @Test(arguments: StartScenes.libraries)
  func `A source without a sound stops instead of waiting for its start`(disabled: DisabledFeatures) throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    let source = try SoundSource(in: offline.context)
    source.play(at: StartScenes.time(ofFrame: 1_000))
    #expect(source.state == .stopped)
    let pcm = try PCMBuffer(samples: [Float](repeating: 0.5, count: 100), format: Scenes.mono)
    try source.queue([SoundBuffer(pcm, in: offline.context)])
    #expect(offline.render(frameCount: 4_096).level == .silence)
  }

  @Test(arguments: StartScenes.libraries)
  func `A waiting source never has an intermediate state and is never mixed`(disabled: DisabledFeatures) throws {
    var offline = try OfflineRenderer(format: Scenes.mono, disabling: disabled)
    let context = offline.context
    let pcm = try PCMBuffer(samples: [Float](repeating: 0.5, count: 4_800), format: Scenes.mono)
    let source = try SoundSource(playing: SoundBuffer(pcm, in: context), in: context)
    source.isLooping = true
    source.gain = 0
    source.play()
    let other = try SoundSource(playing: SoundBuffer(pcm, in: context), in: context)
    let workers = Workers(count: 2) { index in
      for _ in 0..<400 {
        if index == 0 {
          // The source plays or waits at any time.
          source.play(at: .seconds(1_000_000))
          source.play()
        } else {
          other.play(at: .seconds(1_000_000))
          other.stop()
          #expect(other.state == .stopped)
          other.rewind()
          #expect(other.state == .initial)
        }
      }
    }
    var mix = PCMBuffer<Float>(format: offline.format)
    while !workers.areDone {
      offline.render(into: &mix, frameCount: 64)
      #expect(mix.peak == .silence)
      #expect(source.state == .playing)
    }
  }

  @Test func `A thousand sources wait at little cost`() throws {
    var offline = try OfflineRenderer(
      format: Scenes.mono,
      settings: OutputSettings(sourceLimit: 1_000),
      disabling: [.startDelay]
    )
    let pcm = try PCMBuffer<Float>(samples: [0.001, 0], format: Scenes.mono)
    let buffer = try SoundBuffer(pcm, in: offline.context)
    let sources = try (0..<1_000).map { _ in try SoundSource(playing: buffer, in: offline.context) }
    for (index, source) in sources.enumerated() { source.play(at: StartScenes.time(ofFrame: 1 + index / 100)) }
    #expect(sources.allSatisfy { $0.state == .playing })
    let mix = offline.render(frameCount: 20).samples
    for frame in 0..<10 { #expect(abs(mix[1 + frame] - 0.1) < 1e-3) }
  }

  @Test(
    .enabled(if: (try? AudioDevice()) != nil, "no output device opens here"),
    .hangLimit,
    arguments: [false, true]
  )
  func `A source of a real output starts by itself, also after a pause over its start time`(
    startDelay: Bool
  ) async throws {
    let disabled: DisabledFeatures = startDelay ? [.startDelay] : []
    let context = try AudioContext(device: AudioDevice(handle: DeviceHandle(opening: nil, disabling: disabled)))
    let sound = try Scenes.silence(frames: 4_800, in: context)
    let source = try SoundSource(playing: sound, in: context)
    let start = context.clock + .milliseconds(100)
    source.play(at: start)
    #expect(source.state == .playing)
    await source.waitUntilStopped()
    // The sound lasts 100 ms. It did begin, and not a mix too early.
    #expect(context.clock >= start + .milliseconds(50))

    source.play(at: context.clock + .milliseconds(20))
    source.pause()
    // The source's start time passes while another source plays.
    let other = try SoundSource(playing: sound, in: context)
    other.play()
    await other.waitUntilStopped()
    #expect(source.state == .paused)
    source.play()
    await source.waitUntilStopped()
    #expect(source.state == .stopped)
  }
}
