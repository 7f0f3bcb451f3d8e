import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Positions between two frames of a sound.
@Suite struct FractionalPositionTests {
  /// A tone of 441 Hz and an amplitude of 0.5.
  private static func tone(rate: Int, seconds: Int, in context: AudioContext) throws -> SoundBuffer {
    let tone = TestSignal.sine(
      frequency: 441,
      duration: .seconds(seconds),
      format: .mono(sampleRate: rate)
    )
    return try SoundBuffer(tone, in: context)
  }

  @Test(
    arguments: [0.5, 0.61, 0.75, 0.943874, 1, 1.059463, 1.1, 1.25, 1.37, 1.5, 1.9, 2] as [Float],
    [22_050, 44_100, 48_000]
  )
  func `A sound that was stopped for two seconds returns as if it had played on`(pitch: Float, rate: Int) throws {
    /// The mix of half a second from frame 120,000 on, of a source that plays from a frame of the mix on.
    func mix(from frame: Int) throws -> PCMBuffer<Float> {
      var offline = try OfflineRenderer(format: Scenes.mono)
      let context = offline.context
      let source = try SoundSource(playing: Self.tone(rate: rate, seconds: 8, in: context), in: context)
      source.pitch = pitch
      source.play()
      offline.render(frameCount: 24_000)
      if frame > 24_000 {
        source.stop()
        offline.render(frameCount: frame - 24_000)
        let step = context.mixStep(pitch: pitch, sampleRate: rate)
        source.play(from: .seconds(step * Double(context.mixedFrames) / Double(rate)))
      }
      offline.render(frameCount: 124_800 - max(frame, 24_000))
      return offline.render(frameCount: 24_000)
    }
    let (steady, returned) = (try mix(from: 0), try mix(from: 120_000))
    let difference = zip(steady.samples, returned.samples).map { abs($0 - $1) }.max() ?? 1
    #expect(difference <= 0.01)
    #expect(steady.samples.contains { abs($0) > 0.3 })
  }

  @Test(arguments: [0, 0.25, 0.5, 99.75, 1_234.5, 47_998.125])
  func `A position keeps the fraction of its frame`(frame: Double) throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let sound = try Scenes.silence(frames: 48_000, in: offline.context)
    let source = try SoundSource(playing: sound, in: offline.context)
    let place = Duration.seconds(frame / 48_000)
    source.play(from: place)
    source.pause()
    offline.render(frameCount: 100)
    #expect(abs((source.playbackTime - place) / .seconds(1)) * 48_000 <= 1 / 4_096)
    #expect(source.playbackFrame == Int(frame))
    source.playbackTime += .seconds(0.5 / 48_000)
    #expect(source.playbackFrame == Int(frame + 0.5))
  }

  @Test func `A whole frame is that frame at every rate`() throws {
    for rate in [8_000, 11_025, 22_050, 44_100, 48_000, 96_000] {
      var offline = try OfflineRenderer(format: Scenes.mono)
      let format = PCMFormat.mono(sampleRate: rate)
      let silence = try PCMBuffer<Float>(samples: [Float](repeating: 0, count: 5_000), format: format)
      let source = try SoundSource(playing: SoundBuffer(silence, in: offline.context), in: offline.context)
      source.play()
      source.pause()
      offline.render(frameCount: 10)
      for frame in stride(from: 0, to: 5_000, by: 37) {
        source.playbackTime = format.duration(ofFrames: frame)
        #expect(source.playbackFrame == frame)
      }
    }
  }

  @Test(arguments: SourceState.allCases)
  func `A source plays from a position, in whichever state it is`(state: SourceState) throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let ramp = try PCMBuffer<Float>(samples: (0..<48_000).map { Float($0) / 48_000 }, format: Scenes.mono)
    let source = try SoundSource(playing: SoundBuffer(ramp, in: offline.context), in: offline.context)
    if state != .initial { source.play() }
    offline.render(frameCount: 1_024)
    if state == .paused { source.pause() }
    if state == .stopped { source.stop() }
    offline.render(frameCount: 1_024)
    #expect(source.state == state)
    source.play(from: .milliseconds(500))
    #expect(source.state == .playing && source.playbackFrame == 24_000)
    // The sound is back at its full gain after a mix.
    offline.render(frameCount: 1_024)
    let mix = offline.render(frameCount: 1_024)
    #expect(abs(mix.samples[0] - Float(24_000 + 1_024) / 48_000) < 1e-3)
  }

  @Test(arguments: SourceState.allCases)
  func `A source plays from a position at a time, in whichever state it is`(state: SourceState) throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let ramp = try PCMBuffer<Float>(samples: (0..<48_000).map { Float($0) / 48_000 }, format: Scenes.mono)
    let source = try SoundSource(playing: SoundBuffer(ramp, in: offline.context), in: offline.context)
    if state != .initial { source.play() }
    offline.render(frameCount: 1_024)
    if state == .paused { source.pause() }
    if state == .stopped { source.stop() }
    offline.render(frameCount: 1_024)
    source.play(from: .milliseconds(500), at: Scenes.mono.duration(ofFrames: 5_001))
    #expect(source.state == .playing)
    let before = offline.render(frameCount: 5_001 - 2_048)
    // A source that played fades out within 64 frames.
    #expect(before.samples.dropFirst(64).allSatisfy { $0 == 0 })
    #expect(source.playbackFrame == 24_000)
    offline.render(frameCount: 1_024)
    let mix = offline.render(frameCount: 1_024)
    #expect(abs(mix.samples[0] - Float(24_000 + 1_024) / 48_000) < 1e-3)
  }

  @Test func `A source that fades out plays from a position at its full gain`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try Scenes.noise(in: offline.context)
    offline.render(frameCount: 1_024)
    source.stop(fadingOut: .seconds(1))
    offline.render(frameCount: 20_000)
    source.play(from: .milliseconds(100))
    offline.render(.milliseconds(50))
    let returned = offline.render(.milliseconds(100)).level
    offline.render(.seconds(1))
    #expect(source.state == .playing)
    #expect(abs((offline.render(.milliseconds(100)).level - returned).rawValue) < 1.5)
  }

  @Test func `A waiting source plays from a position at once`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try SoundSource(
      playing: Scenes.silence(frames: 48_000, in: offline.context),
      in: offline.context
    )
    source.play(at: .seconds(1))
    offline.render(frameCount: 1_000)
    source.play(from: .milliseconds(250))
    offline.render(frameCount: 1_000)
    #expect(source.playbackFrame == 13_000)
  }

  @Test func `A queued suspension keeps the position until it ends`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try SoundSource(
      playing: Scenes.silence(frames: 48_000, in: offline.context),
      in: offline.context
    )
    offline.context.suspend(.queue)
    source.play(from: .seconds(100.5 / 48_000))
    #expect(source.state == .playing)
    #expect(abs(source.playbackTime / .seconds(1) * 48_000 - 100.5) < 1e-3)
    offline.context.resume()
    source.pause()
    offline.render(frameCount: 100)
    #expect(abs(source.playbackTime / .seconds(1) * 48_000 - 100.5) < 1e-3)
  }

  @Test func `Whole frames are exact beyond the precision of a single number, up to the last one`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let count = 16_777_220
    let sound = try PCMBuffer(samples: [Int16](repeating: 1_000, count: count), format: Scenes.mono)
    let source = try SoundSource(playing: SoundBuffer(sound, in: offline.context), in: offline.context)
    source.play()
    for frame in [16_777_217, 16_777_219, count - 1] {
      source.playbackFrame = frame
      #expect(source.playbackFrame == frame)
    }
  }

  @Test(arguments: SuspensionMode.allCases)
  func `A waiting source plays from a position at once, also where that is deferred`(mode: SuspensionMode) throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let context = offline.context
    let ramp = (0..<48_000).map { Float($0) / 48_000 }
    let buffer = try SoundBuffer(PCMBuffer(samples: ramp, format: Scenes.mono), in: context)
    for waitsBefore in [true, false] {
      let source = try SoundSource(playing: buffer, in: context)
      offline.render(frameCount: 512)
      if waitsBefore { source.play(at: context.clock + .milliseconds(200)) }
      context.suspend(mode)
      if !waitsBefore { source.play(at: context.clock + .milliseconds(200)) }
      source.play(from: .milliseconds(500))
      #expect(source.state == .playing)
      context.resume()
      let mix = offline.render(frameCount: 4_096).samples
      // The mute of a suspension takes a mix to fade.
      #expect(abs(mix[4_000] * 48_000 - 28_000) < 3, "\(mode), \(waitsBefore)")
    }
  }
}
