/// The frames of a packet of Opus, by RFC 6716, section 3.
///
/// Opus calls a compressed part of a packet a frame. Here it is a block.
struct OpusPacket: Hashable, Sendable {
  /// The number of frames at 48 kHz.
  let frameCount: Int

  /// Whether the packet has the full-band code alone, and no block that a decoder replaces by invented sound.
  ///
  /// The state of the other codes, and of the invented sound, depends on all packets before.
  let isForgetful: Bool

  /// Whether a block holds silence, behind which decoders with different pasts stay apart.
  let hasSilence: Bool

  /// Parses a packet; `nil` for a packet that the decoder refuses.
  init?(_ packet: ArraySlice<UInt8>) {
    guard let first = packet.first else { return nil }
    frameCount = OggScan.opusFrames(packet)
    guard (1...OpusPacket.maximumFrames).contains(frameCount), let sizes = OpusPacket.blockSizes(packet) else {
      return nil
    }
    isForgetful = first >> 3 >= 16 && sizes.counts.allSatisfy { $0 > 1 }
    var start = packet.startIndex + sizes.start
    var hasSilence = false
    for count in sizes.counts {
      // A block of silence begins with fifteen set bits.
      if count > 1, packet[start] == 0xFF, packet[start + 1] >= 0xFE { hasSilence = true }
      start += count
    }
    self.hasSilence = hasSilence
  }

  /// The largest number of frames, 120 ms.
  private static let maximumFrames = 5_760

  /// The largest number of bytes in a block.
  private static let maximumSize = 1_275

  /// The offset of the first block, and the number of bytes in each; `nil` for a packet that the decoder refuses.
  private static func blockSizes(_ packet: ArraySlice<UInt8>) -> (start: Int, counts: [Int])? {
    var rest = packet.dropFirst()
    var counts: [Int] = []
    var padding = 0
    switch packet[packet.startIndex] & 3 {
    case 0: counts = [rest.count]
    case 1:
      guard rest.count.isMultiple(of: 2) else { return nil }
      counts = [rest.count / 2, rest.count / 2]
    case 2:
      guard let size = size(from: &rest), size <= rest.count else { return nil }
      counts = [size, rest.count - size]
    default:
      guard let description = rest.popFirst(), description & 0x3F > 0 else { return nil }
      if description & 0x40 != 0 {
        var part: UInt8
        repeat {
          guard let next = rest.popFirst() else { return nil }
          part = next
          padding += part == 255 ? 254 : Int(part)
        } while part == 255
      }
      let count = Int(description & 0x3F)
      if description & 0x80 != 0 {
        for _ in 1..<count {
          guard let size = size(from: &rest) else { return nil }
          counts.append(size)
        }
        counts.append(rest.count - padding - counts.reduce(0, +))
      } else {
        guard rest.count >= padding, (rest.count - padding).isMultiple(of: count) else { return nil }
        counts = [Int](repeating: (rest.count - padding) / count, count: count)
      }
    }
    guard counts.allSatisfy((0...maximumSize).contains) else { return nil }
    return (rest.startIndex - packet.startIndex, counts)
  }

  /// The size of a block in one or two bytes.
  private static func size(from bytes: inout ArraySlice<UInt8>) -> Int? {
    guard let first = bytes.popFirst() else { return nil }
    guard first >= 252 else { return Int(first) }
    guard let second = bytes.popFirst() else { return nil }
    return Int(first) + 4 * Int(second)
  }
}
