import Testing

@testable import FileDecode

/// The description of the sound in WAV and its kin: ADPCM's blocks, and the positions of channels.
@Suite struct WaveFormatTests {
  private func format(
    _ tag: UInt64,
    blockSize: UInt64,
    channelCount: UInt64 = 1,
    extended: UInt64? = nil,
    fact: [UInt8]? = nil,
    isBig: Bool = false,
    size: Int = 40
  ) -> WaveFormat? {
    let number = { (value: UInt64, count: Int) in isBig ? big(value, count) : little(value, count) }
    var content =
      number(tag, 2) + number(channelCount, 2) + number(44_100, 4) + number(9, 4) + number(blockSize, 2) + number(4, 2)
    content += number(22, 2) + number(4, 2) + number(3, 4) + number(extended ?? 0, 2) + [UInt8](repeating: 0, count: 14)
    content = Array(content.prefix(size))
    var bytes =
      Array((isBig ? "RIFX????WAVEfmt " : "RIFF????WAVEfmt ").utf8) + number(UInt64(content.count), 4) + content
    if let fact {
      bytes += Array("fact".utf8) + number(UInt64(fact.count), 4) + (isBig ? fact.reversed() : fact)
    }
    return WaveFormat(in: .wav) { Array(bytes.dropFirst($0).prefix($1)) }
  }

  @Test func `The frames in a block follow from its bytes for each channel`() {
    // IMA: a first sample in four bytes, and two samples in each further byte. Microsoft: two samples in seven bytes.
    for (tag, size, channels, frames) in [
      (0x11, 256, 1, 505), (0x11, 1_024, 1, 2_041), (0x11, 2_048, 2, 2_041), (0x11, 4, 1, 1), (0x11, 3, 1, 0),
      (0x11, 0, 1, 0), (0x02, 256, 1, 500), (0x02, 1_024, 1, 2_036), (0x02, 512, 2, 500), (0x02, 7, 1, 2),
      (0x02, 6, 1, 0),
      (0x02, 0, 1, 0), (0x11, 261, 2, 253),
    ] as [(UInt64, UInt64, UInt64, Int)] {
      for isBig in [false, true] {
        let found = format(tag, blockSize: size, channelCount: channels, isBig: isBig)
        #expect(found?.framesPerBlock == frames && found?.factFrames == nil, "\(tag), \(size)")
        let extended = format(0xFFFE, blockSize: size, channelCount: channels, extended: tag, isBig: isBig)
        #expect(extended?.framesPerBlock == frames)
      }
    }
    for tag in [0, 1, 3, 6, 0x10, 0x12, 0xFFFE, 0xFFFD] as [UInt64] {
      let found = format(tag, blockSize: 256, fact: little(77, 4))
      #expect(found != nil && found?.framesPerBlock == nil && found?.factFrames == nil)
    }
    #expect(format(0x11, blockSize: 256, channelCount: 0)?.framesPerBlock == nil)
    #expect(format(0x11, blockSize: 256, size: 16)?.framesPerBlock == 505)
    #expect(format(0x11, blockSize: 256, size: 15) == nil)
    #expect(WaveFormat(in: .wav) { Array("RIFF????WAVE".utf8.dropFirst($0).prefix($1)) } == nil)
  }

  @Test func `The number of frames in a file has four bytes`() {
    for isBig in [false, true] {
      #expect(format(0x11, blockSize: 256, fact: little(0x0102_0304, 4), isBig: isBig)?.factFrames == 0x0102_0304)
      #expect(format(0x02, blockSize: 256, fact: little(5, 4), isBig: isBig)?.factFrames == 5)
    }
    #expect(format(0x11, blockSize: 256, fact: [1, 2, 3])?.factFrames == nil)
    #expect(format(0x11, blockSize: 256, fact: little(9, 4) + [1, 2, 3, 4])?.factFrames == 9)
  }

  @Test func `The counted frames are right if less than a block is left`() throws {
    // Blocks of 505 frames.
    for (decoded, counted, remainder) in [
      (1_010, 1_010, 0), (1_010, 1_009, 1), (1_010, 506, 504), (1_010, 505, nil), (1_010, 1_011, nil), (505, 1, 504),
      (505, 0, nil), (504, 0, nil), (1_010, nil, nil), (0, 0, nil), (1, 1, 0),
    ] as [(Int, UInt64?, Int?)] {
      let found = try #require(format(0x11, blockSize: 256, fact: counted.map { little($0, 4) }))
      let expected = PacketTable(
        packetCount: decoded / 505 + (decoded % 505 > 0 ? 1 : 0),
        framesPerPacket: 505,
        decoded: decoded,
        remainder: remainder ?? 0,
        source: remainder == nil ? .none : .fact
      )
      #expect(found.table(decoded: decoded) == expected, "\(decoded), \(String(describing: counted))")
    }
    #expect(format(0x11, blockSize: 3)?.table(decoded: 10) == nil)
    #expect(format(0x11, blockSize: 4)?.table(decoded: 10)?.packetCount == 10)
    #expect(format(1, blockSize: 256)?.table(decoded: 10) == nil)
  }

  // MARK: Channels

  @Test func `The positions of channels are read in each kind of file`() {
    func layout(_ container: Container, _ bytes: [UInt8], _ channelCount: Int = 4) -> ChannelLayout {
      func read(_ offset: Int, _ count: Int) -> [UInt8] { Array(bytes.dropFirst(offset).prefix(count)) }
      if let wave = WaveFormat(in: container, reading: read) {
        return ChannelLayout(channelCount: channelCount, mask: wave.channelMask)
      }
      return ChannelLayout(channelCount: channelCount, in: container, reading: read)
    }
    func content(_ tag: UInt64, _ mask: UInt64, isBig: Bool = false) -> [UInt8] {
      let number = { (value: UInt64, count: Int) in isBig ? big(value, count) : little(value, count) }
      return number(tag, 2) + number(4, 2) + [UInt8](repeating: 0x55, count: 16) + number(mask, 4) + number(1, 2)
        + [UInt8](repeating: 0, count: 14)
    }
    for (mask, expected) in [(0x33, ChannelLayout.quad), (0x107, .discrete(4)), (0, .quad), (0x603, .quad)]
      as [(UInt64, ChannelLayout)]
    {
      let wave = Array("RIFF????WAVEfmt ".utf8) + little(40, 4)
      #expect(layout(.wav, wave + content(0xFFFE, mask)) == expected)
      #expect(
        layout(.wav, Array("RIFX????WAVEfmt ".utf8) + big(40, 4) + content(0xFFFE, mask, isBig: true)) == expected
      )
      #expect(layout(.rf64, Array("RF64????WAVEfmt ".utf8) + little(40, 4) + content(0xFFFE, mask)) == expected)
      let name = Array("fmt ".utf8) + [UInt8](repeating: 0, count: 12)
      let wide = [UInt8](repeating: 0, count: 40) + name + little(64, 8) + content(0xFFFE, mask)
      #expect(layout(.w64, wide) == expected)
      #expect(layout(.wav, wave + content(1, mask)) == .quad)
      let chunk = big(1 << 16, 4) + big(mask, 4) + big(0, 4)
      let aiff = Array("FORM????AIFFCHAN".utf8) + big(12, 4) + chunk
      #expect(layout(.aiff, aiff) == expected)
      let caf = Array("caff".utf8) + [0, 1, 0, 0] + Array("chan".utf8) + big(12, 8) + chunk
      #expect(layout(.caf, caf) == expected)
      // The names differ in case.
      let other = big(99 << 16, 4) + big(0, 8)
      #expect(layout(.caf, Array("caff".utf8) + [0, 1, 0, 0] + Array("CHAN".utf8) + big(12, 8) + other) == .quad)
      #expect(layout(.aiff, Array("FORM????AIFFchan".utf8) + big(12, 4) + other) == .quad)
      for container in [Container.flac, .ogg, .mpeg, .au, .mp4, .adts] {
        #expect(layout(container, wave + content(0xFFFE, 0x107)) == .quad)
      }
    }
    #expect(layout(.wav, Array("RIFF????WAVE".utf8)) == .quad)
  }

  @Test func `A list of channels has eight entries, of eighteen positions`() {
    func list(_ labels: [UInt64], count: UInt64? = nil) -> [UInt8] {
      big(0, 8) + big(count ?? UInt64(labels.count), 4) + labels.flatMap { big($0, 4) + big(0, 16) }
    }
    let eight: [UInt64] = [1, 2, 3, 4, 5, 6, 10, 11]
    var asked = 0
    let caf = Array("caff".utf8) + [0, 1, 0, 0] + Array("chan".utf8) + big(172, 8) + list(eight)
    let found = ChannelLayout(channelCount: 8, in: .caf) { place, count in
      if place == 20 { asked = count }
      return Array(caf.dropFirst(place).prefix(count))
    }
    #expect(found == .surround71 && asked == 172)
    #expect(ChannelLayout(channelCount: 4, coreAudioLayout: list([1, 2, 5, 6, 7])) == .quad)
    #expect(ChannelLayout(channelCount: 4, coreAudioLayout: list([1, 2, 5, 6], count: 9)) == .quad)
    #expect(ChannelLayout(channelCount: 4, coreAudioLayout: list([1, 2, 5])) == .discrete(4))
    for (last, expected) in [(18, ChannelLayout.discrete(4)), (19, .discrete(4)), (6, .quad)]
      as [(UInt64, ChannelLayout)]
    {
      #expect(ChannelLayout(channelCount: 4, coreAudioLayout: list([1, 2, 5, last])) == expected)
    }
    // Labels beyond the positions of WAVE are unknown: the usual layout for up to two channels, and no layout for more.
    for (count, expected) in [(1, ChannelLayout.mono), (2, .stereo), (3, .discrete(3))] {
      #expect(ChannelLayout(channelCount: count, coreAudioLayout: list([40, 41, 42])) == expected)
      #expect(ChannelLayout(channelCount: count, coreAudioLayout: []) == expected)
    }
    #expect(ChannelLayout(channelCount: 4, coreAudioLayout: []) == .quad)
  }
}
