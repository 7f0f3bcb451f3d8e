/// A tag instead of sound in the first frame of an MP3: Xing, Info or VBRI.
struct MPEGTag: Hashable {
  /// The encoder's count of the packets behind the tag.
  var packetCount: Int?

  /// The encoder's count of the bytes in the stream, the tag's frame included.
  var byteCount: Int?

  /// The number of frames that the encoder put in front of the sound; `nil` if the tag lacks it.
  var encoderDelay: Int?

  /// The number of frames that the encoder added to fill the last packets.
  var encoderPadding: Int?

  /// The offset of the delay and the padding, three bytes in the first frame; `nil` if the tag lacks them.
  private(set) var gapOffset: Int?

  /// The delay of every layer III decoder, in frames.
  static let decoderDelay = 529

  /// Parses the tag in the first frame of a stream; `nil` if the frame holds sound.
  init?(_ bytes: [UInt8]) {
    guard let header = MPEGFrameHeader(bytes), header.layer == .layer3 else { return nil }
    let frame = bytes.prefix(header.byteCount)
    let tag = Array(frame.dropFirst(4 + header.sideByteCount))
    if tag.starts(with: "Xing".utf8) || tag.starts(with: "Info".utf8), tag.count >= 8 {
      parseXing(tag, at: frame.count - tag.count)
    } else if frame.dropFirst(36).starts(with: "VBRI".utf8) {
      packetCount = frame.number(at: 36 + 14)
    } else {
      return nil
    }
  }

  private mutating func parseXing(_ tag: [UInt8], at offset: Int) {
    let flags = tag[7]
    var place = 8
    if flags & 1 != 0 {
      packetCount = tag.number(at: place)
      place += 4
    }
    if flags & 2 != 0 {
      byteCount = tag.number(at: place)
      place += 4
    }
    // The table of contents and the quality.
    if flags & 4 != 0 { place += 100 }
    if flags & 8 != 0 { place += 4 }
    let encoder = tag.dropFirst(place)
    let gap = Array(encoder.dropFirst(21).prefix(3))
    guard gap.count == 3,
      encoder.starts(with: "LAME".utf8) || encoder.starts(with: "Lav".utf8)
        || encoder.starts(with: "L3.9".utf8)
    else { return }
    encoderDelay = Int(gap[0]) << 4 | Int(gap[1]) >> 4
    encoderPadding = Int(gap[1] & 15) << 8 | Int(gap[2])
    gapOffset = offset + place + 21
  }
}

extension MPEGTag {
  /// The largest number of frames that the padding can have.
  static let largestPadding = 0xFFF

  /// Sets the padding of a tag in the first frame of a stream, and the checksum of LAME behind it.
  ///
  /// The checksum is a CRC-16 over the frame up to itself, 13 bytes behind the padding.
  static func setPadding(_ padding: Int, in frame: inout [UInt8], at gapOffset: Int) {
    frame[gapOffset + 1] = frame[gapOffset + 1] & 0xF0 | UInt8(truncatingIfNeeded: padding >> 8 & 15)
    frame[gapOffset + 2] = UInt8(truncatingIfNeeded: padding)
    let place = gapOffset + 13
    guard place + 2 <= frame.count else { return }
    let sum = checksum(frame[..<place])
    (frame[place], frame[place + 1]) = (UInt8(sum >> 8), UInt8(truncatingIfNeeded: sum))
  }

  /// The CRC-16 of LAME's tag.
  static func checksum(_ bytes: ArraySlice<UInt8>) -> UInt16 {
    bytes.reduce(0) { sum, byte in
      (0..<8).reduce(sum ^ UInt16(byte)) { sum, _ in sum & 1 != 0 ? sum >> 1 ^ 0xA001 : sum >> 1 }
    }
  }
}
