import Spatial3D
import Spatial3DTesting
import Testing

@Suite struct PlaybackTests {
  enum Verb: CaseIterable {
    case play
    case pause
    case stop
    case rewind

    func callAsFunction(_ source: SoundSource) {
      switch self {
      case .play: source.play()
      case .pause: source.pause()
      case .stop: source.stop()
      case .rewind: source.rewind()
      }
    }

    /// The next state by the OpenAL 1.1 specification.
    func next(after state: SourceState) -> SourceState {
      switch (self, state) {
      case (.play, _): .playing
      case (.pause, .playing), (.pause, .paused): .paused
      case (.pause, _): state
      case (.stop, .initial): .initial
      case (.stop, _): .stopped
      case (.rewind, _): .initial
      }
    }
  }

  @Test func `Every sequence of five calls has the states of OpenAL`() throws {
    let renderer = try OfflineRenderer(format: Scenes.stereo)
    let buffer = try Scenes.silence(frames: 1_000, in: renderer.context)
    for sequence in 0..<1_024 {
      let source = try SoundSource(playing: buffer, in: renderer.context)
      var expected = SourceState.initial
      #expect(source.state == expected)
      for step in 0..<5 {
        let verb = Verb.allCases[(sequence >> (2 * step)) & 3]
        verb(source)
        expected = verb.next(after: expected)
        #expect(source.state == expected, "step \(step) of sequence \(sequence)")
      }
    }
  }

  @Test func `A sound ends by itself, after its last frame`() throws {
    var offline = try OfflineRenderer(format: Scenes.stereo)
    let source = try SoundSource(playing: Scenes.silence(frames: 1_500, in: offline.context), in: offline.context)
    source.play()
    _ = offline.render(frameCount: 1_024)
    #expect(source.state == .playing)
    _ = offline.render(frameCount: 1_024)
    #expect(source.state == .stopped)
  }

  @Test func `A sound comes out sample for sample, at its own frame`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    // OpenAL Soft 1.25 holds a sound's last sample until the end of the mix, so this sound ends with silence.
    let samples = TestSignal.noise(duration: .milliseconds(50), format: Scenes.mono).samples + [0]
    let noise = try PCMBuffer(samples: samples, format: Scenes.mono)
    let source = try SoundSource(playing: SoundBuffer(noise, in: offline.context), in: offline.context)
    source.isListenerRelative = true
    _ = offline.render(frameCount: 777)
    source.play()
    let mix = offline.render(frameCount: noise.frameCount + 100)

    // A single factor applies to all samples: the panning of a centred source to one channel.
    let factor = mix.samples[100] / noise.samples[100]
    #expect(factor > 0.5 && factor <= 1.001)
    for (mixed, played) in zip(mix.samples, noise.samples) {
      #expect(abs(mixed - played * factor) < 1e-5)
    }
    #expect(mix.samples.dropFirst(noise.frameCount).allSatisfy { $0 == 0 })
  }

  @Test func `A paused sound resumes at its position, and a stopped one starts over`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let noise = TestSignal.noise(duration: .seconds(1), format: Scenes.mono)
    let source = try SoundSource(playing: SoundBuffer(noise, in: offline.context), in: offline.context)
    source.isListenerRelative = true
    source.play()
    let first = offline.render(frameCount: 2_048).samples
    let factor = first[1_000] / noise.samples[1_000]

    /// The position of the next audible frame in the noise; `nil` if it is not within the first 8,000 frames.
    func positionOfNextFrame() -> Int? {
      let output = offline.render(frameCount: 1_024).samples
      return (0..<8_000).first { start in
        (100..<200).allSatisfy { abs(output[$0] - noise.samples[start + $0] * factor) < 1e-4 }
      }
    }

    source.pause()
    // OpenAL Soft 1.25 fades a pause out over 64 frames, and consumes as many more of the sound.
    _ = offline.render(frameCount: 1_024)
    #expect(offline.render(frameCount: 1_024).level == .silence)
    source.play()
    #expect(source.state == .playing)
    let resumed = try #require(positionOfNextFrame())
    #expect((2_048...2_112).contains(resumed))

    source.stop()
    _ = offline.render(frameCount: 1_024)
    #expect(offline.render(frameCount: 1_024).level == .silence)
    source.play()
    #expect(positionOfNextFrame() == 0)

    source.rewind()
    _ = offline.render(frameCount: 1_024)
    #expect(offline.render(frameCount: 1_024).level == .silence)
    source.play()
    #expect(positionOfNextFrame() == 0)
  }

  @Test func `A looping sound repeats without a gap`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let noise = TestSignal.noise(duration: .milliseconds(10), format: Scenes.mono)
    let source = try SoundSource(playing: SoundBuffer(noise, in: offline.context), in: offline.context)
    source.isListenerRelative = true
    source.isLooping = true
    source.play()
    let mix = offline.render(frameCount: noise.frameCount * 20)
    for frame in 0..<(noise.frameCount * 19) {
      #expect(abs(mix.samples[frame] - mix.samples[frame + noise.frameCount]) < 1e-6)
    }
    #expect(mix.level > -20)
    #expect(source.state == .playing)
  }

  @Test(arguments: [0.25, 0.5, 0.75, 1, 1.5, 2, 4] as [Float])
  func `Pitch is a factor of the frequency`(pitch: Float) throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let sine = TestSignal.sine(frequency: 1_000, duration: .seconds(1), format: Scenes.mono)
    let source = try SoundSource(playing: SoundBuffer(sine, in: offline.context), in: offline.context)
    source.isListenerRelative = true
    source.isLooping = true
    source.pitch = pitch
    source.play()
    let samples = offline.render(.seconds(1)).samples
    let crossings = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
    #expect(abs(crossings - Int(1_000 * pitch)) <= 2)
  }

  @Test func `A source that moves towards the listener sounds higher`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let sine = TestSignal.sine(frequency: 1_000, duration: .seconds(1), format: Scenes.mono)
    let source = try SoundSource(playing: SoundBuffer(sine, in: offline.context), in: offline.context)
    source.isLooping = true
    source.position = [0, 0, -1]
    source.velocity = [0, 0, 34.33]
    source.play()
    let samples = offline.render(.seconds(1)).samples
    let crossings = zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 }
    // A source at a tenth of the speed of sound, 343.3 m/s, sounds one ninth higher.
    #expect(abs(crossings - 1_111) <= 3)
  }

  @Test func `Starting a source over and over before a mix costs nothing and starts it once`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let noise = TestSignal.noise(duration: .milliseconds(100), format: Scenes.mono)
    let source = try SoundSource(playing: SoundBuffer(noise, in: offline.context), in: offline.context)
    source.play()
    let once = offline.render(frameCount: 4_800).samples
    // Without a safeguard, the newest library keeps a voice for each call, and takes minutes.
    for _ in 0..<200_000 { source.play() }
    let last = offline.render(frameCount: 4_800).samples
    for (one, other) in zip(once.dropFirst(64), last.dropFirst(64)) { #expect(abs(one - other) < 1e-5) }
  }

  @Test func `A play call in the middle of a sound starts it from the beginning`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try SoundSource(playing: Scenes.silence(frames: 3_000, in: offline.context), in: offline.context)
    source.play()
    for _ in 0..<5 {
      _ = offline.render(frameCount: 2_000)
      source.play()
      #expect(source.state == .playing)
    }
    _ = offline.render(frameCount: 2_000)
    #expect(source.state == .playing)
    _ = offline.render(frameCount: 2_048)
    #expect(source.state == .stopped)
  }

  @Test func `A sound without frames ends at once`() throws {
    var offline = try OfflineRenderer(format: Scenes.mono)
    let source = try SoundSource(playing: Scenes.silence(frames: 0, in: offline.context), in: offline.context)
    for isLooping in [false, true] {
      source.isLooping = isLooping
      source.play()
      #expect(offline.render(frameCount: 1_024).level == .silence)
      #expect(source.state == .stopped)
    }
  }
}
