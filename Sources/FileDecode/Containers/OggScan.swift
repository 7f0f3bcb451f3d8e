/// The pages of an Ogg file, walked for two facts that its header lacks: the number of packets and their end.
struct OggScan: Hashable, Sendable {
  /// The number of packets with sound.
  private(set) var packetCount = 0

  /// The number of frames at 48 kHz before the sound; only in Opus.
  private(set) var preSkip: Int?

  /// The number of frames at 48 kHz in all packets; only in Opus.
  private(set) var totalFrames = 0

  /// The number of frames at 48 kHz in each packet; `nil` if packets differ, and without packets of Opus.
  private(set) var packetFrames: Int?

  /// The last position in a page header.
  private(set) var lastGranule: Int?

  /// Walks the first stream of a file from an offset with a function that reads bytes, fewer at the end of the file.
  init<Failure>(from offset: Int, reading bytes: ByteReading<Failure>) throws(Failure) {
    var place = offset
    var serial: ArraySlice<UInt8>?
    var headerCount = 0
    var startsPacket = true
    var window = ReadingWindow()
    while let page = try OggPage(at: place, &window, bytes) {
      place += page.byteCount
      let segments = page.segments
      if serial == nil {
        serial = page.serial
        let packet = page.bytes.dropFirst(27 + segments.count)
        headerCount = packet.starts(with: "OpusHead".utf8) ? 2 : 3
        if headerCount == 2 { preSkip = packet.number(at: 10, byteCount: 2, isBigEndian: false) }
      }
      guard page.serial == serial else { continue }
      for segment in segments {
        if startsPacket {
          if headerCount <= 0 {
            packetCount += 1
            if preSkip != nil {
              let frames = OggScan.opusFrames(segment)
              packetFrames = packetCount == 1 || frames == packetFrames ? frames : nil
              totalFrames += frames
            }
          }
          headerCount -= 1
        }
        startsPacket = segment.count < 255
      }
      if page.granule >= 0, headerCount <= 0 { lastGranule = page.granule }
      if page.endsStream { return }
    }
  }

  /// The number of frames at 48 kHz in a packet of Opus.
  static func opusFrames(_ packet: ArraySlice<UInt8>) -> Int {
    guard let first = packet.first else { return 0 }
    let code = Int(first >> 3)
    let size =
      switch code {
      case 0..<12: [480, 960, 1_920, 2_880][code & 3]
      case 12..<16: [480, 960][code & 1]
      default: [120, 240, 480, 960][code & 3]
      }
    switch first & 3 {
    case 0: return size
    case 1, 2: return 2 * size
    default: return size * Int((packet.dropFirst().first ?? 0) & 0x3F)
    }
  }
}

extension OggScan {
  /// The packet table of Vorbis, whose decoder returns nothing but the sound, or of Opus at a rate.
  func table(decoded: Int?, sampleRate: Int) -> PacketTable {
    guard let preSkip else {
      let frames = decoded ?? lastGranule
      return PacketTable(packetCount: packetCount, framesPerPacket: nil, decoded: frames, source: .granule)
    }
    let total = totalFrames * sampleRate / 48_000
    let priming = preSkip * sampleRate / 48_000
    // A position beyond the frames of the packets is invalid.
    let valid = decoded ?? lastGranule.map { min(max($0 - preSkip, 0), totalFrames) * sampleRate / 48_000 }
    return PacketTable(
      packetCount: packetCount,
      framesPerPacket: packetFrames.map { $0 * sampleRate / 48_000 },
      primingFrames: priming,
      validFrames: valid,
      remainderFrames: valid.map { max(total - priming - $0, 0) },
      totalFrames: total,
      source: .opusHead
    )
  }
}
