import AudioSupport
import Glibc
import Synchronization
import TestSupport
import Testing

@testable import FileDecode

/// The reading of bytes from a file, from memory and through pieces, against a plain array.
@Suite struct BytesTests {
  /// A reader that returns as many bytes as it likes.
  private final class Reader: AudioByteReader {
    let content: [UInt8]
    let extra: Int
    let asked = Mutex<[Int]>([])

    init(_ content: [UInt8], extra: Int = 0) {
      self.content = content
      self.extra = extra
    }

    var byteCount: Int { content.count }

    func bytes(at offset: Int, count: Int) throws -> [UInt8] {
      asked.withLock { $0 += [offset, count] }
      let bytes = content.dropFirst(offset).prefix(max(count + extra, 0))
      return extra > 0 ? Array(bytes) + [UInt8](repeating: 99, count: extra) : Array(bytes)
    }
  }

  /// Reads into memory with a mark behind it.
  private func read(_ count: Int, _ body: (UnsafeMutableRawBufferPointer) throws -> Int) rethrows -> (
    bytes: [UInt8], count: Int
  ) {
    var memory = [UInt8](repeating: 0xEE, count: count + 3)
    let found = unsafe try memory.withUnsafeMutableBytes { buffer in
      unsafe try body(UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
    }
    #expect(memory[max(found, 0)...].allSatisfy { $0 == 0xEE })
    return (Array(memory.prefix(found)), found)
  }

  private let content = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 * 7) }

  @Test func `Every kind of source returns the bytes of a range, as far as the file has them`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(content, as: "a")
    let sources = [
      try ByteSource(opening: path), try ByteSource(content, path: "a"), try ByteSource(Reader(content), path: "a"),
      try ByteSource(Reader(content, extra: 5), path: "a"),
    ]
    for (index, source) in sources.enumerated() {
      #expect(source.size == 1_000)
      for (offset, count) in [
        (0, 1_000), (0, 1), (999, 1), (500, 600), (999, 2), (1_000, 1), (1_500, 5), (-1, 5), (3, 0), (10, 20),
        (0, 1_001),
      ] {
        let expected = offset < 0 ? [] : Array(content.dropFirst(offset).prefix(count))
        #expect(try source.bytes(at: offset, count: count) == expected, "\(index): \(offset), \(count)")
        let found = unsafe try read(count) { unsafe try source.read(at: offset, into: $0) }
        #expect(found.bytes == expected && found.count == expected.count, "\(index): \(offset), \(count)")
        #expect(try source.reader(path: "a")(offset, count) == expected)
      }
      #expect(try source.bytes(at: 5, count: -1) == [])
    }
    let reader = Reader(content)
    let source = try ByteSource(reader, path: "a")
    _ = try source.bytes(at: 990, count: 50)
    _ = unsafe try read(50) { unsafe try source.read(at: 990, into: $0) }
    _ = unsafe try read(50) { unsafe try source.read(at: 1_000, into: $0) }
    #expect(reader.asked.withLock { $0 } == [990, 10, 990, 10])
  }

  @Test func `A reader that returns fewer bytes ends the file`() throws {
    let source = try ByteSource(Reader(content, extra: -3), path: "a")
    #expect(try source.bytes(at: 10, count: 20) == Array(content[10..<27]))
    let view = SplicedBytes(source, [.file(0..<10), .bytes([1, 2])])
    let found = unsafe try read(12) { unsafe try view.read(at: 0, into: $0) }
    #expect(found.bytes == Array(content[..<7]))
  }

  @Test func `A file on the disk that became shorter is an error, and one that grew is not`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(content, as: "a")
    func source(_ size: Int) -> ByteSource { unsafe ByteSource(descriptor: open(path, O_RDONLY), size: size) }
    #expect(throws: SystemError.fileShrank) { try source(1_001).bytes(at: 0, count: 1_001) }
    #expect(throws: SystemError.fileShrank) { try source(1_010).bytes(at: 1_005, count: 1) }
    #expect(throws: SystemError.fileShrank) { try source(1_010).bytes(at: 995, count: 6) }
    #expect(try source(1_010).bytes(at: 995, count: 5) == Array(content[995...]))
    #expect(try source(990).bytes(at: 980, count: 50) == Array(content[980..<990]))
    // A decoder may read on behind the size that the file had.
    let longer = unsafe try read(30) { unsafe try source(990).read(at: 980, into: $0) }
    #expect(longer.bytes == Array(content[980...]))
    #expect(throws: SystemError(number: EBADF)) { try ByteSource(descriptor: -1, size: 10).bytes(at: 0, count: 1) }
    #expect("\(SystemError.fileShrank)" == "the file became shorter after it was opened")
    #expect("\(SystemError(number: ENOENT))" == "No such file or directory (errno 2)")
  }

  @Test func `A descriptor is closed with its source`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(content, as: "closed with its source")
    do {
      let source = try ByteSource(opening: path)
      #expect(try descriptor { $0 == path } != nil)
      #expect(source.size == 1_000)
    }
    #expect(try descriptor { $0 == path } == nil)
  }

  @Test func `Pieces of a file and of other bytes are read as one`() throws {
    let source = try ByteSource(content, path: "a")
    var generator = SplitMix64(seed: 4)
    for round in 0..<20 {
      var pieces: [SplicedBytes.Piece] = []
      var expected: [UInt8] = []
      for _ in 0..<Int.random(in: 0...6, using: &generator) {
        if Bool.random(using: &generator) {
          let start = Int.random(in: 0...990, using: &generator)
          let range = start..<Int.random(in: start...min(start + 30, 1_000), using: &generator)
          pieces.append(.file(range))
          expected += content[range]
        } else {
          let bytes = (0..<Int.random(in: 0...9, using: &generator)).map { UInt8($0) }
          pieces.append(.bytes(bytes))
          expected += bytes
        }
      }
      let view = SplicedBytes(source, pieces)
      #expect(view.byteCount == expected.count)
      for offset in -1...expected.count + 1 {
        for count in [0, 1, 5, 400] {
          let wanted = offset < 0 ? [] : Array(expected.dropFirst(offset).prefix(count))
          let found = unsafe try read(count) { unsafe try view.read(at: offset, into: $0) }
          if found.bytes != wanted { Issue.record("\(round): \(offset), \(count)") }
        }
      }
    }
  }

  @Test func `A window returns the bytes of a range, and reads large parts of the file`() {
    let file = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    var window = ReadingWindow()
    var asked: [[Int]] = []
    func bytes(_ offset: Int, _ count: Int) -> [UInt8] {
      Array(
        window.bytes(at: offset, count: count) { place, count in
          asked.append([place, count])
          return Array(file.dropFirst(place).prefix(count))
        }
      )
    }
    for (offset, count) in [
      (10, 5), (65_540, 6), (65_541, 6), (65_536, 6), (65_535, 6), (10, 5), (100, 100_000), (100_099, 1), (100_100, 1),
      (199_999, 1),
      (199_995, 10), (200_000, 4), (300_000, 4), (5, 0),
    ] {
      #expect(bytes(offset, count) == Array(file.dropFirst(offset).prefix(count)), "\(offset), \(count)")
    }
    #expect(
      asked == [
        [10, 65_536], [65_541, 65_536], [65_536, 65_536], [65_535, 65_536], [10, 65_536], [100, 100_000],
        [100_100, 65_536],
        [199_999, 65_536], [199_995, 65_536], [200_000, 65_536], [300_000, 65_536], [5, 65_536],
      ]
    )
    #expect(ReadingWindow.size == 65_536)
  }

  @Test func `A window returns numbers up to the end of the file, and reads a part of a given size`() {
    let file = (0..<1_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
    var window = ReadingWindow(reading: 100)
    var asked: [Int] = []
    func read(_ offset: Int, _ count: Int) -> [UInt8] {
      asked.append(offset)
      #expect(count == 100)
      return Array(file.dropFirst(offset).prefix(count))
    }
    for offset in [0, 96, 97, 99, 50, 900, 996, 997, 999, 1_000, 5_000] {
      let bytes = file.dropFirst(offset).prefix(4)
      let expected = bytes.count == 4 ? UInt32(Int(bytes: bytes, isBigEndian: true)) : nil
      #expect(window.word(at: offset, read) == expected, "\(offset)")
      #expect(window.hasByte(at: offset, read) == (offset < 1_000), "\(offset)")
    }
    #expect(asked == [0, 97, 50, 900, 997, 999, 1_000, 1_000, 5_000, 5_000])
  }

  @Test func `A seek moves to an offset from the start, the position or the end`() throws {
    let view = SplicedBytes(try ByteSource(content, path: "a"), [.file(0..<100)])
    let cursor = ByteCursor(view, hidingEnd: false)
    #expect(cursor.byteCount == 100 && cursor.offset == 0)
    #expect(cursor.seek(by: 30, from: SEEK_SET) == 30 && cursor.offset == 30)
    #expect(cursor.seek(by: -10, from: SEEK_CUR) == 20 && cursor.seek(by: 5, from: SEEK_CUR) == 25)
    #expect(cursor.seek(by: -1, from: SEEK_END) == 99 && cursor.seek(by: 7, from: SEEK_END) == 107)
    #expect(cursor.seek(by: -101, from: SEEK_END) == -1 && cursor.offset == 107)
    #expect(cursor.seek(by: Int.max, from: SEEK_CUR) == -1 && cursor.seek(by: -1, from: SEEK_SET) == -1)
    #expect(cursor.seek(by: 0, from: SEEK_SET) == 0)
    let hiding = ByteCursor(view, hidingEnd: true)
    #expect(hiding.seek(by: 0, from: SEEK_END) == -1 && hiding.seek(by: 9, from: SEEK_SET) == 9)
    #expect(hiding.seek(by: 1, from: SEEK_CUR) == 10)
    let first = unsafe read(60) { unsafe hiding.read(into: $0) }
    let second = unsafe read(60) { unsafe hiding.read(into: $0) }
    #expect(first.bytes == Array(content[10..<70]) && second.bytes == Array(content[70..<100]) && hiding.offset == 100)
    #expect(hiding.failure == nil)
    let broken = ByteCursor(SplicedBytes(ByteSource(descriptor: -1, size: 10), [.file(0..<10)]), hidingEnd: false)
    #expect(unsafe read(5) { unsafe broken.read(into: $0) }.count == 0 && broken.failure == SystemError(number: EBADF))
    let base = VirtualFile()
    #expect(base.byteCount == 0 && base.offset == 0)
    #expect(unsafe base.read(into: UnsafeMutableRawBufferPointer(start: nil, count: 0)) == 0)
    #expect(unsafe base.write(UnsafeRawBufferPointer(start: nil, count: 0)) == 0)
  }
}
