extension ChannelLayout {
  /// The layout in a file's header, read with a function that reads bytes at an offset.
  ///
  /// The result is the usual layout of the channel count if the header has none. The layout of WAV, RF64 and Wave64 is
  /// in their `WaveFormat`.
  init<Failure>(channelCount: Int, in container: Container, reading bytes: ByteReading<Failure>) throws(Failure) {
    self = .usual(channelCount: channelCount)
    switch container {
    case .aiff, .caf:
      guard let chunk = try Chunk.first(container == .aiff ? "CHAN" : "chan", in: container, reading: bytes) else {
        return
      }
      // The longest channel list of any layout here has eight entries.
      self.init(channelCount: channelCount, coreAudioLayout: try bytes(chunk.offset, 12 + 8 * 20))
    case .wav, .rf64, .w64, .flac, .ogg, .mpeg, .au, .mp4, .adts: break
    }
  }

  /// The layout for WAVE's channel bits in a file's header; the usual one for 0, which means no bits.
  ///
  /// The result has discrete channels if the bits match no layout here. In quad and 5.1, a pair beside the listener and
  /// a pair behind the listener count as the same.
  init(channelCount: Int, mask: Int) {
    let usual = ChannelLayout.usual(channelCount: channelCount)
    let masks: [Int]? =
      switch usual {
      case .quad: [0x33, 0x603]
      case .surround51: [0x3F, 0x60F]
      case .surround61: [0x70F]
      case .surround71: [0x63F]
      default: nil
      }
    guard let masks, mask != 0 else {
      self = usual
      return
    }
    self = masks.contains(mask) ? usual : .discrete(channelCount)
  }

  /// The layout for the content of Core Audio's layout chunk, which CAF and AIFF files may have.
  init(channelCount: Int, coreAudioLayout content: [UInt8]) {
    func number(_ offset: Int) -> Int { Int(bytes: content.dropFirst(offset).prefix(4), isBigEndian: true) }
    let mask: Int? =
      switch number(0) >> 16 {
      // A list of channels, 20 bytes each with a number in front, or bits.
      case 0: ChannelLayout.mask(labels: (0..<min(number(8), channelCount)).map { number(12 + 20 * $0) })
      case 1: number(4)
      // Quadraphonic, ITU_2_2 and WAVE_4_0_B.
      case 108, 132, 185: 0x33
      // MPEG_5_1_A and WAVE_5_1_B, WAVE_6_1 and WAVE_7_1.
      case 121, 187: 0x3F
      case 188: 0x70F
      case 189: 0x63F
      default: nil
      }
    if let mask {
      self.init(channelCount: channelCount, mask: mask)
    } else {
      self = channelCount > 2 ? .discrete(channelCount) : .usual(channelCount: channelCount)
    }
  }

  /// WAVE's bits for a list of channel labels in ascending order, which count from 1; `nil` for any other list.
  private static func mask(labels: [Int]) -> Int? {
    guard labels.allSatisfy((1...18).contains), zip(labels, labels.dropFirst()).allSatisfy(<) else { return nil }
    return labels.reduce(0) { $0 | 1 << ($1 - 1) }
  }
}
