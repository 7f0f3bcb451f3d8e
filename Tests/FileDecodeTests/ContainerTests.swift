import TestSupport
import Testing

@testable import FileDecode

@Suite struct ContainerTests {
  @Test(arguments: [
    (Array("RIFF????WAVE".utf8), Container.wav),
    (Array("RIFX????WAVE".utf8), .wav),
    (Array("RF64????WAVE".utf8), .rf64),
    ([0x72, 0x69, 0x66, 0x66, 0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00], .w64),
    (Array("FORM????AIFF".utf8), .aiff),
    (Array("FORM????AIFC".utf8), .aiff),
    (Array("caff".utf8), .caf),
    (Array("fLaC".utf8), .flac),
    (Array("OggS".utf8), .ogg),
    (Array(".snd".utf8), .au),
    (Array("????ftypM4A ".utf8), .mp4),
    (silentMP3(packetCount: 2), .mpeg),
  ])
  func `The first bytes of a file identify its container`(head: [UInt8], container: Container) {
    #expect(Container(head: head) == container)
    #expect(Container(head: head + [1, 2, 3]) == container)
  }

  @Test(arguments: [
    "", "R", "RIFF", "RIFF????AVI ", "RF64????", "FORM????8SVX", "caf", "flac", "OggV", "????ftyq", "ID3",
    "hello, world",
  ])
  func `Any other head has no container`(head: String) {
    #expect(Container(head: Array(head.utf8)) == nil)
  }

  @Test func `A cut MP3 head is recognized only if it holds two packet headers`() {
    let whole = silentMP3(packetCount: 2)
    for count in 0..<421 { #expect(Container(head: Array(whole.prefix(count))) == nil) }
    #expect(Container(head: Array(whole.prefix(421))) == .mpeg)
  }

  @Test func `Random bytes are rarely recognized as a container and never crash`() throws {
    var generator = SplitMix64(seed: 1)
    var foundCount = 0
    for _ in 0..<5_000 {
      let count = Int.random(in: 0...1_500, using: &generator)
      var bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      // Every second input starts with a sync word, at which the parser begins.
      if Bool.random(using: &generator), count >= 2 { bytes.replaceSubrange(0..<2, with: [0xFF, 0xFB]) }
      if FileSignature(reading: { Array(bytes.dropFirst($0).prefix($1)) }) != nil { foundCount += 1 }
    }
    #expect(foundCount < 25)
  }

  @Test func `Two headers of different streams are no MPEG audio`() {
    var bytes = silentMP3(packetCount: 2)
    bytes[417 + 2] = 0x94
    #expect(Container(head: bytes) == nil)
  }

  @Test func `A tag in front is skipped for MP3 and FLAC alone`() {
    func signature(_ bytes: [UInt8]) -> FileSignature? {
      FileSignature { offset, count in Array(bytes.dropFirst(offset).prefix(count)) }
    }
    for size in [0, 1, 127, 128, 5_000, 60_000] {
      #expect(signature(id3(size) + silentMP3(packetCount: 2))?.container == .mpeg)
      #expect(signature(id3(size) + Array("fLaC".utf8))?.container == .flac)
      #expect(signature(id3(size) + id3(3) + silentMP3(packetCount: 2))?.container == .mpeg)
      #expect(signature(id3(size) + [0, 0, 0] + silentMP3(packetCount: 2))?.container == .mpeg)
      #expect(signature(id3(size) + Array("OggS".utf8)) == nil)
      #expect(signature(id3(size)) == nil)
    }
    let padded = signature(id3(9) + [UInt8](repeating: 0, count: 30_000) + ape(7) + silentMP3(packetCount: 2))
    #expect(padded?.offset == 19 + 30_000 + 71)
    #expect(padded?.head == silentMP3(packetCount: 2))
    #expect(signature([UInt8](repeating: 0, count: 30_000) + silentMP3(packetCount: 2)) == nil)
    #expect(signature((0..<1_000).flatMap { _ in id3(0) } + silentMP3(packetCount: 2)) == nil)
  }

  @Test func `An MP3 that starts in the middle of a frame starts with the next`() {
    let packets = silentMP3(packetCount: 3)
    for missing in [1, 17, 400, 416] {
      let found = FileSignature { offset, count in Array(packets.dropFirst(missing + offset).prefix(count)) }
      #expect(found?.container == .mpeg)
      #expect(found?.offset == 417 - missing)
    }
    let zeros = [UInt8](repeating: 0, count: 17)
    #expect(FileSignature { offset, count in Array((zeros + packets).dropFirst(offset).prefix(count)) }?.offset == 17)
  }

  @Test func `The extended format of WAV names its codec in a GUID`() {
    func codec(_ tag: UInt64) -> String? {
      let format =
        little(0xFFFE, 2) + [UInt8](repeating: 0, count: 22) + little(tag, 2) + [UInt8](repeating: 0, count: 14)
      let bytes = Array("RIFF????WAVEfmt ".utf8) + little(40, 4) + format
      return FileSignature { offset, count in Array(bytes.dropFirst(offset).prefix(count)) }?.undecodableCodec
    }
    #expect(codec(1) == nil)
    #expect(codec(3) == nil)
    #expect(codec(0xFF) == "AAC")
  }

  @Test func `A codec that is not decoded is named`() {
    func codec(_ bytes: [UInt8]) -> String? {
      FileSignature { offset, count in Array(bytes.dropFirst(offset).prefix(count)) }?.undecodableCodec
    }
    func container(_ bytes: [UInt8]) -> Container? {
      FileSignature { offset, count in Array(bytes.dropFirst(offset).prefix(count)) }?.container
    }
    let adts: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x01, 0x1F, 0xFC, 0]
    #expect(container(adts + adts) == .adts)
    // A frame without a successor, a frame before another stream's frame, and a frame with the layer of MPEG audio.
    #expect(container(adts + [UInt8](repeating: 0, count: 8)) == nil)
    #expect(container(adts + [0xFF, 0xF1, 0x54] + adts.dropFirst(3)) == nil)
    let layered = [0xFF, 0xF7] + adts.dropFirst(2)
    #expect(container(layered + layered) == nil)
    let unsynced = [0xFE] + adts.dropFirst()
    #expect(container(unsynced + unsynced) == nil)
    #expect(container(Array("????ftypM4A ".utf8)) == .mp4)
    let caf = Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + big(32, 8) + big(0, 8)
    for (name, expected) in [
      (".mp3", "MP3 in a CAF file"), ("ilbc", "iLBC"), ("MAC3", "MACE"), ("MAC6", "MACE"),
    ] {
      #expect(codec(caf + Array(name.utf8)) == expected)
    }
    #expect(codec(caf + Array("lpcm".utf8)) == nil)
    let page = Array("OggS".utf8) + [UInt8](repeating: 0, count: 22) + [1, 30]
    #expect(codec(page + Array("\u{7F}FLAC".utf8)) == "FLAC in an Ogg file")
    #expect(codec(page + Array("Speex   ".utf8)) == "Speex")
    #expect(codec(page + [0x80] + Array("theora".utf8)) == "Theora video")
    #expect(codec(page + Array("\u{1}vorbis".utf8)) == nil)
  }
}
