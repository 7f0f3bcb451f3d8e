/// Headers for packets that libsndfile can decode but cannot read from their own file.
///
/// libsndfile refuses CAF files with IMA ADPCM, with Apple Lossless of an unspecified bit depth, or with an open size.
/// It prints about packet tables that make no sense, and it does not support MPEG-4 files.
enum CAFPacking {
  /// Whether a CAF file holds IMA ADPCM.
  static func isIMA4(_ signature: FileSignature) -> Bool {
    signature.head.dropFirst(28).prefix(4).elementsEqual("ima4".utf8)
  }

  /// The new header for the packets of a CAF file; `nil` if the file does not describe its codec.
  static func header(_ structure: CAFStructure) -> [UInt8]? {
    switch structure.format {
    case "ima4": return aifc(structure)
    case "alac":
      guard let cookie = structure.losslessCookie else { return nil }
      return lossless(
        cookie,
        sampleRate: structure.sampleRate,
        sizes: structure.packetSizes,
        byteCount: structure.packetRange.count
      )
    default: return description(structure.description) + data(structure.packetRange.count)
    }
  }

  /// The new header for the packets of an MPEG-4 file with Apple Lossless.
  static func header(_ track: MPEG4Track) -> [UInt8] {
    let sizes = track.packets.map(\.count)
    return lossless(track.cookie, sampleRate: Double(track.sampleRate), sizes: sizes, byteCount: sizes.reduce(0, +))
  }

  private static func lossless(_ cookie: [UInt8], sampleRate: Double, sizes: [Int], byteCount: Int) -> [UInt8] {
    // The frames of a packet, and the bits of a sample.
    let framesPerPacket = Int(bytes: cookie[0..<4], isBigEndian: true)
    let flags = [16: 1, 20: 2, 24: 3, 32: 4][Int(cookie[5])] ?? 0
    let rate = bigEndian(Int(bitPattern: UInt(sampleRate.bitPattern)), 8)
    // After the flags come the bytes of a packet, its frames, the channels and the bits of a sample.
    let fields = [flags, 0, framesPerPacket, Int(cookie[9]), 0].flatMap { bigEndian($0, 4) }
    let head = description(rate + name("alac") + fields)
    // The numbers of packets and frames; no priming and no remainder.
    let numbers = [sizes.count, sizes.count * min(framesPerPacket, 1 << 20), 0].flatMap { bigEndian($0, 8) }
    let table = numbers + sizes.flatMap(varying)
    return head + name("kuki") + bigEndian(cookie.count, 8) + cookie + name("pakt") + bigEndian(table.count, 8) + table
      + data(byteCount)
  }

  private static func aifc(_ structure: CAFStructure) -> [UInt8]? {
    guard structure.channelCount > 0, structure.bytesPerPacket == 34 * structure.channelCount,
      let rate = extended(structure.sampleRate)
    else { return nil }
    let common =
      bigEndian(structure.channelCount, 2) + bigEndian(structure.packetCount, 4) + bigEndian(16, 2) + rate
      + name("ima4") + [0, 0]
    let size = structure.packetRange.count
    let chunks =
      name("FVER") + bigEndian(4, 4) + bigEndian(0xA280_5140, 4) + name("COMM") + bigEndian(common.count, 4) + common
    return name("FORM") + bigEndian(4 + chunks.count + 16 + size, 4) + name("AIFC") + chunks + name("SSND")
      + bigEndian(8 + size, 4) + bigEndian(0, 8)
  }

  /// The start of a CAF file, with the 32 bytes that describe its packets.
  private static func description(_ content: [UInt8]) -> [UInt8] {
    name("caff") + [0, 1, 0, 0] + name("desc") + bigEndian(content.count, 8) + content
  }

  private static func data(_ byteCount: Int) -> [UInt8] { name("data") + bigEndian(4 + byteCount, 8) + bigEndian(0, 4) }

  private static func name(_ text: String) -> [UInt8] { Array(text.utf8.prefix(4)) }

  /// A size in seven bits a byte, the highest first.
  private static func varying(_ size: Int) -> [UInt8] {
    var bytes = [UInt8(size & 0x7F)]
    var rest = size >> 7
    while rest > 0 {
      bytes.insert(UInt8(rest & 0x7F) | 0x80, at: 0)
      rest >>= 7
    }
    return bytes
  }

  /// A rate in AIFF's ten bytes; `nil` if they cannot hold it.
  private static func extended(_ rate: Double) -> [UInt8]? {
    guard rate >= 1, rate < 1e9 else { return nil }
    let exponent = Int(rate.exponent)
    let mantissa = UInt64(rate.significand * 0x1p63)
    return bigEndian(16_383 + exponent, 2) + bigEndian(Int(bitPattern: UInt(mantissa)), 8)
  }
}

extension CAFStructure {
  /// The bytes of whole packets.
  var packetRange: Range<Int> {
    if bytesPerPacket == 0 {
      return dataRange.lowerBound..<dataRange.lowerBound + packetSizes.reduce(0, +)
    }
    guard bytesPerPacket <= dataRange.count else { return dataRange.lowerBound..<dataRange.lowerBound }
    return dataRange.lowerBound..<dataRange.lowerBound + dataRange.count / bytesPerPacket * bytesPerPacket
  }
}
