import Glibc
import Testing

@testable import FileDecode

/// The start of a file, its decoder, and its parts in memory.
@Suite struct SourceTests {
  private func signature(_ bytes: [UInt8]) -> FileSignature? {
    FileSignature { Array(bytes.dropFirst($0).prefix($1)) }
  }

  @Test func `An MP3 or AAC stream behind a tag is found behind other bytes too`() {
    let adts: [UInt8] = [0xFF, 0xF1, 0x50, 0x80, 0x01, 0x1F, 0xFC, 0]
    let packets = silentMP3(packetCount: 2)
    #expect(signature(id3(5) + [1, 2, 3] + packets)?.container == .mpeg)
    #expect(signature(id3(5) + [1, 2, 3] + packets)?.offset == 18)
    #expect(signature(id3(5) + [1, 2, 3] + packets)?.head == packets)
    #expect(signature(id3(5) + adts + adts)?.container == .adts && signature(id3(5) + adts + adts)?.offset == 15)
    #expect(signature(id3(5) + [1, 2, 3] + adts + adts) == nil)
    for kind in ["RIFF????WAVE", "RF64????WAVE", "FORM????AIFF", "caff", "OggS", ".snd", "????ftyp"] {
      #expect(signature(Array(kind.utf8)) != nil && signature(id3(5) + Array(kind.utf8)) == nil, "\(kind)")
    }
    // Sixteen tags and blocks of zeros in a row, and one more.
    for (count, isFound) in [(16, true), (17, false)] {
      #expect((signature((0..<count).flatMap { _ in id3(5_000) } + packets) != nil) == isFound, "\(count)")
    }
    #expect(FileSignature.headSize == 4_096)
  }

  @Test func `The codec in an Ogg or WAV file is told by its first bytes`() throws {
    func page(_ packet: [UInt8]) -> [UInt8] { oggPage([packet.count], packet, flags: 2) }
    #expect(signature(page([1] + Array("vorbis".utf8)))?.isVorbis == true)
    for packet in [Array("OpusHead".utf8), [2] + Array("vorbis".utf8), [1] + Array("vorbi".utf8), []] {
      #expect(signature(page(packet))?.isVorbis == false && signature(page(packet))?.undecodableCodec == nil)
    }
    #expect(signature(Array("OggS".utf8))?.isVorbis == false)
    func codec(_ tag: UInt64, form: String = "RIFF", size: Int = 16) -> String? {
      let number = form == "RIFX" ? big : little
      let content = Array((number(tag, 2) + [UInt8](repeating: 0, count: 22) + number(0xFF, 2)).prefix(size))
      return signature(Array(form.utf8) + Array("????WAVEfmt ".utf8) + number(UInt64(size), 4) + content)?
        .undecodableCodec
    }
    for form in ["RIFF", "RIFX", "RF64"] {
      #expect(
        codec(1, form: form) == nil && codec(0x31, form: form) == "GSM 6.10"
          && codec(0x20, form: form) == "Yamaha ADPCM"
      )
      #expect(codec(0xFFFE, form: form, size: 26) == "AAC" && codec(0xFFFE, form: form, size: 25) == nil)
      #expect(codec(0x31, form: form, size: 2) == "GSM 6.10" && codec(0x31, form: form, size: 1) == nil)
    }
    #expect(signature(Array("RIFF????WAVE".utf8))?.undecodableCodec == nil)
    let start = Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + big(32, 8) + big(0, 8)
    #expect(signature(start + Array(".mp3".utf8))?.undecodableCodec == "MP3 in a CAF file")
    #expect(signature(start + Array(".mp".utf8))?.undecodableCodec == nil)
    let other = Array("caff".utf8) + [0, 1, 0, 0] + Array("info".utf8) + big(32, 8) + big(0, 8) + Array(".mp3".utf8)
    #expect(signature(other)?.undecodableCodec == nil)
  }

  @Test func `libsndfile reads behind samples that are there, and no more than is wanted`() throws {
    let samples = (0..<40).map { Float($0) / 64 }
    let bytes = wav(channelCount: 2, formatTag: 3, bits: 32, data: samples.flatMap { little(UInt64($0.bitPattern), 4) })
    let view = SplicedBytes(try ByteSource(bytes, path: "a"), [.file(0..<bytes.count)])
    var sound = try SoundHandle(view, .wav, path: "a")
    let header = sound.header
    #expect(
      header.frames == 20 && header.sampleRate == 44_100 && header.channelCount == 2 && header.format == 0x01_0006
    )
    for (frame, wanted, room) in [
      (0, 3, 40), (3, 2, 4), (5, 9, 7), (19, 5, 40), (20, 5, 40), (2, 0, 40), (2, 5, 1), (7, 13, 26),
    ] {
      let hasMoved = sound.seek(toFrame: frame)
      var found: [Float] = [9, 8]
      var arrived = 0
      found.append(addingCapacity: room) { arrived = sound.read(wanted, into: &$0) }
      let count = min(wanted, room / 2, 20 - frame)
      #expect(
        hasMoved && arrived == count && found == [9, 8] + samples[2 * frame..<2 * (frame + count)],
        "\(frame), \(wanted)"
      )
    }
    let isBeyond = sound.seek(toFrame: 21)
    #expect(!isBeyond)
  }

  @Test func `A file of 16 bits is read in parts of 262,144 frames, between which the reading may end`() throws {
    let bytes = wav(data: [UInt8](repeating: 1, count: 2 * 3 << 18))
    let file = try AudioFile(bytes: bytes)
    var checks = 0
    let reading = WholeReading(isCancelled: {
      checks += 1
      return false
    })
    let frames = try file.withDecoder { (decoder) throws(AudioFileError) in try decoder.whole(as: Int16.self, reading) }
      .frameCount
    #expect(frames == 3 << 18 && checks == 3 && reading.byteLimit == 2_147_483_648)
    #expect(try file.readAll(as: Int16.self, byteLimit: 2 * 3 << 18).frameCount == 3 << 18)
    #expect(
      failure { () throws(AudioFileError) in _ = try file.readAll(as: Int16.self, byteLimit: 2 * 3 << 18 - 1) }?.code
        == .tooLarge
    )
  }

  @Test func `An error number from before means nothing`() throws {
    let folder = try TemporaryFolder()
    let file = try TemporaryFile(for: folder.file("a"))
    errno = EINTR
    let count = unsafe [1, 2, 3].withUnsafeBytes { unsafe file.write($0) }
    errno = EINTR
    #expect(count == 24 && file.bytes(at: 0, count: 30).count == 24)
    let path = try folder.write([1, 2, 3], as: "b")
    let source = try ByteSource(opening: path)
    errno = EINTR
    #expect(try source.bytes(at: 0, count: 9) == [1, 2, 3] && file.failure == nil)
  }

  @Test func `Of several names in other cases, the first is reported`() throws {
    let folder = try TemporaryFolder()
    for name in ["B.wav", "b.WAV", "A.wav"] { _ = try folder.write([1], as: name) }
    let advice = MissingFile.advice(for: folder.file("b.wav"))
    #expect(advice.hasPrefix("There is \"\(folder.file("B.wav"))\". The two differ"))
    #expect(
      MissingFile.advice(for: "/") == "Check the path"
        && MissingFile.advice(for: folder.file("c.wav")) == "Check the path"
    )
  }
}
