import Spatial3D
import Spatial3DTesting
import TestSupport
import Testing

@Suite struct OfflineRendererTests {
  /// A scene in which everything moves, rendered in pieces of uneven length.
  private func render(_ format: PCMFormat) throws -> PCMBuffer<Float> {
    var offline = try OfflineRenderer(format: format)
    let context = offline.context
    let rates = [22_050, 44_100, 48_000]
    let sources = try (0..<24).map { index in
      let noise = TestSignal.noise(
        seed: UInt64(index),
        duration: .milliseconds(200 + 17 * index),
        format: .mono(sampleRate: rates[index % 3]),
        amplitude: 0.1
      )
      let source = try SoundSource(playing: SoundBuffer(noise, in: context), in: context)
      source.isLooping = index.isMultiple(of: 2)
      source.pitch = 0.5 + 0.1 * Float(index)
      return source
    }
    var mix: [Float] = []
    for frame in 0..<60 {
      context.withDeferredUpdates {
        context.listener.position = [Float(frame) / 60, 0, 0]
        context.listener.orientation = Orientation(forward: Scenes.position(azimuth: Float(6 * frame)), up: [0, 1, 0])
        for (index, source) in sources.enumerated() {
          source.position = Scenes.position(azimuth: Float(15 * index + 3 * frame), distance: 1 + Float(index % 5))
          source.velocity = [Float(index) - 12, 0, 3]
          if (frame + index).isMultiple(of: 9) { source.play() }
          if (frame + index).isMultiple(of: 20) { source.stop() }
        }
      }
      mix += offline.render(frameCount: 800 + 7 * (frame % 5)).samples
    }
    return try PCMBuffer(samples: mix, format: format)
  }

  @Test(arguments: [PCMFormat.mono(sampleRate: 48_000), .stereo(sampleRate: 44_100)])
  func `A scene that is rendered again is the same to the bit`(format: PCMFormat) throws {
    let first = try render(format)
    #expect(first.level > -60)
    for _ in 1...3 { #expect(try render(format).samples.map(\.bitPattern) == first.samples.map(\.bitPattern)) }
  }

  @Test(arguments: [11_025, 22_050, 44_100, 48_000, 96_000, 192_000])
  func `A second of a scene has as many frames as its rate`(sampleRate: Int) throws {
    var offline = try OfflineRenderer(format: .mono(sampleRate: sampleRate))
    #expect(offline.context.sampleRate == sampleRate)
    let sine = TestSignal.sine(frequency: 440, duration: .seconds(2), format: Scenes.mono)
    let source = try SoundSource(playing: SoundBuffer(sine, in: offline.context), in: offline.context)
    source.isListenerRelative = true
    source.play()
    let samples = offline.render(.seconds(1)).samples
    #expect(samples.count == sampleRate)
    #expect(abs(zip(samples, samples.dropFirst()).count { $0 < 0 && $1 >= 0 } - 440) <= 1)
  }

  @Test func `An empty scene renders silence of the requested length`() throws {
    var offline = try OfflineRenderer(format: Scenes.stereo)
    #expect(offline.render(.seconds(2)).frameCount == 96_000)
    #expect(offline.render(.milliseconds(1)).samples == [Float](repeating: 0, count: 96))
    #expect(offline.render(frameCount: 1).samples == [0, 0])
    #expect(offline.render(frameCount: 0).samples.isEmpty)
    #expect(offline.render(frameCount: -5).samples.isEmpty)
    #expect(offline.render(.seconds(-1)).samples.isEmpty)
  }

  @Test(arguments: [
    (ChannelLayout.quad, Float(-45), 0), (.quad, 45, 1), (.quad, -135, 2), (.quad, 135, 3), (.surround51, -30, 0),
    (.surround51, 30, 1), (.surround51, -110, 4), (.surround51, 110, 5), (.surround71, -30, 0), (.surround71, 30, 1),
    (.surround71, -150, 4), (.surround71, 150, 5), (.surround71, -90, 6), (.surround71, 90, 7),
  ])
  func `A source is loudest in the speaker that it stands behind`(layout: ChannelLayout, azimuth: Float, channel: Int)
    throws
  {
    var offline = try OfflineRenderer(format: PCMFormat(sampleRate: 48_000, layout: layout))
    let source = try Scenes.noise(in: offline.context, at: Scenes.position(azimuth: azimuth))
    let mix = offline.render(frameCount: 4_800)
    let levels = (0..<layout.channelCount).map { mix.level(ofChannel: $0) }
    #expect(levels.indices.max { levels[$0] < levels[$1] } == channel, "\(levels)")
    #expect(source.state == .playing)
  }

  @Test(arguments: [ChannelLayout.mono, .stereo, .quad, .surround51, .surround61, .surround71])
  func `Every layout is rendered with as many channels as it has`(layout: ChannelLayout) throws {
    var offline = try OfflineRenderer(format: PCMFormat(sampleRate: 48_000, layout: layout))
    let source = try Scenes.noise(in: offline.context, at: [1, 0, -1])
    let mix = offline.render(frameCount: 4_800)
    #expect(mix.format.layout == layout)
    #expect(mix.samples.count == 4_800 * layout.channelCount)
    #expect(mix.level > -40)
    #expect(source.state == .playing)
  }

  @Test func `A render into a buffer replaces the samples and keeps the memory`() throws {
    var offline = try OfflineRenderer(format: Scenes.stereo)
    let source = try Scenes.noise(in: offline.context)
    var mix = try PCMBuffer<Float>(samples: [1, 2, 3], format: .mono(sampleRate: 8_000))
    offline.render(into: &mix, frameCount: 480)
    #expect(mix.format == Scenes.stereo)
    mix.reserveCapacity(frames: 100_000)
    let memory = address(of: mix.samples)
    for _ in 1...10 {
      offline.render(into: &mix, frameCount: 480)
      #expect(mix.frameCount == 480)
      #expect(mix.level > -40)
      #expect(address(of: mix.samples) == memory)
      #expect(mix.samples.capacity >= 200_000)
    }
    #expect(source.state == .playing)
  }

  @Test(arguments: [
    PCMFormat.stereo(sampleRate: 0), .stereo(sampleRate: -1), .stereo(sampleRate: 7_999), .stereo(sampleRate: 192_001),
    .stereo(sampleRate: .max), PCMFormat(sampleRate: 48_000, layout: .discrete(3)),
  ])
  func `A format that cannot be rendered is refused by name`(format: PCMFormat) {
    do throws(AudioError) {
      _ = try OfflineRenderer(format: format)
      Issue.record("\(format) was accepted")
    } catch {
      #expect(error.code == .formatUnsupported)
      #expect("\(error)".contains("\(format)"))
      #expect("\(error)".contains("8,000 to 192,000 Hz"))
    }
  }
}
