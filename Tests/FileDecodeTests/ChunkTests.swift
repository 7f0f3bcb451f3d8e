import Testing

@testable import FileDecode

/// The chunks of WAV and its kin, AIFF and CAF.
@Suite struct ChunkTests {
  private struct Found: Equatable {
    let name: String
    let offset: Int
    let byteCount: Int
  }

  private func chunks(_ container: Container, _ bytes: [UInt8]) -> [Found] {
    var found: [Found] = []
    Chunk.forEach(in: container, reading: { Array(bytes.dropFirst($0).prefix($1)) }) { header, chunk in
      found.append(Found(name: String(latin1: header.prefix(4)), offset: chunk.offset, byteCount: chunk.byteCount))
      return true
    }
    return found
  }

  private func guid(_ name: String) -> [UInt8] { Array(name.utf8) + [UInt8](repeating: 7, count: 12) }

  @Test func `Chunks follow each other in the alignment of their kind of file`() {
    for count in 0...9 {
      let content = [UInt8](repeating: 9, count: count)
      let even = content + [UInt8](repeating: 0, count: count % 2)
      let eight = content + [UInt8](repeating: 0, count: (8 - count % 8) % 8)
      for (container, form, isBig) in [
        (Container.wav, "RIFF", false), (.wav, "RIFX", true), (.rf64, "RF64", false), (.aiff, "FORM", true),
      ] {
        let size = isBig ? big(UInt64(count), 4) : little(UInt64(count), 4)
        let last = isBig ? big(0x0102_0304, 4) : little(0x0102_0304, 4)
        let bytes =
          Array(form.utf8) + [0, 0, 0, 0] + Array("KIND".utf8) + Array("one ".utf8) + size + even + Array("two ".utf8)
          + last
        let second = Found(name: "two ", offset: 28 + even.count, byteCount: 0x0102_0304)
        #expect(chunks(container, bytes) == [Found(name: "one ", offset: 20, byteCount: count), second])
        #expect(chunks(container, Array(bytes.dropLast())).count == 1)
      }
      let caf =
        Array("caff".utf8) + [0, 1, 0, 0] + Array("one ".utf8) + big(UInt64(count), 8) + content + Array("two ".utf8)
      #expect(
        chunks(.caf, caf + big(5, 8)) == [
          Found(name: "one ", offset: 20, byteCount: count), Found(name: "two ", offset: 32 + count, byteCount: 5),
        ]
      )
      let wide = [UInt8](repeating: 0, count: 40) + guid("one ") + little(UInt64(24 + count), 8) + eight + guid("two ")
      #expect(
        chunks(.w64, wide + little(29, 8)) == [
          Found(name: "one ", offset: 64, byteCount: count),
          Found(name: "two ", offset: 88 + eight.count, byteCount: 5),
        ]
      )
    }
    for container in [Container.flac, .ogg, .mpeg, .au, .mp4, .adts] {
      #expect(chunks(container, Array("RIFF????WAVEone ".utf8) + little(0, 4)).isEmpty)
    }
  }

  @Test func `A search ends at 256 chunks, at a size that makes no sense, or where the caller has enough`() {
    let start = Array("RIFF????WAVE".utf8)
    let many = (0..<300).flatMap { _ in Array("JUNK".utf8) + little(0, 4) }
    #expect(chunks(.wav, start + many).count == 256)
    let read = { (place: Int, count: Int) -> [UInt8] in Array((start + many).dropFirst(place).prefix(count)) }
    for wanted in [1, 2, 255] {
      var count = 0
      Chunk.forEach(in: .wav, reading: read) { _, _ in
        count += 1
        return count < wanted
      }
      #expect(count == wanted)
    }
    for (place, isFound) in [(255, true), (256, false)] {
      var bytes = start + many
      bytes.replaceSubrange(12 + 8 * place..<12 + 8 * place + 4, with: Array("here".utf8))
      let found = Chunk.first("here", in: .wav) { Array(bytes.dropFirst($0).prefix($1)) }
      #expect((found == Chunk(offset: 12 + 8 * place + 8, byteCount: 0)) == isFound)
    }
    let caf = Array("caff".utf8) + [0, 1, 0, 0] + Array("one ".utf8)
    #expect(chunks(.caf, caf + big(.max, 8) + [UInt8](repeating: 0, count: 99)).map(\.byteCount) == [-1])
    let wide = [UInt8](repeating: 0, count: 40) + guid("one ")
    #expect(chunks(.w64, wide + little(23, 8) + [UInt8](repeating: 0, count: 99)).map(\.byteCount) == [-1])
    #expect(chunks(.w64, wide + little(1 << 63, 8) + [0]).map(\.byteCount) == [Int.max - 23])
    // The second of two chunks of one name is not the first.
    let twice = start + Array("here".utf8) + little(2, 4) + [1, 2] + Array("here".utf8) + little(4, 4)
    #expect(Chunk.first("here", in: .wav) { Array(twice.dropFirst($0).prefix($1)) } == Chunk(offset: 20, byteCount: 2))
  }

  @Test func `A chunk of half of all offsets, or behind a quarter of them, is the last`() {
    let (half, quarter) = (Int.max / 2, Int.max / 4)
    for (size, count) in [(quarter - 33, 3), (quarter - 32, 2), (half - 1, 2), (half, 1)] {
      var places: [Int] = []
      let header = Array("one ".utf8) + big(UInt64(size), 8)
      let read = { (place: Int, count: Int) -> [UInt8] in place == 8 ? header : [UInt8](repeating: 0, count: count) }
      Chunk.forEach(in: .caf, reading: read) { _, chunk in
        places.append(chunk.offset)
        return places.count < 3
      }
      #expect(places == Array([20, 32 + size, 44 + size].prefix(count)))
    }
  }

  // MARK: The samples

  private func samples(_ container: Container, _ bytes: [UInt8]) -> AudioChunk? {
    AudioChunk(in: container) { Array(bytes.dropFirst($0).prefix($1)) }
  }

  @Test func `A size just below 2 GiB and above is unknown in WAV and AIFF`() {
    for (size, isKnown) in [(0x7FFE_FFFF, true), (0x7FFF_0000, false), (0x8000_0000, false), (0xFFFF_FFFF, false)]
      as [(UInt64, Bool)]
    {
      let wave = samples(.wav, Array("RIFF????WAVEdata".utf8) + little(size, 4))
      #expect(wave == AudioChunk(offset: 20, byteCount: isKnown ? Int(size) : nil))
      let aiff = samples(.aiff, Array("FORM????AIFFSSND".utf8) + big(size, 4))
      #expect(aiff == AudioChunk(offset: 20, byteCount: isKnown ? Int(size) : nil))
      let rf64 = samples(.rf64, Array("RF64????WAVEdata".utf8) + little(size, 4))
      #expect(rf64 == AudioChunk(offset: 20, byteCount: Int(size)))
      let au = samples(.au, Array(".snd".utf8) + big(300, 4) + big(size, 4))
      #expect(au == AudioChunk(offset: 300, byteCount: size == 0xFFFF_FFFF ? nil : Int(size)))
    }
    #expect(samples(.aiff, Array("FORM????AIFFSSND".utf8) + big(0, 4)) == AudioChunk(offset: 20, byteCount: 0))
    #expect(samples(.rf64, Array("RF64????WAVEdata".utf8) + little(0, 4)) == AudioChunk(offset: 20, byteCount: 0))
    #expect(samples(.wav, Array("RIFF????WAVEfmt ".utf8) + little(0, 4)) == nil)
    #expect(samples(.au, Array(".snd".utf8) + big(300, 4) + [0, 0, 0]) == nil)
  }

  @Test func `The form of a WAV file without samples tells whether it is finished`() {
    for (form, isUnfinished) in [(0, true), (11, true), (12, true), (13, false), (36, false)] as [(UInt64, Bool)] {
      let found = samples(.wav, Array("RIFF".utf8) + little(form, 4) + Array("WAVEdata".utf8) + little(0, 4))
      #expect(found == AudioChunk(offset: 20, byteCount: isUnfinished ? nil : 0, isUnfinished: isUnfinished))
      #expect(found?.isCut(inFileOf: 20) == false && found?.isCut(inFileOf: 21) == isUnfinished)
      #expect(found?.isCut(inFileOf: 19) == !isUnfinished)
    }
    let open = AudioChunk(offset: 20, byteCount: nil)
    #expect(!open.isCut(inFileOf: 20) && !open.isCut(inFileOf: 0))
    let closed = AudioChunk(offset: 20, byteCount: 10)
    #expect(!closed.isCut(inFileOf: 30) && closed.isCut(inFileOf: 29) && !closed.isCut(inFileOf: 31))
  }

  private func plain(_ container: Container, _ bytes: [UInt8]) -> PlainSamples? {
    PlainSamples(in: container, samples(container, bytes)) { Array(bytes.dropFirst($0).prefix($1)) }
  }

  @Test func `The samples of 16 bits are found in each kind of file, with their byte order`() {
    let wave = plain(.wav, Array("RIFF????WAVEdata".utf8) + little(4, 4))
    #expect(wave?.offset == 20 && wave?.isBigEndian == false)
    let other = plain(.wav, Array("RIFX????WAVEdata".utf8) + big(4, 4))
    #expect(other?.offset == 20 && other?.isBigEndian == true)
    let rf64 = plain(.rf64, Array("RF64????WAVEdata".utf8) + little(4, 4))
    #expect(rf64?.offset == 20 && rf64?.isBigEndian == false)
    let wide = plain(.w64, [UInt8](repeating: 0, count: 40) + guid("data") + little(28, 8))
    #expect(wide?.offset == 64 && wide?.isBigEndian == false)
    let au = plain(.au, Array(".snd".utf8) + big(300, 4) + big(4, 4))
    #expect(au?.offset == 300 && au?.isBigEndian == true)
    for container in [Container.flac, .ogg, .mpeg, .mp4, .adts] {
      #expect(plain(container, [UInt8](repeating: 0, count: 99)) == nil)
    }
    #expect(plain(.wav, Array("RIFF????WAVE".utf8)) == nil)
    for (flags, isBigEndian) in [(0, true), (1, true), (2, false), (3, false), (0x0200, true), (6, false)]
      as [(UInt64, Bool)]
    {
      let description = big(0, 8) + Array("lpcm".utf8) + big(flags, 4) + [UInt8](repeating: 0xFF, count: 16)
      let caf = Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + big(32, 8) + description
      let found = plain(.caf, caf + Array("data".utf8) + big(8, 8))
      #expect(found?.offset == 68 && found?.isBigEndian == isBigEndian, "\(flags)")
    }
    let sound = Array("caff".utf8) + [0, 1, 0, 0] + Array("data".utf8) + big(4, 8) + big(0, 4)
    #expect(plain(.caf, sound) == nil)
    #expect(plain(.caf, sound + Array("desc".utf8) + big(32, 8) + [UInt8](repeating: 0, count: 15)) == nil)
    #expect(plain(.caf, sound + Array("desc".utf8) + big(32, 8) + [UInt8](repeating: 0, count: 16))?.offset == 24)
  }

  @Test func `The samples of an AIFF file follow eight bytes, and AIFC names its codec`() {
    func file(_ kind: String, _ codec: String, _ header: [UInt8] = big(0, 8), common: Bool = true) -> [UInt8] {
      let content = big(1, 2) + big(2, 4) + big(16, 2) + [UInt8](repeating: 0x40, count: 10) + Array(codec.utf8)
      let chunk = Array("COMM".utf8) + big(UInt64(content.count), 4) + content
      return Array("FORM????".utf8) + Array(kind.utf8) + (common ? chunk : []) + Array("SSND".utf8) + big(12, 4)
        + header
    }
    func found(_ bytes: [UInt8]) -> PlainSamples? { plain(.aiff, bytes) }
    #expect(found(file("AIFF", ""))?.offset == 12 + 26 + 16 && found(file("AIFF", ""))?.isBigEndian == true)
    for (codec, isBigEndian) in [("NONE", true), ("twos", true), ("sowt", false)] {
      #expect(
        found(file("AIFC", codec))?.offset == 12 + 30 + 16 && found(file("AIFC", codec))?.isBigEndian == isBigEndian
      )
    }
    #expect(found(file("AIFC", "ima4")) == nil && found(file("AIFC", "non ")) == nil)
    // An offset of the samples is for other decoders; the size of a block means nothing.
    #expect(found(file("AIFF", "", big(1, 4) + big(0, 4))) == nil)
    #expect(found(file("AIFF", "", big(1 << 24, 4) + big(0, 4))) == nil)
    #expect(found(file("AIFF", "", big(0, 4) + big(7, 4))) != nil)
    #expect(found(file("AIFF", "", big(0, 8).dropLast())) == nil)
    #expect(found(file("AIFF", "", common: false)) == nil)
  }
}
