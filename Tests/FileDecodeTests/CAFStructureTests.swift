import TestSupport
import Testing

@testable import FileDecode

/// The chunks of a CAF file that describe its sound, with numbers of the standard worked out by hand.
@Suite struct CAFStructureTests {
  /// A CAF file by its parts.
  private struct Sound {
    var format = "aac "
    var rate = 44_100.0
    var packet: (bytes: UInt64, frames: UInt64) = (0, 1_024)
    var channelCount: UInt64 = 2
    var cookie: [UInt8]?
    /// The numbers of the packet table, and the size of each packet.
    var table: (packets: UInt64, valid: UInt64, priming: UInt64, remainder: UInt64)?
    var sizes: [UInt8] = []
    /// The size of the table's chunk, if it is not the actual one.
    var tableSize: UInt64?
    var content = [UInt8](repeating: 5, count: 100)
    /// The size of the samples' chunk, if it is not the actual one.
    var dataSize: UInt64?

    var description: [UInt8] {
      big(rate.bitPattern, 8) + Array(format.utf8) + big(0x0102_0304, 4) + big(packet.bytes, 4) + big(packet.frames, 4)
        + big(channelCount, 4) + big(16, 4)
    }

    var bytes: [UInt8] {
      var result = Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + big(32, 8) + description
      if let cookie { result += Array("kuki".utf8) + big(UInt64(cookie.count), 8) + cookie }
      if let table {
        let numbers = big(table.packets, 8) + big(table.valid, 8) + big(table.priming, 4) + big(table.remainder, 4)
        result += Array("pakt".utf8) + big(tableSize ?? UInt64(24 + sizes.count), 8) + numbers + sizes
      }
      return result + Array("data".utf8) + big(dataSize ?? UInt64(4 + content.count), 8) + big(0, 4) + content
    }
  }

  private func parsed(_ sound: Sound, fileSize: Int? = nil) -> (structure: CAFStructure?, chunk: AudioChunk, size: Int)
  {
    let bytes = Array(sound.bytes.prefix(fileSize ?? .max))
    func read(_ place: Int, _ count: Int) -> [UInt8] { Array(bytes.dropFirst(place).prefix(count)) }
    let chunk = AudioChunk(in: .caf, reading: read) ?? AudioChunk(offset: 0, byteCount: 0)
    return (CAFStructure(chunk, fileSize: bytes.count, reading: read), chunk, bytes.count)
  }

  @Test func `The description, the setup and the numbers of the table are read`() throws {
    var sound = Sound()
    (sound.cookie, sound.sizes) = ([1, 2, 3], [40, 50])
    sound.table = (0x0102_0304_0506_0708, 0x1112_1314_1516_1718, 0x0000_0840, 0xFFFF_FFFE)
    let (found, chunk, size) = parsed(sound)
    let structure = try #require(found)
    #expect(structure.sampleRate == 44_100 && structure.format == "aac " && structure.channelCount == 2)
    #expect(structure.bytesPerPacket == 0 && structure.framesPerPacket == 1_024)
    #expect(structure.description == sound.description)
    #expect(structure.cookie == [1, 2, 3])
    let declared = CAFStructure.Numbers(
      packets: 0x0102_0304_0506_0708,
      valid: 0x1112_1314_1516_1718,
      priming: 0x840,
      remainder: -2
    )
    #expect(structure.declared == declared)
    #expect(structure.packetSizes == [40, 50])
    #expect(structure.packetCount == 2)
    #expect(structure.dataRange == size - 100..<size)
    #expect(structure.packetRange == size - 100..<size - 10)
    #expect(structure.isCut(chunk, fileSize: size))
    sound.table?.packets = 2
    #expect(try #require(parsed(sound).structure).isCut(chunk, fileSize: size) == false)
    sound.table?.packets = 3
    #expect(try #require(parsed(sound).structure).isCut(chunk, fileSize: size))
  }

  @Test func `The samples end with their chunk, or with the file`() throws {
    var sound = Sound()
    (sound.format, sound.packet) = ("lpcm", (4, 1))
    let size = sound.bytes.count
    for (dataSize, count) in [(104, 100), (54, 50), (4, 0), (3, 0), (0, 0), (105, 100), (1 << 40, 100), (.max, 100)]
      as [(UInt64, Int)]
    {
      sound.dataSize = dataSize
      let (found, chunk, _) = parsed(sound)
      let structure = try #require(found)
      #expect(structure.dataRange == size - 100..<size - 100 + count, "\(dataSize)")
      #expect(structure.isCut(chunk, fileSize: size) == (dataSize > 104 && dataSize < .max))
    }
    sound.dataSize = nil
    for missing in [1, 50, 100, 102, 104] {
      let (found, chunk, fileSize) = parsed(sound, fileSize: size - missing)
      let structure = try #require(found)
      let start = min(size - 100, fileSize)
      #expect(structure.dataRange == start..<fileSize, "\(missing)")
      #expect(structure.isCut(chunk, fileSize: fileSize))
    }
  }

  @Test func `A file without a whole description has no structure, and one without a whole table no numbers`() throws {
    let bytes = Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + big(32, 8) + [UInt8](repeating: 0, count: 31)
    let chunk = AudioChunk(offset: 20, byteCount: nil)
    #expect(CAFStructure(chunk, fileSize: 51) { Array(bytes.dropFirst($0).prefix($1)) } == nil)
    #expect(CAFStructure(chunk, fileSize: 52) { Array((bytes + [0]).dropFirst($0).prefix($1)) } != nil)
    var behind = Sound()
    behind.table = nil
    #expect(try #require(parsed(behind).structure).declared == nil)
    #expect(try #require(parsed(behind).structure).cookie == [])
    // A table at the end of the file that lacks its last byte.
    let start = behind.bytes
    let table = Array("pakt".utf8) + big(24, 8) + big(1, 8) + big(1_024, 8) + big(0, 8)
    for (whole, isThere) in [(start + table, true), (start + table.dropLast(), false)] {
      let data = AudioChunk(offset: start.count - 104, byteCount: 104)
      let found = CAFStructure(data, fileSize: whole.count) { Array(whole.dropFirst($0).prefix($1)) }
      #expect((found?.declared != nil) == isThere)
    }
  }

  @Test func `A setup has up to 64 KiB`() throws {
    for (count, isRead) in [(0, true), (65_536, true), (65_537, false)] {
      var sound = Sound()
      sound.cookie = [UInt8](repeating: 1, count: count)
      #expect(try #require(parsed(sound).structure).cookie.count == (isRead ? count : 0), "\(count)")
    }
  }

  @Test func `The table of packet sizes has no more than its chunk`() throws {
    var sound = Sound()
    sound.sizes = [1, 2, 3, 4]
    sound.table = (4, 4_096, 0, 0)
    for (tableSize, count) in [(28, 4), (27, 3), (25, 1), (24, 0), (10, 0)] as [(UInt64, Int)] {
      sound.tableSize = tableSize
      // With a wrong size, the chunk behind would not be found, so its position is given.
      let bytes = sound.bytes
      let chunk = AudioChunk(offset: bytes.count - 104, byteCount: 104)
      let found = CAFStructure(chunk, fileSize: bytes.count) { Array(bytes.dropFirst($0).prefix($1)) }
      #expect(found?.packetSizes == Array([1, 2, 3, 4].prefix(count)), "\(tableSize)")
    }
    // Packets of one size have no table of sizes.
    sound.tableSize = nil
    sound.packet.bytes = 10
    #expect(try #require(parsed(sound).structure).packetSizes == [])
    #expect(try #require(parsed(sound).structure).packetCount == 10)
    // Nine bytes for each byte of sound, and no more.
    var asked: [Int] = []
    let long =
      Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + big(32, 8) + Sound().description
      + Array("pakt".utf8) + big(1 << 40, 8) + big(1, 8) + big(1, 8) + big(0, 8)
    _ = CAFStructure(AudioChunk(offset: long.count, byteCount: nil), fileSize: long.count + 4 + 7) { place, count in
      asked.append(count)
      return Array(long.dropFirst(place).prefix(count))
    }
    #expect(asked.last == 63)
    _ = CAFStructure(AudioChunk(offset: long.count, byteCount: nil), fileSize: 1 << 40) { place, count in
      asked.append(count)
      return Array(long.dropFirst(place).prefix(count))
    }
    #expect(asked.last == 9 << 28)
  }

  @Test func `Packet sizes are numbers of seven bits a byte, as far as the packets fit`() {
    func sizes(_ table: [UInt8], counts: Bool = false, in byteCount: Int = 1 << 50) -> [Int] {
      CAFStructure.sizes(table, hasFrameCounts: counts, in: byteCount)
    }
    #expect(sizes([1, 0x7F, 0x81, 0x00, 0x82, 0x80, 0x03]) == [1, 127, 128, 2 << 14 | 3])
    // The last number has no end.
    #expect(sizes([1, 0x81]) == [1])
    // A packet of no bytes ends the list.
    #expect(sizes([1, 0, 3]) == [1])
    #expect(sizes([0x80, 0x05, 0x80, 0x00, 3]) == [5])
    // Each size is followed by a number of frames, of any value.
    #expect(sizes([1, 0, 2, 0x81, 0x00, 3], counts: true) == [1, 2, 3])
    #expect(sizes([60, 40, 1], in: 100) == [60, 40])
    #expect(sizes([60, 41, 1], in: 100) == [60])
    #expect(sizes([60, 5, 40, 5, 1], counts: true, in: 100) == [60, 40])
    #expect(sizes([], in: 100) == [] && sizes([1], in: 0) == [] && sizes([1], in: 1) == [1])
    // Numbers of 40 bits and more are invalid, before they overflow.
    let large: [UInt8] = [0x9F, 0xFF, 0xFF, 0xFF, 0xFF, 0x7F]
    #expect(sizes(large + [1]) == [1 << 40 - 1, 1])
    #expect(sizes([0xA0, 0x80, 0x80, 0x80, 0x80, 0x00, 1]) == [1 << 40, 1])
    #expect(sizes([0xA0, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01, 1]) == [])
    #expect(sizes([UInt8](repeating: 0xFF, count: 100)) == [])
    var generator = SplitMix64(seed: 3)
    for _ in 0..<200 {
      let wanted = (0..<20).map { _ in
        Int.random(in: 1...1 << Int.random(in: 1...30, using: &generator), using: &generator)
      }
      let table = wanted.flatMap { (size: Int) -> [UInt8] in
        let digits = (0..<5).map { size >> (7 * (4 - $0)) & 0x7F }.drop { $0 == 0 }
        return digits.dropLast().map { UInt8($0) | 0x80 } + [UInt8(size & 0x7F)]
      }
      let room = wanted.dropLast(Int.random(in: 0...20, using: &generator)).reduce(0, +)
      var rest = room
      let expected = wanted.prefix { size in
        defer { rest -= size }
        return size <= rest
      }
      #expect(sizes(table, in: room) == Array(expected))
    }
  }

  @Test func `The packets of one size fill the samples as far as whole ones fit`() throws {
    for (bytesPerPacket, count) in [(1, 100), (7, 14), (50, 2), (99, 1), (100, 1), (101, 0)] as [(UInt64, Int)] {
      var sound = Sound()
      sound.packet.bytes = bytesPerPacket
      let (found, _, size) = parsed(sound)
      let structure = try #require(found)
      #expect(structure.packetCount == count)
      #expect(structure.packetRange == size - 100..<size - 100 + count * Int(bytesPerPacket))
      #expect(structure.table.packetCount == count)
    }
  }

  @Test func `The table of packets is that of the file, or follows from the packets`() throws {
    var sound = Sound()
    sound.packet = (10, 1_024)
    #expect(
      try #require(parsed(sound).structure).table
        == PacketTable(packetCount: 10, framesPerPacket: 1_024, priming: 0, valid: nil, source: .none)
    )
    #expect(try #require(parsed(sound).structure).table.validFrames == 10_240)
    #expect(try #require(parsed(sound).structure).table.primingFrames == 0)
    sound.table = (10, 5_000, 2_112, 9)
    let table = try #require(parsed(sound).structure).table
    #expect(table.primingFrames == 2_112 && table.validFrames == 5_000 && table.remainderFrames == 3_128)
    #expect(table.source == .pakt)
    sound.packet.frames = 1
    sound.table?.valid = 5
    sound.table?.priming = 2
    let single = try #require(parsed(sound).structure).table
    #expect(single.primingFrames == 2 && single.validFrames == 5 && single.source == .pakt)
    sound.table = nil
    #expect(try #require(parsed(sound).structure).table == .plain(frames: 10))
    // A table of packets of one size counts what it likes.
    let (found, chunk, size) = parsed(sound)
    #expect(try #require(found).isCut(chunk, fileSize: size) == false)
    sound.table = (11, 5_000, 0, 0)
    let counted = parsed(sound)
    #expect(try #require(counted.structure).isCut(counted.chunk, fileSize: counted.size) == false)
  }

  @Test func `Apple Lossless' description may be wrapped in up to two headers`() throws {
    let cookie = losslessCookie(frames: 4_096)
    let frma = big(12, 4) + Array("frmaalac".utf8)
    let alac = big(36, 4) + Array("alac".utf8) + big(0, 4)
    func found(_ bytes: [UInt8]) throws -> [UInt8]? {
      var sound = Sound()
      sound.cookie = bytes
      return try #require(parsed(sound).structure).losslessCookie
    }
    for wrapped in [cookie, cookie + [1, 2], frma + cookie, alac + cookie, frma + alac + cookie + [1]] {
      #expect(try found(wrapped) == cookie)
    }
    for cut in [Array(cookie.dropLast()), frma + cookie.dropLast(), frma + alac + cookie.dropLast(), []] {
      #expect(try found(cut) == nil)
    }
  }
}
