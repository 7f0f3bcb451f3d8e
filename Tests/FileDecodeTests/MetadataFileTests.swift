import Testing

@testable import FileDecode

/// Metadata in a finished file: the bytes of the whole file afterwards.
@Suite struct MetadataFileTests {
  /// The bytes of a file with metadata.
  private func added(_ metadata: Annotations, to bytes: [UInt8], _ container: OutputContainer, rate: Int = 48_000)
    throws -> [UInt8]
  {
    let folder = try TemporaryFolder()
    let file = try TemporaryFile(for: folder.file("a"))
    _ = unsafe bytes.withUnsafeBytes { unsafe file.write($0) }
    try file.add(metadata, in: container, sampleRate: rate)
    #expect(file.byteCount == file.bytes(at: 0, count: 1 << 23).count)
    return file.bytes(at: 0, count: file.byteCount)
  }

  private var metadata: Annotations {
    var all = Annotations()
    (all.tags.title, all.loops) = ("Growl", [AudioLoop(range: 10..<20)])
    return all
  }

  /// Bytes without a pattern that a shift could hide, across several blocks of a megabyte.
  private let large = (0..<2_500_000).map { UInt8(truncatingIfNeeded: ($0 &* 40_503) >> 7) }

  @Test func `Chunks follow the last byte of WAV and AIFF, or a zero behind it, and the form counts them`() throws {
    for count in [20, 21] {
      let padding: [UInt8] = count == 21 ? [0] : []
      let wave = Array("RIFF????WAVE".utf8) + [UInt8](repeating: 7, count: count - 12)
      let chunks = metadata.waveBytes(sampleRate: 44_100)
      var expected = wave + padding + chunks
      expected.replaceSubrange(4..<8, with: little(UInt64(expected.count - 8), 4))
      #expect(try added(metadata, to: wave, .wav, rate: 44_100) == expected)
      let aiff = Array("FORM????AIFF".utf8) + [UInt8](repeating: 7, count: count - 12)
      var other = aiff + padding + metadata.aiffBytes
      other.replaceSubrange(4..<8, with: big(UInt64(other.count - 8), 4))
      #expect(try added(metadata, to: aiff, .aiff) == other)
    }
  }

  @Test func `Chunks follow the last chunk of CAF, in place of bytes behind it`() throws {
    let whole = caf([1, 2, 3])
    for behind in [[], [0], [0, 0, 0]] as [[UInt8]] {
      #expect(try added(metadata, to: whole + behind, .caf) == whole + metadata.cafBytes)
    }
  }

  @Test func `A tag in front of an MP3 moves all of it`() throws {
    for content in [Array(large), Array(large.prefix(1 << 20)), Array(large.prefix(1 << 20 + 1)), [1], []] {
      #expect(try added(metadata, to: content, .mp3) == metadata.id3Bytes + content, "\(content.count)")
    }
    var long = Annotations()
    for index in 0..<40 { long.tags["T\(index)"] = String(repeating: "x", count: 60_000) }
    #expect(try added(long, to: Array(large), .mp3) == long.id3Bytes + large)
  }

  @Test func `The comment of FLAC is replaced by a longer, a shorter or an equal one`() throws {
    let comment = metadata.commentBytes(vendor: Array("the maker".utf8))
    let vendor = little(9, 4) + Array("the maker".utf8)
    let info = [0] + big(34, 3) + [UInt8](repeating: 5, count: 34)
    for size in [vendor.count + 4, comment.count - 1, comment.count, comment.count + 1, 100_000, 1_500_000] {
      let old = vendor + [UInt8](repeating: 0, count: size - vendor.count)
      for (kind, front) in [(4, []), (4, info), (0x84, info + [3] + big(3, 3) + [1, 2, 3])] as [(UInt8, [UInt8])] {
        let start = Array("fLaC".utf8) + front + [kind]
        let sound = front.isEmpty ? large : Array(large.prefix(100))
        let found = try added(metadata, to: start + big(UInt64(size), 3) + old + sound, .flac)
        let isSame = found == start + big(UInt64(comment.count), 3) + comment + sound
        #expect(isSame, "\(size)")
      }
    }
    for bytes in [info, [0x80] + info.dropFirst() + [4] + big(20, 3) + vendor, [0x80, 0, 0], []] as [[UInt8]] {
      #expect(throws: WritingFailure.metadata) { try added(metadata, to: Array("fLaC".utf8) + bytes, .flac) }
    }
  }

  @Test(arguments: [OutputContainer.ogg, .opus])
  func `The comment of Ogg is replaced, and the pages behind it are numbered anew`(container: OutputContainer) throws {
    let isVorbis = container == .ogg
    let first = isVorbis ? [1] + Array("vorbis".utf8) : Array("OpusHead".utf8) + [1, 2, 3]
    let start = isVorbis ? [3] + Array("vorbis".utf8) : Array("OpusTags".utf8)
    let books: [[UInt8]] = isVorbis ? [[UInt8](repeating: 9, count: 300)] : []
    let vendor = little(9, 4) + Array("the maker".utf8)
    let front = oggPage([first.count], first, flags: 2)
    let rate = isVorbis ? 44_100 : 24_000
    for (oldSize, newSize) in [(5, 5), (5, 100_000), (100_000, 5), (70_000, 150_000)] {
      let old = start + vendor + little(1, 4) + little(UInt64(oldSize), 4) + [UInt8](repeating: 0x41, count: oldSize)
      let oldPages = oggPages([old] + books, firstNumber: 1)
      var wanted = metadata
      for index in 0..<newSize / 50_000 { wanted.tags["T\(index)"] = String(repeating: "x", count: 50_000) }
      // The texts of Opus count frames of 48 kHz.
      var written = wanted
      if !isVorbis { written.loops = [AudioLoop(range: 20..<40)] }
      let packet = start + written.commentBytes(vendor: Array("the maker".utf8)) + (isVorbis ? [1] : [])
      var newPages = oggPages([packet] + books, firstNumber: 1)
      for index in newPages.indices where newPages[index][27..<27 + Int(newPages[index][26])].allSatisfy({ $0 == 255 })
      {
        newPages[index].replaceSubrange(6..<14, with: repeatElement(255, count: 8))
        OggPage.sign(&newPages[index])
      }
      func sound(_ first: Int) -> [UInt8] {
        (0..<3).flatMap { oggPage([50, 255, 60], granule: UInt64($0) * 1_000, number: UInt64(first + $0)) }
      }
      let file = front + oldPages.flatMap(\.self) + sound(oldPages.count + 1)
      let expected = front + newPages.flatMap(\.self) + sound(newPages.count + 1)
      let isSame = try added(wanted, to: file, container, rate: rate) == expected
      #expect(isSame, "\(oldSize), \(newSize)")
    }
    #expect(throws: WritingFailure.metadata) { try added(metadata, to: front, container) }
    #expect(throws: WritingFailure.metadata) { try added(metadata, to: [1, 2, 3], container) }
  }
}
