/// The sizes of the packets of one MPEG audio stream, by the bits of their headers.
///
/// A walk through a stream reads thousands of headers. They share all bits that matter except the bit rate and the
/// padding.
struct MPEGPacketSizes {
  private let shared: UInt32

  /// The number of bytes for each bit rate without and with padding; 0 until a header has the two.
  private var byteCounts = InlineArray<32, Int>(repeating: 0)

  /// The bits of the sync, the version, the layer and the sample rate.
  private static let mask: UInt32 = 0xFFFE_0C00

  /// The sizes in the stream of a header, which is valid.
  init(_ word: UInt32) {
    shared = word & MPEGPacketSizes.mask
  }

  /// The number of bytes in the packet of a header; `nil` for other bytes, and for a packet of another stream.
  mutating func byteCount(_ word: UInt32) -> Int? {
    guard word & MPEGPacketSizes.mask == shared else { return nil }
    let index = Int(word >> 12 & 15) << 1 | Int(word >> 9 & 1)
    if byteCounts[index] == 0 {
      guard let header = MPEGFrameHeader(bigEndian(Int(word), 4)) else { return nil }
      byteCounts[index] = header.byteCount
    }
    return byteCounts[index]
  }
}
