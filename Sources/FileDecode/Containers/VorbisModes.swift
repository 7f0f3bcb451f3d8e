/// The modes of a Vorbis stream, which decide how many frames a packet adds.
struct VorbisModes: Sendable {
  /// The number of frames in a short and in a long block.
  private let blockSizes: (short: Int, long: Int)

  /// Whether the blocks of each mode are long.
  private let areLong: [Bool]

  /// The number of bits of a mode in a packet.
  private let modeBits: Int

  /// The modes in the first and the third header; `nil` if the headers do not hold them.
  init?(identification: [UInt8], setup: [UInt8]) {
    guard identification.count >= 30, let areLong = VorbisModes.modes(setup) else { return nil }
    blockSizes = (1 << Int(identification[28] & 15), 1 << Int(identification[28] >> 4))
    self.areLong = areLong
    modeBits = Int.bitWidth - (areLong.count - 1).leadingZeroBitCount
  }

  /// The number of frames in the block of a packet; `nil` if the decoder refuses the packet.
  func blockSize(_ packet: ArraySlice<UInt8>) -> Int? {
    let bits = Int(bytes: packet.prefix(2), isBigEndian: false)
    let mode = bits >> 1 & (1 << modeBits - 1)
    guard !packet.isEmpty, bits & 1 == 0, areLong.indices.contains(mode) else { return nil }
    // A long block names the kind of both neighbours.
    guard 1 + modeBits + (areLong[mode] ? 2 : 0) <= 8 * packet.count else { return nil }
    return areLong[mode] ? blockSizes.long : blockSizes.short
  }

  /// The number of bits that describe a mode: whether its blocks are long, 32 zeros, and a mapping.
  private static let modeSize = 41

  /// Reads the modes at the end of the third header, from the end on: the parts before them take a decoder to read.
  ///
  /// The number of modes is in front of them. The zeros of a mode can look like the number of the modes behind it, so
  /// the largest number that fits is right. The granule positions of the pages show whether the modes are.
  private static func modes(_ setup: [UInt8]) -> [Bool]? {
    guard let last = setup.lastIndex(where: { $0 != 0 }) else { return nil }
    // The last bit that is set ends the header.
    let end = 8 * last + 7 - setup[last].leadingZeroBitCount
    func bits(_ range: Range<Int>) -> Int {
      range.reversed().reduce(0) { $0 << 1 | Int(setup[$1 / 8] >> UInt8($1 % 8) & 1) }
    }
    var modes: [Bool] = []
    var found: [Bool]?
    for count in 1...64 {
      let start = end - count * modeSize
      guard start >= 6, bits(start + 1..<start + 33) == 0, bits(start + 33..<start + modeSize) < 64 else { break }
      modes.insert(bits(start..<start + 1) == 1, at: 0)
      if bits(start - 6..<start) == count - 1 { found = modes }
    }
    return found
  }
}
