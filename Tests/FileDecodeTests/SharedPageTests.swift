import Glibc
import Testing

@testable import FileDecode

/// Reads of a few bytes from a file on the disk, which share a page.
@Suite struct SharedPageTests {
  private let content = (0..<10_000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }

  /// Reads of all sizes, forward, backward, across the ends of pages and behind the end of the file.
  private let reads: [(offset: Int, count: Int)] =
    [0, 1, 4_000, 4_095, 4_096, 4_097, 3, 9_999, 9_990, 8_191, 10_000, 20_000, 5_000, .max, 0].flatMap { offset in
      [0, 1, 4, 64, 65, 512, 513, 4_096, 6_000].map { (offset, $0) }
    }

  @Test func `A parser reads the bytes of the file`() throws {
    let folder = try TemporaryFolder()
    let source = try ByteSource(opening: folder.write(content, as: "a"))
    let reader = source.reader(path: "a")
    for (offset, count) in reads {
      #expect(try reader(offset, count) == Array(content.dropFirst(offset).prefix(count)), "\(offset), \(count)")
    }
    #expect(try reader(-1, 4) == [])
  }

  @Test func `A page serves the parts of a tag in front of the end of the file`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(content, as: "a")
    let descriptor = unsafe open(path, O_RDONLY)
    let source = ByteSource(descriptor: descriptor, size: content.count)
    let reader = source.reader(path: "a")
    #expect(try reader(9_968, 32) == Array(content[9_968...]))
    // A read through a descriptor that is open for writing fails, so the bytes below are from the page.
    replace(descriptor, withFileAt: path, flags: O_WRONLY)
    for (offset, count) in [(9_872, 128), (9_840, 32), (5_904, 4_096), (5_904, 1), (9_999, 9)] {
      #expect(try reader(offset, count) == Array(content.dropFirst(offset).prefix(count)), "\(offset), \(count)")
    }
    #expect(failure { () throws(AudioFileError) in _ = try reader(5_903, 1) }?.code == .readFailed)
  }

  @Test func `A decoder reads the start of its view without a read of the file`() throws {
    let head = Array(content.prefix(4_096))
    let source = ByteSource(descriptor: -1, size: content.count)
    for (pieces, start) in [
      ([.file(0..<10_000)], head), ([.file(0..<50), .bytes([1])], Array(head[..<50])), ([.file(1..<10_000)], []),
      ([.bytes([1, 2, 3]), .file(0..<10_000)], [1, 2, 3]), ([], []),
    ] as [([SplicedBytes.Piece], [UInt8])] {
      let view = SplicedBytes(source, pieces)
      #expect(view.start(in: head, from: 0) == start)
      let cursor = ByteCursor(view, startingWith: start, hidingEnd: false)
      var memory: [UInt8] = [0, 0, 0]
      let arrived = unsafe memory.withUnsafeMutableBytes { unsafe cursor.read(into: $0) }
      #expect(arrived == (start.isEmpty ? 0 : 3) && memory.prefix(arrived) == start.prefix(arrived))
      #expect((cursor.failure == nil) == (arrived == 3 || pieces.isEmpty))
    }
  }

  @Test func `A decoder reads the bytes of its view`() throws {
    let folder = try TemporaryFolder()
    let source = try ByteSource(opening: folder.write(content, as: "a"))
    let view = SplicedBytes(source, [.file(100..<5_000), .bytes([1, 2, 3]), .file(5_000..<10_000)])
    let expected = Array(content[100..<5_000]) + [1, 2, 3] + content[5_000...]
    let cursor = ByteCursor(view, hidingEnd: false)
    for (offset, count) in reads {
      #expect(cursor.seek(by: offset, from: 0) == offset)
      var memory = [UInt8](repeating: 9, count: count)
      let arrived = unsafe memory.withUnsafeMutableBytes { unsafe cursor.read(into: $0) }
      let bytes = Array(expected.dropFirst(offset).prefix(count))
      #expect(Array(memory.prefix(arrived)) == bytes && cursor.offset == offset + bytes.count, "\(offset), \(count)")
    }
    #expect(cursor.failure == nil)
  }
}
