import Glibc
import Testing

@testable import FileDecode

/// A file under a temporary name: its bytes, its end, and what becomes of it.
@Suite struct TemporaryFileTests {
  /// Writes bytes, and returns the number that the system accepted.
  private func write(_ bytes: [UInt8], to file: TemporaryFile) -> Int {
    unsafe bytes.withUnsafeBytes { unsafe file.write($0) }
  }

  private func all(_ file: TemporaryFile) -> [UInt8] { file.bytes(at: 0, count: file.byteCount + 10) }

  private func read(_ count: Int, from file: TemporaryFile) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    let found = unsafe bytes.withUnsafeMutableBytes { unsafe file.read(into: $0) }
    return Array(bytes.prefix(found))
  }

  /// A file with these bytes.
  private func file(_ bytes: [UInt8], in folder: borrowing TemporaryFolder) throws -> TemporaryFile {
    let file = try TemporaryFile(for: folder.file("a"))
    #expect(write(bytes, to: file) == bytes.count)
    return file
  }

  @Test func `Bytes are written and read at the position, which moves`() throws {
    let folder = try TemporaryFolder()
    let file = try TemporaryFile(for: folder.file("a"))
    #expect(file.byteCount == 0 && file.offset == 0 && all(file) == [] && read(5, from: file) == [])
    #expect(write([1, 2, 3, 4, 5], to: file) == 5 && file.byteCount == 5 && file.offset == 5)
    #expect(write([], to: file) == 0 && file.offset == 5)
    // In the middle, over the end, and behind it.
    #expect(
      file.seek(by: 1, from: SEEK_SET) == 1 && write([9], to: file) == 1 && file.byteCount == 5 && file.offset == 2
    )
    #expect(file.seek(by: -1, from: SEEK_END) == 4 && write([7, 8], to: file) == 2 && file.byteCount == 6)
    #expect(file.seek(by: 2, from: SEEK_CUR) == 8 && write([6], to: file) == 1 && file.byteCount == 9)
    #expect(all(file) == [1, 9, 3, 4, 7, 8, 0, 0, 6])
    #expect(
      file.bytes(at: 2, count: 3) == [3, 4, 7] && file.bytes(at: 8, count: 3) == [6]
        && file.bytes(at: 9, count: 1) == []
    )
    file.offset = 3
    #expect(
      read(4, from: file) == [4, 7, 8, 0] && file.offset == 7 && read(4, from: file) == [0, 6] && file.offset == 9
    )
    #expect(read(4, from: file) == [] && file.offset == 9 && file.failure == nil)
    file.truncate(to: 4)
    #expect(file.byteCount == 4 && all(file) == [1, 9, 3, 4])
    try file.keep()
    #expect(try bytes(of: folder.file("a")) == [1, 9, 3, 4] && folder.names() == ["a"])
  }

  @Test func `Large blocks are written whole`() throws {
    let folder = try TemporaryFolder()
    let content = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 >> 3 &* 7) }
    let file = try file(content, in: folder)
    #expect(file.byteCount == content.count && file.bytes(at: 0, count: content.count) == content)
    #expect(file.bytes(at: 2_999_990, count: 20) == Array(content.suffix(10)))
  }

  @Test func `A file that is not kept disappears, and its name is a hidden one beside the final one`() throws {
    let folder = try TemporaryFolder()
    do {
      let file = try file([1], in: folder)
      let names = try folder.names()
      #expect(names.count == 1 && names[0].hasPrefix(".audio-") && names[0].hasSuffix(".tmp") && file.byteCount == 1)
    }
    #expect(try folder.names() == [])
    do {
      let file = try file([1], in: folder)
      try file.keep()
    }
    #expect(try folder.names() == ["a"])
    #expect(
      failure { () throws(AudioFileError) in _ = try TemporaryFile(for: folder.file("a"), overwriting: false) }?.code
        == .fileExists
    )
    #expect(
      failure { () throws(AudioFileError) in _ = try TemporaryFile(for: folder.file("b\0c")) }?.code == .fileNotFound
    )
    #expect(try folder.names() == ["a"])
  }

  @Test func `A failure of the system stays with the file`() throws {
    let folder = try TemporaryFolder()
    for step in 0..<4 {
      let file = try file([1, 2, 3], in: folder)
      let prefix = folder.file(".audio-")
      let opened = try #require(try descriptor { $0.hasPrefix(prefix) })
      let other = try folder.write([7], as: "other")
      replace(opened, withFileAt: other, flags: step == 2 ? O_WRONLY : O_RDONLY)
      switch step {
      case 0: #expect(write([1], to: file) == 0 && file.byteCount == 3)
      case 1: file.truncate(to: 1)
      case 2: #expect(file.bytes(at: 0, count: 1) == [])
      default:
        file.offset = 0
        // A read of the encoder past the end is not a failure.
        #expect(read(5, from: file) == [7] && file.failure == nil)
      }
      #expect((file.failure != nil) == (step < 3), "\(step)")
    }
  }

  // MARK: The end of an Ogg file

  @Test func `The end of an Ogg file moves to a page in front, which becomes the last`() throws {
    let folder = try TemporaryFolder()
    let front = oggPage([19], flags: 2) + oggPage([40], number: 1)
    let pages = (1...4).map { oggPage([50, 60], granule: UInt64($0) * 1_000, number: UInt64($0) + 1) }
    let whole = front + pages.flatMap(\.self)
    func ended(_ count: Int, at granule: UInt64) -> [UInt8] {
      front + pages.prefix(count - 1).flatMap(\.self)
        + oggPage([50, 60], flags: 4, granule: granule, number: UInt64(count) + 1)
    }
    for (dropped, expected) in [
      (1, ended(4, at: 3_999)), (999, ended(4, at: 3_001)), (1_000, ended(3, at: 3_000)), (1_001, ended(3, at: 2_999)),
      (3_999, ended(1, at: 1)), (4_000, whole), (4_001, whole), (0, ended(4, at: 4_000)),
    ] {
      let file = try file(whole, in: folder)
      file.dropEnd(granuleCount: dropped)
      #expect(all(file) == expected && file.byteCount == expected.count, "\(dropped)")
    }
    // Bytes that are no page end the list of pages.
    let broken = try file(front + pages[0] + [0] + pages[1], in: folder)
    broken.dropEnd(granuleCount: 10)
    #expect(all(broken) == ended(1, at: 990))
    let other = try file([1, 2, 3], in: folder)
    other.dropEnd(granuleCount: 10)
    #expect(all(other) == [1, 2, 3])
  }

  // MARK: An MP3 without sound

  /// A frame with LAME's tag, and packets of silence.
  private func mp3(_ packetCount: Int, delay: Int, padding: Int) -> [UInt8] {
    let tag =
      Array("Info".utf8) + [0, 0, 0, 0] + Array("LAME3.100".utf8) + [UInt8](repeating: 7, count: 12)
      + [UInt8(delay >> 4), UInt8(delay & 15) << 4 | UInt8(padding >> 8), UInt8(padding & 0xFF)]
    var first = silentMP3(packetCount: 1)
    first.replaceSubrange(21..<21 + tag.count, with: tag)
    let place = 21 + tag.count + 10
    let sum = MPEGTag.checksum(first[..<place])
    first.replaceSubrange(place..<place + 2, with: [UInt8(sum >> 8), UInt8(sum & 0xFF)])
    return first + silentMP3(packetCount: packetCount)
  }

  @Test func `All frames of an MP3 become padding, as far as its tag can count them`() throws {
    let folder = try TemporaryFolder()
    for (packets, delay, padding) in [
      (1, 576, 576), (2, 576, 1_728), (1, 1_152, 0), (1, 1_153, nil), (4, 513, 4_095), (4, 512, nil), (3, 0, 3_456),
    ] as [(Int, Int, Int?)] {
      let before = mp3(packets, delay: delay, padding: 0x321)
      let file = try file(before, in: folder)
      file.markAsPadding()
      #expect(all(file) == mp3(packets, delay: delay, padding: padding ?? 0x321), "\(packets), \(delay)")
      #expect(file.byteCount == before.count)
    }
    // Without the encoder's numbers there is nothing to change.
    for bytes in [silentMP3(packetCount: 2), silentMP3(packetCount: 2, countedAs: 2), [1, 2, 3]] {
      let file = try file(bytes, in: folder)
      file.markAsPadding()
      #expect(all(file) == bytes)
    }
  }
}
