import FuzzSupport

/// A file with some bytes changed, and sometimes a part cut, repeated, moved or taken from another file.
func mutated(_ original: [UInt8], with seeds: Seeds, using generator: inout SplitMix64) -> [UInt8] {
  var bytes = original
  for _ in 0..<Int.random(in: 1...8, using: &generator) {
    guard !bytes.isEmpty else { return bytes }
    // Half of the changes hit the header, where the numbers are that decide about memory.
    let end = Bool.random(using: &generator) ? min(bytes.count, 200) : bytes.count
    let place = Int.random(in: 0..<end, using: &generator)
    let length = min(Int.random(in: 1...40, using: &generator), bytes.count - place)
    switch Int.random(in: 0..<12, using: &generator) {
    case 0: bytes.removeSubrange(place..<place + length)
    case 1: bytes.insert(contentsOf: bytes[place..<place + length], at: place)
    case 2: bytes.removeSubrange(place...)
    case 3:
      // A number of four or eight bytes that is at its limit.
      let number = limits.randomElement(using: &generator) ?? 0
      let size = Bool.random(using: &generator) ? 4 : 8
      let isBig = Bool.random(using: &generator)
      for index in 0..<min(size, bytes.count - place) {
        let shift = 8 * UInt64(isBig ? size - 1 - index : index)
        bytes[place + index] = UInt8(truncatingIfNeeded: number >> shift)
      }
    case 4:
      let other = seeds.files[Int.random(in: 0..<seeds.files.count, using: &generator)].bytes
      let start = Int.random(in: 0..<other.count, using: &generator)
      bytes.insert(contentsOf: other[start..<min(start + 200, other.count)], at: place)
    case 5: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
    default:
      let edge = edges.randomElement(using: &generator) ?? nil
      bytes[place] = edge ?? UInt8.random(in: 0...255, using: &generator)
    }
  }
  return bytes
}

private let edges: [UInt8?] = [0, 1, 0x7F, 0x80, 0xFE, 0xFF, nil, nil, nil, nil]

let limits: [UInt64] = [
  0, 1, 2, 0x7FFF, 0x8000, 0xFFFF, 0x7FFF_FFFF, 0x8000_0000, 0xFFFF_FFFE, 0xFFFF_FFFF, 0x7FFF_FFFF_FFFF_FFFF,
  0x8000_0000_0000_0000, 0xFFFF_FFFF_FFFF_FFFF, 0x4000_0000_0000_0000,
]

/// Gives every page of an Ogg file the checksum of its content: a decoder only skips pages with wrong checksums.
func repairOggChecksums(_ bytes: inout [UInt8]) {
  guard bytes.starts(with: "OggS".utf8) else { return }
  for start in bytes.indices where bytes[start] == 0x4F && bytes[start...].starts(with: "OggS".utf8) {
    guard start + 27 <= bytes.count else { return }
    let segments = bytes[start...].dropFirst(27).prefix(Int(bytes[start + 26]))
    let end = min(start + 27 + segments.count + segments.reduce(0) { $0 + Int($1) }, bytes.count)
    for index in start + 22..<start + 26 { bytes[index] = 0 }
    var sum: UInt32 = 0
    for byte in bytes[start..<end] {
      sum ^= UInt32(byte) << 24
      for _ in 0..<8 { sum = sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
    }
    for index in 0..<4 { bytes[start + 22 + index] = UInt8(truncatingIfNeeded: sum >> (8 * UInt32(index))) }
  }
}
