import PCM
import TestSupport
import Testing

@Suite struct PCMFormatTests {
  @Test(arguments: [1, 7, 8_000, 11_025, 22_050, 44_100, 48_000, 96_000, 192_000, 768_000])
  func `A number of frames converts to a duration and back without loss`(sampleRate: Int) {
    let format = PCMFormat.mono(sampleRate: sampleRate)
    var generator = SplitMix64(seed: 1)
    for frames in [0, 1, 2, 3, 1_000_003] + (0..<1_000).map({ _ in Int.random(in: 0...1 << 40, using: &generator) }) {
      #expect(format.frameCount(in: format.duration(ofFrames: frames)) == frames)
    }
  }

  @Test func `Durations are rounded to the nearest frame`() {
    let format = PCMFormat.mono(sampleRate: 1_000)
    #expect(format.frameCount(in: .microseconds(1_499)) == 1)
    #expect(format.frameCount(in: .microseconds(1_500)) == 2)
    #expect(format.frameCount(in: .seconds(2)) == 2_000)
  }

  @Test func `A duration without a sensible length has a clamped number of frames`() {
    #expect(PCMFormat.mono(sampleRate: 48_000).frameCount(in: .seconds(-1)) == 0)
    #expect(PCMFormat.mono(sampleRate: 48_000).frameCount(in: .nanoseconds(-1)) == 0)
    #expect(PCMFormat.mono(sampleRate: 48_000).frameCount(in: .seconds(Int64.max)) == .max)
    #expect(PCMFormat.mono(sampleRate: 48_000).frameCount(in: .seconds(Int64.max) * 2) == .max)
    #expect(PCMFormat.mono(sampleRate: 48_000).frameCount(in: .seconds(Int64.min) * 2) == 0)
    #expect(PCMFormat.mono(sampleRate: .max).frameCount(in: .seconds(Int64.max) * 4) == .max)
    #expect(PCMFormat.mono(sampleRate: 1).frameCount(in: .seconds(Int64.max)) == .max)
    #expect(PCMFormat.mono(sampleRate: 0).frameCount(in: .seconds(1)) == 0)
    #expect(PCMFormat.mono(sampleRate: 0).duration(ofFrames: 1) == .zero)
  }

  @Test(arguments: [
    (1, ChannelLayout.mono), (2, .stereo), (4, .quad), (6, .surround51), (7, .surround61), (8, .surround71),
  ])
  func `Each common channel count has a standard layout`(channelCount: Int, layout: ChannelLayout) {
    #expect(ChannelLayout.usual(channelCount: channelCount) == layout)
    #expect(layout.channelCount == channelCount)
  }

  @Test(arguments: [3, 5, 9, 16, 32])
  func `Other channel counts are discrete`(channelCount: Int) {
    #expect(ChannelLayout.usual(channelCount: channelCount) == .discrete(channelCount))
    #expect(ChannelLayout.discrete(channelCount).channelCount == channelCount)
  }

  @Test func `A layout never has fewer than one channel`() {
    #expect(ChannelLayout.usual(channelCount: 0).channelCount == 1)
    #expect(ChannelLayout.discrete(-5).channelCount == 1)
  }

  @Test(arguments: [
    (ChannelLayout.mono, "mono", 1), (.surround71, "7.1 surround", 8), (.bFormat2D, "B-Format without height", 3),
    (.bFormat3D, "B-Format", 4), (.ambisonic(order: 2), "second-order Ambisonics", 9),
    (.discrete(1), "1 discrete channel", 1), (.discrete(5), "5 discrete channels", 5),
  ])
  func `A layout prints its name`(layout: ChannelLayout, name: String, channelCount: Int) {
    #expect(layout.name == name && layout.description == name)
    #expect(layout.channelCount == channelCount)
  }

  @Test func `The description of a format names its layout and rate`() {
    #expect(PCMFormat.stereo(sampleRate: 48_000).description == "stereo at 48000 Hz")
    #expect(PCMFormat(sampleRate: 44_100, layout: .surround51).description == "5.1 surround at 44100 Hz")
  }
}
