/// A number as bytes, the lowest first.
func little(_ value: UInt64, _ byteCount: Int) -> [UInt8] {
  (0..<byteCount).map { UInt8(truncatingIfNeeded: value >> (8 * UInt64($0))) }
}

/// A number as bytes, the highest first.
func big(_ value: UInt64, _ byteCount: Int) -> [UInt8] {
  little(value, byteCount).reversed()
}

/// A WAV file of 16-bit samples with a header that may be wrong.
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

/// An ID3 tag with a given number of bytes of content.
func id3(_ byteCount: Int) -> [UInt8] {
  let size = [21, 14, 7, 0].map { UInt8(byteCount >> $0 & 0x7F) }
  return Array("ID3".utf8) + [4, 0, 0] + size + [UInt8](repeating: 0x20, count: byteCount)
}

/// An APE tag with a header, items of a given number of bytes, and a footer.
func ape(_ byteCount: Int) -> [UInt8] {
  let edge =
    Array("APETAGEX".utf8) + little(2_000, 4) + little(UInt64(byteCount + 32), 4) + [UInt8](repeating: 0, count: 16)
  return edge + [UInt8](repeating: 0x20, count: byteCount) + edge
}

/// A Sony Wave64 file of 16-bit samples in mono, with bytes behind the chunk of its samples.
func w64(_ samples: [UInt8], behind: [UInt8] = []) -> [UInt8] {
  func guid(_ name: String, _ tail: [UInt8]) -> [UInt8] { Array(name.utf8) + tail }
  let tail: [UInt8] = [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0x00, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
  let riffTail: [UInt8] = [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0x00, 0x00]
  let format = little(1, 2) + little(1, 2) + little(22_050, 4) + little(44_100, 4) + little(2, 2) + little(16, 2)
  let size = UInt64(24 + samples.count)
  let padding = [UInt8](repeating: 0, count: (8 - samples.count % 8) % 8)
  let body =
    guid("wave", tail) + guid("fmt ", tail) + little(40, 8) + format + guid("data", tail) + little(size, 8) + samples
    + padding + behind
  return guid("riff", riffTail) + little(UInt64(24 + body.count), 8) + body
}

/// An RF64 file of 16-bit samples in mono.
func rf64(_ samples: [UInt8]) -> [UInt8] {
  let count = UInt64(samples.count)
  let ds64 = Array("ds64".utf8) + little(28, 4) + little(72 + count, 8) + little(count, 8) + little(count / 2, 8)
  let format = little(1, 2) + little(1, 2) + little(22_050, 4) + little(44_100, 4) + little(2, 2) + little(16, 2)
  return Array("RF64".utf8) + little(0xFFFF_FFFF, 4) + Array("WAVE".utf8) + ds64 + little(0, 4) + Array("fmt ".utf8)
    + little(16, 4) + format + Array("data".utf8) + little(0xFFFF_FFFF, 4) + samples
}

/// An AU file of 16-bit samples in mono, the highest byte first.
func au(_ samples: [UInt8]) -> [UInt8] {
  Array(".snd".utf8) + big(24, 4) + big(UInt64(samples.count), 4) + big(3, 4) + big(22_050, 4) + big(1, 4) + samples
}

/// A CAF file of 16-bit samples, the highest byte first; the size of the samples may be unspecified.
func caf(channelCount: Int = 1, layout: [UInt8] = [], hasSize: Bool = true, _ samples: [UInt8]) -> [UInt8] {
  let description =
    big(Double(22_050).bitPattern, 8) + Array("lpcm".utf8) + big(0, 4) + big(UInt64(2 * channelCount), 4) + big(1, 4)
    + big(UInt64(channelCount), 4) + big(16, 4)
  let chan = layout.isEmpty ? [] : Array("chan".utf8) + big(UInt64(layout.count), 8) + layout
  let size = hasSize ? UInt64(4 + samples.count) : UInt64.max
  return Array("caff".utf8) + [0, 1, 0, 0] + Array("desc".utf8) + big(32, 8) + description + chan + Array("data".utf8)
    + big(size, 8) + big(0, 4) + samples
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
