extension FileSignature {
  /// The name of a codec that this library recognises but cannot decode, such as `"AAC"`.
  var undecodableCodec: String? {
    switch container {
    case .caf: cafCodec
    case .ogg: oggCodec
    case .wav, .rf64, .w64: wavCodec
    case .aiff, .flac, .mpeg, .au, .mp4, .adts: nil
    }
  }

  /// The codec in the format chunk, which is near the start of a WAV file.
  private var wavCodec: String? {
    func bytes(_ offset: Int, _ count: Int) -> [UInt8] { Array(head.dropFirst(offset).prefix(count)) }
    let isBigEndian = head.starts(with: "RIFX".utf8)
    guard let chunk = Chunk.first("fmt ", in: container, reading: bytes) else { return nil }
    var tag = bytes(chunk.offset, 2)
    // In the extended format the tag is the start of a GUID.
    if Int(bytes: tag, isBigEndian: isBigEndian) == 0xFFFE { tag = bytes(chunk.offset + 24, 2) }
    guard tag.count == 2 else { return nil }
    return WaveFormatTag.undecodableCodec(Int(bytes: tag, isBigEndian: isBigEndian))
  }

  /// The codec in the description chunk, which always comes first in a CAF file.
  private var cafCodec: String? {
    // 8 bytes of file header, 12 of chunk header, 8 of sample rate.
    guard head.count >= 32, head[8..<12].elementsEqual("desc".utf8) else { return nil }
    let format = String(decoding: head[28..<32], as: UTF8.self)
    return switch format {
    case ".mp3": "MP3 in a CAF file"
    case "ilbc": "iLBC"
    case "MAC3", "MAC6": "MACE"
    default: nil
    }
  }

  /// The codec in the first packet of an Ogg file.
  private var oggCodec: String? {
    let packet = firstPacket
    func starts(_ tag: String) -> Bool { packet.starts(with: tag.utf8) }
    if starts("\u{7F}FLAC") { return "FLAC in an Ogg file" }
    if starts("Speex   ") { return "Speex" }
    // The first byte of a Theora header is above ASCII.
    if packet.first == 0x80, packet.dropFirst().starts(with: "theora".utf8) { return "Theora video" }
    return nil
  }

  /// Whether an Ogg file holds Vorbis.
  var isVorbis: Bool { container == .ogg && firstPacket.starts(with: "\u{1}vorbis".utf8) }

  /// The start of the first packet in an Ogg file.
  private var firstPacket: ArraySlice<UInt8> {
    // A page has a header of 27 bytes; the last of them counts the bytes of the segment table behind it.
    head.count > 27 ? head.dropFirst(27 + Int(head[26])) : []
  }
}
