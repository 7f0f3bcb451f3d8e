/// A page of an Ogg file with the right checksum; its content is numbered bytes unless it is given.
func oggPage(
  _ segments: [Int],
  _ content: [UInt8]? = nil,
  flags: UInt8 = 0,
  granule: UInt64 = 0,
  serial: [UInt8] = [1, 2, 3, 4],
  number: UInt64 = 0
) -> [UInt8] {
  let content = content ?? (0..<segments.reduce(0, +)).map { UInt8(truncatingIfNeeded: $0) }
  var page =
    Array("OggS".utf8) + [0, flags] + little(granule, 8) + serial + little(number, 4) + [
      0, 0, 0, 0, UInt8(segments.count),
    ]
    + segments.map { UInt8($0) } + content
  let sum = page.reduce(UInt32(0)) { $0 << 8 ^ oggRemainders[Int($0 >> 24 ^ UInt32($1))] }
  page.replaceSubrange(22..<26, with: little(UInt64(sum), 4))
  return page
}

/// The remainder of each byte in a division by the polynomial of Ogg.
private let oggRemainders = (0..<256).map { byte in
  var rest = UInt32(byte) << 24
  for _ in 0..<8 { rest = rest >> 31 == 1 ? rest << 1 ^ 0x04C1_1DB7 : rest << 1 }
  return rest
}

/// The segments of a packet: parts of 255 bytes, and a shorter one.
func oggSegments(_ packet: [UInt8]) -> [Int] {
  [Int](repeating: 255, count: packet.count / 255) + [packet.count % 255]
}

/// Packets in pages of up to a number of segments, one behind the other; a packet starts a page only if it must.
func oggPages(
  _ packets: [[UInt8]],
  segmentsPerPage: Int = 255,
  granule: (_ page: Int) -> UInt64 = { _ in 0 },
  serial: [UInt8] = [1, 2, 3, 4],
  firstNumber: Int = 0
) -> [[UInt8]] {
  let segments = packets.flatMap(oggSegments)
  var content = packets.flatMap(\.self)[...]
  return stride(from: 0, to: segments.count, by: segmentsPerPage).enumerated().map { index, start in
    let own = Array(segments[start..<min(start + segmentsPerPage, segments.count)])
    let size = own.reduce(0, +)
    let continues: UInt8 = start > 0 && segments[start - 1] == 255 ? 1 : 0
    let page = oggPage(
      own,
      Array(content.prefix(size)),
      flags: continues,
      granule: granule(index),
      serial: serial,
      number: UInt64(firstNumber + index)
    )
    content = content.dropFirst(size)
    return page
  }
}
