/// A number as bytes, the lowest first.
func little(_ value: UInt64, _ byteCount: Int) -> [UInt8] {
  (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
}

/// A number as bytes, the highest first.
func big(_ value: UInt64, _ byteCount: Int) -> [UInt8] {
  little(value, byteCount).reversed()
}

/// A WAV file of 16-bit samples with a header that may lie.
func wav(
  channelCount: Int = 1,
  sampleRate: Int = 44_100,
  formatTag: Int = 1,
  bits: Int = 16,
  dataSize: Int? = nil,
  data: [UInt8]
) -> [UInt8] {
  let frameSize = channelCount * bits / 8
  let format =
    little(UInt64(formatTag), 2) + little(UInt64(channelCount), 2) + little(UInt64(sampleRate), 4)
    + little(UInt64(sampleRate * frameSize), 4) + little(UInt64(frameSize), 2) + little(UInt64(bits), 2)
  let body =
    Array("WAVEfmt ".utf8) + little(16, 4) + format + Array("data".utf8) + little(UInt64(dataSize ?? data.count), 4)
    + data
  return Array("RIFF".utf8) + little(UInt64(body.count), 4) + body
}

/// MP3 packets of silence at 128 kbit/s, mono, 44.1 kHz, 1,152 frames each; a Xing tag in front may count them.
func silentMP3(packetCount: Int, countedAs tagged: Int? = nil) -> [UInt8] {
  let packet: [UInt8] = [0xFF, 0xFB, 0x90, 0xC0] + [UInt8](repeating: 0, count: 413)
  var first = packet
  if let tagged {
    let tag = Array("Xing".utf8) + big(1, 4) + big(UInt64(tagged), 4)
    first.replaceSubrange(21..<21 + tag.count, with: tag)
  }
  return (tagged == nil ? [] : first) + (0..<packetCount).flatMap { _ in packet }
}

/// An ID3 tag with a number of bytes of content.
func id3(_ byteCount: Int) -> [UInt8] {
  let size = [21, 14, 7, 0].map { UInt8(byteCount >> $0 & 0x7F) }
  return Array("ID3".utf8) + [4, 0, 0] + size + [UInt8](repeating: 0x20, count: byteCount)
}

/// Gives every page of an Ogg file the checksum of its content; leaves other files as they are.
func repairOggChecksums(_ bytes: inout [UInt8]) {
  guard bytes.starts(with: "OggS".utf8) else { return }
  let starts = bytes.indices.filter { bytes[$0] == 0x4F && bytes[$0...].starts(with: "OggS".utf8) }
  for start in starts where start + 27 <= bytes.count {
    let segments = bytes[start...].dropFirst(27).prefix(Int(bytes[start + 26]))
    let end = min(start + 27 + segments.count + segments.reduce(0) { $0 + Int($1) }, bytes.count)
    bytes.replaceSubrange(start + 22..<start + 26, with: [0, 0, 0, 0])
    var sum: UInt32 = 0
    for byte in bytes[start..<end] {
      sum ^= UInt32(byte) << 24
      for _ in 0..<8 { sum = sum & 0x8000_0000 != 0 ? sum << 1 ^ 0x04C1_1DB7 : sum << 1 }
    }
    bytes.replaceSubrange(start + 22..<start + 26, with: little(UInt64(sum), 4))
  }
}
