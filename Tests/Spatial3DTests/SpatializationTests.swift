import Spatial3D
import Spatial3DTesting
import Testing

@Suite struct SpatializationTests {
  /// The mix of a source of noise, the same on every channel.
  private func mix(_ layout: ChannelLayout, _ prepare: (SoundSource) -> Void) throws -> PCMBuffer<Float> {
    var offline = try OfflineRenderer(format: Scenes.stereo)
    let format = PCMFormat(sampleRate: 48_000, layout: layout)
    let noise = TestSignal.noise(duration: .seconds(1), format: format, amplitude: 0.5)
    let source = try SoundSource(playing: SoundBuffer(noise, in: offline.context), in: offline.context)
    prepare(source)
    source.play()
    _ = offline.render(frameCount: 2_048)
    return offline.render(frameCount: 24_000)
  }

  @Test(arguments: [ChannelLayout.stereo, .quad, .surround51, .surround61, .surround71])
  func `A sound of several channels that is always placed is as loud as a mono one`(layout: ChannelLayout) throws {
    for position in [SIMD3<Float>(1, 0, 0), [-4, 0, 0], [0, 0, -2], [3, 0, -3]] {
      let mono = try mix(.mono) { $0.position = position }
      let placed = try mix(layout) {
        $0.position = position
        $0.spatialization = .always
      }
      // The far ear of a library's panning is almost silent, and differs between one channel and several.
      for channel in 0..<2 where mono.level(ofChannel: channel) - mono.level > -15 {
        #expect(abs((placed.level(ofChannel: channel) - mono.level(ofChannel: channel)).rawValue) < 0.1, "\(position)")
      }
    }
  }

  @Test(arguments: [ChannelLayout.bFormat2D, .bFormat3D])
  func `A B-Format with forced spatialization keeps its loudness to a decibel`(layout: ChannelLayout) throws {
    let usual = try mix(layout) { $0.position = [1, 0, 0] }
    let placed = try mix(layout) {
      $0.position = [1, 0, 0]
      $0.spatialization = .always
    }
    #expect(abs((placed.level - usual.level).rawValue) < 1)
  }

  @Test func `A queue that changes from stereo to mono and back keeps its loudness`() throws {
    var offline = try OfflineRenderer(format: Scenes.stereo)
    let context = offline.context
    let source = try SoundSource(in: context)
    source.spatialization = .always
    source.position = [2, 0, -1]
    var levels: [Decibels] = []
    for layout in [ChannelLayout.mono, .stereo, .mono, .stereo] {
      let format = PCMFormat(sampleRate: 48_000, layout: layout)
      let noise = TestSignal.noise(duration: .milliseconds(500), format: format)
      try source.queue([SoundBuffer(noise, in: context)])
      source.play()
      _ = offline.render(frameCount: 2_048)
      levels.append(offline.render(frameCount: 16_000).level)
      source.stop()
      #expect(source.unqueueProcessed().count == 1)
      _ = offline.render(frameCount: 2_048)
    }
    for level in levels { #expect(abs((level - levels[0]).rawValue) < 0.1, "\(levels)") }
  }

  @Test func `The order of setting gain and spatialization does not change the mix`() throws {
    let before = try mix(.stereo) {
      $0.position = [1, 0, 0]
      $0.gain = 0.25
      $0.spatialization = .always
    }
    let after = try mix(.stereo) {
      $0.spatialization = .always
      $0.gain = 0.25
      $0.position = [1, 0, 0]
    }
    #expect(before.samples == after.samples)
  }

  @Test func `A mono sound that is never placed is in the middle`() throws {
    let middle = try mix(.mono) {
      $0.position = [50, 0, 0]
      $0.spatialization = .never
    }
    #expect(middle.level(ofChannel: 0) == middle.level(ofChannel: 1))
    #expect(middle.level > -30)
  }

  @Test func `Direct channels are the output's own, sample for sample`() throws {
    var offline = try OfflineRenderer(format: Scenes.stereo)
    let left = TestSignal.noise(seed: 1, duration: .milliseconds(50), format: Scenes.mono).samples
    let right = TestSignal.noise(seed: 2, duration: .milliseconds(50), format: Scenes.mono).samples
    let music = try PCMBuffer(samples: zip(left, right).flatMap { [$0, $1] }, format: Scenes.stereo)
    let source = try SoundSource(playing: SoundBuffer(music, in: offline.context), in: offline.context)
    source.usesDirectChannels = true
    source.play()
    for (mixed, played) in zip(offline.render(frameCount: 2_000).samples, music.samples) {
      #expect(abs(mixed - played) < 1e-5)
    }
  }

  @Test func `Stereo angles turn a stereo sound that is not placed`() throws {
    func levels(_ angles: StereoAngles) throws -> (left: Decibels, right: Decibels) {
      var offline = try OfflineRenderer(format: Scenes.stereo)
      // The sound is noise on the left channel alone.
      let noise = TestSignal.noise(duration: .seconds(1), format: Scenes.mono).samples
      let sound = try PCMBuffer(samples: noise.flatMap { [$0, 0] }, format: Scenes.stereo)
      let source = try SoundSource(playing: SoundBuffer(sound, in: offline.context), in: offline.context)
      source.stereoAngles = angles
      source.play()
      let mix = offline.render(frameCount: 24_000)
      return (mix.level(ofChannel: 0), mix.level(ofChannel: 1))
    }
    let usual = try levels(StereoAngles(left: -90, right: 90))
    #expect(usual.left - usual.right > 20)
    let swapped = try levels(StereoAngles(left: 90, right: -90))
    #expect(swapped.right - swapped.left > 20)
  }

  @Test func `A listener inside the radius of a source gets it on both channels`() throws {
    let point = try mix(.mono) { $0.position = [1, 0, 0] }
    let large = try mix(.mono) {
      $0.position = [1, 0, 0]
      $0.radius = 10
    }
    #expect(point.level(ofChannel: 1) - point.level(ofChannel: 0) > 30)
    #expect(large.level(ofChannel: 1) - large.level(ofChannel: 0) < 6)
  }

  @Test(arguments: [0, 1, 5, 10] as [Float])
  func `Air takes high frequencies with the distance, and leaves low ones`(factor: Float) throws {
    /// The attenuation of a tone by 40 metres of air beyond the reference distance, in decibels.
    func loss(_ frequency: Double) throws -> Float {
      let levels = try [0, factor].map { factor in
        var offline = try OfflineRenderer(format: Scenes.mono)
        let sine = TestSignal.sine(frequency: frequency, duration: .seconds(1), format: Scenes.mono)
        let source = try SoundSource(playing: SoundBuffer(sine, in: offline.context), in: offline.context)
        source.position = [0, 0, -41]
        source.airAbsorption = factor
        source.play()
        _ = offline.render(frameCount: 4_096)
        return offline.render(frameCount: 24_000).level
      }
      return (levels[0] - levels[1]).rawValue
    }
    // The default of EAX reverb is a gain of 0.9943 a metre at 5 kHz.
    #expect(abs(try loss(5_000) - 0.049_7 * 40 * factor) < 0.1 + 0.02 * factor)
    #expect(abs(try loss(100)) < 0.2)
  }
}
