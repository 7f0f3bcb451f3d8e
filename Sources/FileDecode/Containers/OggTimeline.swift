/// The count of the frames in the packets of an Ogg stream.
enum OggTimeline: Sendable {
  case vorbis(VorbisModes)

  /// Opus with a number of frames at 48 kHz before the sound, decoded at a rate of 48 kHz divided by a number.
  case opus(preSkip: Int, divisor: Int)

  /// A position between two packets.
  struct Position: Hashable, Sendable {
    /// The number of frames that all packets before the position decode to, at 48 kHz for Opus.
    var frame = 0

    /// The number of frames that bring decoders with different pasts closer to each other.
    ///
    /// Silence of Opus does not count: in measurements decoders stayed apart behind it.
    var progress = 0

    /// The block size of the last packet of Vorbis.
    fileprivate var blockSize: Int?
  }

  /// Moves a position behind a packet; returns `false` if the decoder may refuse the packet, or cannot start behind it.
  func advance(_ position: inout Position, by packet: ArraySlice<UInt8>) -> Bool {
    switch self {
    case .vorbis(let modes):
      guard let blockSize = modes.blockSize(packet) else { return false }
      // The first block only overlaps with the second.
      position.frame += position.blockSize.map { ($0 + blockSize) / 4 } ?? 0
      position.progress = position.frame
      position.blockSize = blockSize
    case .opus:
      guard let packet = OpusPacket(packet), packet.isForgetful else { return false }
      position.frame += packet.frameCount
      position.progress += packet.hasSilence ? 0 : packet.frameCount
    }
    return true
  }

  /// The position at which the frames begin if decoding starts at a packet, from the positions around the packet.
  func start(at position: Position, before next: Position) -> Position {
    switch self {
    case .vorbis: next
    case .opus: position
    }
  }

  /// The progress that a decoder needs from its first frame to frames that are right.
  ///
  /// A packet of Vorbis overlaps with the packet before it, and takes nothing else from the past. The loudness of each
  /// band of Opus is a difference to the loudness in the packet before: an error halves with every packet of 20 ms, and
  /// falls below the precision of a float. In 450 encodings of tones, noise, speech and drums all samples were equal to
  /// the bit after at most 720 ms. Behind a steady tone the last bit can stay another.
  var preRoll: Int {
    switch self {
    case .vorbis: 0
    case .opus: 48_000
    }
  }

  /// Whether frames depend on packets of any distance in front of them, so that the index has to know all packets.
  var needsAllPages: Bool {
    if case .opus = self { true } else { false }
  }

  /// The decoded frame at a position; negative before the sound of Opus.
  func decodedFrame(at position: Position) -> Int {
    switch self {
    case .vorbis: position.frame
    case .opus(let preSkip, let divisor): position.frame / divisor - preSkip / divisor
    }
  }

  /// Whether the granule position of a page fits to the position behind its packets, as on the first page.
  func fits(granule: Int, at position: Position, origin: inout Int?) -> Bool {
    guard granule >= 0 else { return false }
    let difference = granule - position.frame
    if let origin { return difference == origin }
    origin = difference
    switch self {
    case .vorbis: return difference >= 0
    // The decoder drops frames before the sound by their granule positions, so another origin changes their number.
    case .opus: return difference == 0
    }
  }
}
