import Testing

@testable import FileDecode

@Suite struct ChannelLayoutTests {
  @Test(arguments: [
    (4, 0x33, ChannelLayout.quad), (4, 0x603, .quad), (4, 0x107, .discrete(4)), (4, 0, .quad),
    (6, 0x3F, .surround51), (6, 0x60F, .surround51), (6, 0x13F, .discrete(6)), (6, 0, .surround51),
    (7, 0x70F, .surround61), (7, 0x13F, .discrete(7)), (8, 0x63F, .surround71), (8, 0xFF, .discrete(8)),
    (1, 0x8, .mono), (2, 0x3, .stereo), (3, 0x7, .discrete(3)),
  ])
  func `A channel mask selects its layout, and any other mask selects a discrete layout`(
    channelCount: Int,
    mask: Int,
    layout: ChannelLayout
  ) throws {
    #expect(ChannelLayout(channelCount: channelCount, mask: mask) == layout)
    let format =
      little(0xFFFE, 2) + little(UInt64(channelCount), 2) + little(48_000, 4) + little(UInt64(96_000 * channelCount), 4)
      + little(UInt64(2 * channelCount), 2) + little(16, 2) + little(22, 2) + little(16, 2) + little(UInt64(mask), 4)
      + little(1, 2) + [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    let data = [UInt8](repeating: 1, count: 4 * channelCount)
    let body =
      Array("WAVEfmt ".utf8) + little(UInt64(format.count), 4) + format + Array("data".utf8)
      + little(UInt64(data.count), 4) + data
    let folder = try TemporaryFolder()
    let path = try folder.write(Array("RIFF".utf8) + little(UInt64(body.count), 4) + body, as: "a.wav")
    #expect(try AudioFile(opening: path).format.layout == layout)
  }

  @Test(arguments: [
    (6, 121, ChannelLayout.surround51), (6, 122, .discrete(6)), (6, 123, .discrete(6)), (6, 124, .discrete(6)),
    (6, 187, .surround51), (4, 108, .quad), (4, 132, .quad), (4, 185, .quad), (4, 133, .discrete(4)),
    (7, 125, .discrete(7)), (7, 188, .surround61), (8, 128, .discrete(8)), (8, 189, .surround71), (2, 101, .stereo),
    (2, 103, .stereo), (1, 100, .mono), (6, 147, .discrete(6)),
  ])
  func `A Core Audio layout tag selects a layout only if the channel order matches`(
    channelCount: Int,
    tag: Int,
    layout: ChannelLayout
  ) throws {
    let content = big(UInt64(tag << 16 | channelCount), 4) + big(0, 8)
    #expect(ChannelLayout(channelCount: channelCount, coreAudioLayout: content) == layout)
    let bytes = caf(channelCount: channelCount, layout: content, [UInt8](repeating: 1, count: 4 * channelCount))
    let folder = try TemporaryFolder()
    let file = try AudioFile(opening: folder.write(bytes, as: "a.caf"))
    #expect(file.format.layout == layout)
    #expect(try file.readAll().frameCount == 2)
  }

  @Test func `Core Audio lists channels as bits, or one by one`() {
    func layout(_ content: [UInt8], _ channelCount: Int) -> ChannelLayout {
      ChannelLayout(channelCount: channelCount, coreAudioLayout: content)
    }
    func list(_ labels: [UInt64]) -> [UInt8] {
      big(0, 8) + big(UInt64(labels.count), 4) + labels.flatMap { big($0, 4) + big(0, 16) }
    }
    #expect(layout(big(1 << 16, 4) + big(0x3F, 4) + big(0, 4), 6) == .surround51)
    #expect(layout(big(1 << 16, 4) + big(0x107, 4) + big(0, 4), 4) == .discrete(4))
    #expect(layout(list([1, 2, 3, 4, 5, 6]), 6) == .surround51)
    #expect(layout(list([3, 1, 2, 5, 6, 4]), 6) == .discrete(6))
    #expect(layout(list([1, 2, 5, 6]), 4) == .quad)
    #expect(layout(list([1, 2, 33, 34]), 4) == .discrete(4))
    #expect(layout(list([0, 0, 0, 0]), 4) == .discrete(4))
    #expect(layout(big(0, 8) + big(0xFFFF_FFFF, 4), 6) == .discrete(6))
  }

  @Test func `A file without a layout has the standard layout of its channel count`() throws {
    let folder = try TemporaryFolder()
    for (channelCount, layout) in [(4, ChannelLayout.quad), (6, .surround51), (8, .surround71)] {
      for bytes in [
        caf(channelCount: channelCount, [UInt8](repeating: 1, count: 32)),
        wav(channelCount: channelCount, data: [UInt8](repeating: 1, count: 32)),
      ] {
        #expect(try AudioFile(opening: folder.write(bytes, as: "a")).format.layout == layout)
      }
    }
  }
}
