/// The chunks of a CAF file that describe its sound.
struct CAFStructure: Hashable, Sendable {
  let sampleRate: Double
  /// The content of the chunk that describes the packets.
  let description: [UInt8]
  /// Four characters, such as `lpcm`.
  let format: String
  let bytesPerPacket: Int
  let framesPerPacket: Int
  let channelCount: Int

  /// The setup of the codec, as the file holds it.
  private(set) var cookie: [UInt8] = []

  /// The byte range of the packets, clamped to the file.
  private(set) var dataRange: Range<Int> = 0..<0

  /// The packet table's numbers; `nil` if the file has no table.
  private(set) var declared: Numbers?

  struct Numbers: Hashable, Sendable {
    let packets, valid, priming, remainder: Int
  }

  /// The size of each packet in bytes, if packets differ; only of packets that lie completely in the file.
  private(set) var packetSizes: [Int] = []

  /// Parses the chunks with a function that reads bytes at an offset, fewer at the end of the file.
  ///
  /// The result is `nil` if a required chunk is missing.
  init?<Failure>(_ data: AudioChunk, fileSize: Int, reading bytes: ByteReading<Failure>) throws(Failure) {
    guard let chunk = try Chunk.first("desc", in: .caf, reading: bytes) else { return nil }
    let description = try bytes(chunk.offset, 32)
    guard description.count == 32 else { return nil }
    self.description = description
    func number(_ offset: Int) -> Int { Int(bytes: description[offset..<offset + 4], isBigEndian: true) }
    sampleRate = Double(bitPattern: UInt64(bitPattern: Int64(Int(bytes: description[0..<8], isBigEndian: true))))
    format = String(decoding: description[8..<12], as: UTF8.self)
    bytesPerPacket = number(16)
    framesPerPacket = number(20)
    channelCount = number(24)
    // Four bytes in front of the packets count the edits.
    let start = min(data.offset + 4, fileSize)
    let room = max(fileSize - data.offset, 0)
    let end = data.byteCount.map { data.offset + min(max($0, 0), room) } ?? fileSize
    dataRange = start..<max(start, end)
    if let chunk = try Chunk.first("kuki", in: .caf, reading: bytes),
      (0...CAFStructure.cookieLimit).contains(chunk.byteCount)
    {
      cookie = try bytes(chunk.offset, chunk.byteCount)
    }
    guard let chunk = try Chunk.first("pakt", in: .caf, reading: bytes) else { return }
    let header = try bytes(chunk.offset, 24)
    guard header.count == 24 else { return }
    declared = Numbers(
      packets: Int(bytes: header[0..<8], isBigEndian: true),
      valid: Int(bytes: header[8..<16], isBigEndian: true),
      priming: Int(Int32(truncatingIfNeeded: Int(bytes: header[16..<20], isBigEndian: true))),
      remainder: Int(Int32(truncatingIfNeeded: Int(bytes: header[20..<24], isBigEndian: true)))
    )
    guard bytesPerPacket == 0 else { return }
    // Every packet has a byte or more, so the table has no more entries than the sound has bytes, of at most nine bytes
    // each.
    let tableSize = min(max(chunk.byteCount, 24) - 24, CAFStructure.bounded(dataRange.count))
    packetSizes = try CAFStructure.sizes(
      bytes(chunk.offset + 24, tableSize),
      hasFrameCounts: framesPerPacket == 0,
      in: dataRange.count
    )
  }

  private static let cookieLimit = 1 << 16

  private static func bounded(_ byteCount: Int) -> Int { min(byteCount, 1 << 28) * 9 }

  /// Parses packet sizes from numbers of seven bits a byte, as far as the packets fit.
  static func sizes(_ table: [UInt8], hasFrameCounts: Bool, in byteCount: Int) -> [Int] {
    var sizes: [Int] = []
    var total = 0
    var number = 0
    var isCount = false
    for byte in table {
      guard number < 1 << 40 else { break }
      number = number << 7 | Int(byte & 0x7F)
      if byte & 0x80 != 0 { continue }
      if isCount {
        isCount = false
      } else {
        guard number > 0, number <= byteCount - total else { break }
        sizes.append(number)
        total += number
        isCount = hasFrameCounts
      }
      number = 0
    }
    return sizes
  }
}

extension CAFStructure {
  /// The number of packets in the file, whatever its table claims.
  var packetCount: Int {
    bytesPerPacket > 0 ? dataRange.count / bytesPerPacket : packetSizes.count
  }

  /// The numbers of the packet table, as far as they fit the packets; the numbers of plain packets for packets of one
  /// frame without a table.
  var table: PacketTable {
    if declared == nil, framesPerPacket == 1 { return .plain(frames: packetCount) }
    return PacketTable(
      packetCount: packetCount,
      framesPerPacket: framesPerPacket,
      priming: declared?.priming ?? 0,
      valid: declared?.valid,
      source: declared == nil ? .none : .pakt
    )
  }

  /// Whether the file is shorter than its chunks promise.
  func isCut(_ data: AudioChunk, fileSize: Int) -> Bool {
    if data.isCut(inFileOf: fileSize) { return true }
    guard let declared, bytesPerPacket == 0 else { return false }
    return packetSizes.count < declared.packets
  }

  /// Apple Lossless' own description of the stream: 24 bytes, which some writers wrap twice.
  var losslessCookie: [UInt8]? {
    var rest = cookie[...]
    // A size, a name and the name again; then a size, a name and a version.
    if rest.dropFirst(4).starts(with: "frma".utf8) { rest = rest.dropFirst(12) }
    if rest.dropFirst(4).starts(with: "alac".utf8) { rest = rest.dropFirst(12) }
    return rest.count >= 24 ? Array(rest.prefix(24)) : nil
  }
}
