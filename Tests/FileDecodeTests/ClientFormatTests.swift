import Testing

@testable import FileDecode

@Suite struct ClientFormatTests {
  private let stereo = PCMFormat.stereo(sampleRate: 44_100)

  /// Writes constant channels: any one frame shows the mix.
  private func file(_ levels: [Float], layout: ChannelLayout, client: ClientFormat) throws -> [Float] {
    let folder = try TemporaryFolder()
    let samples = (0..<100).flatMap { _ in levels }
    let sound = try PCMBuffer(samples: samples, format: PCMFormat(sampleRate: 44_100, layout: layout))
    let path = try save(sound, to: folder.file("a.wav"), codec: .float32)
    let file = try AudioFile(opening: path, in: client)
    #expect(file.storedFormat.layout == layout)
    #expect(file.format.layout == client.layout)
    let all = try file.readAll()
    #expect(all.frameCount == 100)
    #expect(all.format == file.format)
    return Array(all.samples.prefix(file.format.channelCount))
  }

  @Test func `A file as stored keeps its rate and its channels`() throws {
    let folder = try TemporaryFolder()
    let sound = try noise(100, PCMFormat(sampleRate: 11_025, layout: .surround51))
    let file = try AudioFile(opening: save(sound, to: folder.file("a.wav")), in: .asStored)
    #expect(file.format == sound.format && file.storedFormat == sound.format)
    #expect(try file.readAll(as: Int16.self) == sound)
    #expect(ClientFormat.asStored.sampleRate == nil && ClientFormat.asStored.layout == nil)
  }

  @Test func `A downmix of stereo to mono averages the channels and does not clip`() throws {
    #expect(try file([0.5, 0.25], layout: .stereo, client: .mono) == [0.375])
    #expect(try file([1, 1], layout: .stereo, client: .mono) == [1])
  }

  @Test func `Mono plays on the centre channel, or on both sides of a layout without one`() throws {
    #expect(try file([0.5], layout: .mono, client: ClientFormat(layout: .stereo)) == [0.5, 0.5])
    #expect(try file([0.5], layout: .mono, client: ClientFormat(layout: .surround51)) == [0, 0, 0.5, 0, 0, 0])
    #expect(try file([0.5], layout: .mono, client: ClientFormat(layout: .quad)) == [0.5, 0.5, 0, 0])
    #expect(try file([0.5], layout: .mono, client: ClientFormat(layout: .discrete(3))) == [0.5, 0.5, 0.5])
  }

  @Test(arguments: [ChannelLayout.quad, .surround51, .surround61, .surround71])
  func `Surround becomes stereo in the balance that it had, and does not clip`(layout: ChannelLayout) throws {
    let all = [Float](repeating: 1, count: layout.channelCount)
    let loudest = try file(all, layout: layout, client: ClientFormat(layout: .stereo))
    #expect(abs(loudest[0] - 1) < 1e-6)
    #expect(loudest[0] == loudest[1])
    var left = [Float](repeating: 0, count: layout.channelCount)
    left[0] = 1
    let found = try file(left, layout: layout, client: ClientFormat(layout: .stereo))
    #expect(found[0] > 0.3)
    #expect(found[1] == 0)
  }

  @Test func `Stereo plays on the front channels of surround, and a stereo mix drops the LFE channel`() throws {
    #expect(
      try file([0.5, 0.25], layout: .stereo, client: ClientFormat(layout: .surround71)) == [
        0.5, 0.25, 0, 0, 0, 0, 0, 0,
      ]
    )
    #expect(try file([0, 0, 0, 1, 0, 0], layout: .surround51, client: ClientFormat(layout: .stereo)) == [0, 0])
  }

  @Test func `Discrete channels convert to mono alone`() throws {
    #expect(try file([0.3, 0.6, 0.9], layout: .discrete(3), client: .mono).allSatisfy { abs($0 - 0.6) < 1e-6 })
    let path = FixtureFiles.path("surround.ogg")
    let error = failure { () throws(AudioFileError) in
      _ = try AudioFile(opening: path, in: ClientFormat(layout: .discrete(3)))
    }
    #expect(error?.code == .unsupportedFormat)
    #expect(
      error?.message.hasPrefix("\(path) is 5.1 surround at 44100 Hz, which is not converted to 3 discrete") == true
    )
  }

  @Test func `A mixed file is sought in and read in blocks as a whole one is`() throws {
    let path = FixtureFiles.path("surround.ogg")
    let whole = try AudioFile(opening: path, in: .mono).readAll()
    let file = try AudioFile(opening: path, in: .mono)
    #expect(file.frameCount == 2_205)
    #expect(file.isExactAsInt16 == false)
    var block = PCMBuffer<Float>(format: file.format)
    var samples: [Float] = []
    while try file.read(into: &block, maxFrames: 700) > 0 { samples += block.samples }
    #expect(samples == whole.samples)
    for frame in [2_000, 5, 1_000] {
      try file.seek(toFrame: frame)
      #expect(try file.read(into: &block, maxFrames: 50) == 50)
      #expect(block.samples == Array(whole.samples[frame..<frame + 50]))
    }
    #expect(try file.readAll(as: Int16.self).samples == whole.samples.map { Int16(signal: $0) })
  }

  @Test(arguments: [0, -1, 999, 768_001, Int.max, Int.min])
  func `An unplayable rate is rejected`(sampleRate: Int) {
    let error = failure { () throws(AudioFileError) in
      _ = try AudioFile(opening: FixtureFiles.path("original.wav"), in: ClientFormat(sampleRate: sampleRate))
    }
    #expect(error?.code == .unsupportedFormat)
  }

  @Test func `A loop of any length closes on whole frames`() {
    for (input, output) in [
      (44_100, 22_050), (44_100, 48_000), (48_000, 44_100), (8_000, 192_000), (192_000, 8_000),
      (768_000, 1_000), (1_000, 768_000),
    ] {
      let ratio = RateRatio(input: input, output: output)
      for (start, end, count) in [(0, 1, 1), (0, 1_001, 1_001), (7, 1_008, 5_000), (100, 100_000, 100_000)] {
        let loop = LoopResampling(start..<end, frameCount: count, ratio)
        #expect(!loop.target.isEmpty)
        #expect(loop.target.upperBound <= loop.frameCount)
        #expect(abs(loop.frameCount - ratio.converted(count)) <= 2)
        #expect(loop.lapCount * loop.source.count >= ResamplingFilter.Shape(loop.ratio).tapCount)
      }
      for frame in [0, 1, 1_000, 1_000_000, 1 << 40] {
        let found = ratio.start(before: frame)
        #expect(found.output <= frame)
        #expect(found.input * output == found.output * input)
        // The distance is long enough for the filter to settle, and little longer.
        let ahead = (frame - found.output) * input / output
        #expect(found.output == 0 || ahead >= ResamplingFilter.Shape(ratio).tapCount)
        #expect(ahead <= 4_096 * max(1, input / output) + 1_000)
      }
    }
  }
}
