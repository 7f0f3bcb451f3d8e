/// The four bytes at the start of every frame of MPEG audio.
struct MPEGFrameHeader: Hashable {
  enum Version: Int { case mpeg25, mpeg2 = 2, mpeg1 }
  enum Layer: Int { case layer3 = 1, layer2, layer1 }

  let version: Version
  let layer: Layer
  /// Kilobits per second.
  let bitRate: Int
  /// Hertz.
  let sampleRate: Int
  let isPadded: Bool
  let isMono: Bool

  /// Parses a header.
  ///
  /// The result is `nil` for other bytes, and for the free format, whose frames do not contain their length.
  init?(_ bytes: some Collection<UInt8>) {
    let word = bytes.prefix(4).reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    let rateIndex = Int(word >> 10 & 3)
    let bitRateIndex = Int(word >> 12 & 15)
    guard bytes.count >= 4, word >> 21 == 0x7FF, rateIndex < 3, (1..<15).contains(bitRateIndex),
      let version = Version(rawValue: Int(word >> 19 & 3)), let layer = Layer(rawValue: Int(word >> 17 & 3))
    else { return nil }
    self.version = version
    self.layer = layer
    bitRate = MPEGFrameHeader.bitRates(version, layer)[bitRateIndex - 1]
    let mpeg1Rate = [44_100, 48_000, 32_000][rateIndex]
    sampleRate =
      switch version {
      case .mpeg1: mpeg1Rate
      case .mpeg2: mpeg1Rate / 2
      case .mpeg25: mpeg1Rate / 4
      }
    isPadded = word >> 9 & 1 == 1
    isMono = word >> 6 & 3 == 3
  }

  /// The number of audio frames, in the sense of samples of one channel, in the MPEG frame.
  var framesPerPacket: Int {
    switch (layer, version) {
    case (.layer1, _): 384
    case (.layer2, _), (.layer3, .mpeg1): 1_152
    case (.layer3, _): 576
    }
  }

  /// The number of bytes in the frame, header included.
  var byteCount: Int {
    if layer == .layer1 {
      return (12_000 * bitRate / sampleRate + (isPadded ? 1 : 0)) * 4
    }
    return framesPerPacket / 8 * 1_000 * bitRate / sampleRate + (isPadded ? 1 : 0)
  }

  /// Whether bytes start with two consecutive frames of one stream.
  static func startsStream(_ bytes: ArraySlice<UInt8>) -> Bool {
    guard let first = MPEGFrameHeader(bytes),
      let second = MPEGFrameHeader(bytes.dropFirst(first.byteCount))
    else { return false }
    return first.isSameStream(as: second)
  }

  /// Whether two frames can be parts of one stream.
  func isSameStream(as other: MPEGFrameHeader) -> Bool {
    version == other.version && layer == other.layer && sampleRate == other.sampleRate
  }

  /// The number of bytes between the header and a tag in a frame of layer III.
  var sideByteCount: Int {
    switch (version, isMono) {
    case (.mpeg1, false): 32
    case (.mpeg1, true), (_, false): 17
    case (_, true): 9
    }
  }

  /// The index of the first two consecutive frames of one stream, for a file that was cut at its front.
  static func streamStart(in bytes: [UInt8]) -> Int? {
    bytes.indices.first { bytes[$0] == 0xFF && startsStream(bytes[$0...]) }
  }

  private static func bitRates(_ version: Version, _ layer: Layer) -> [Int] {
    switch (version, layer) {
    case (.mpeg1, .layer1): [32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
    case (.mpeg1, .layer2): [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
    case (.mpeg1, .layer3): [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    case (_, .layer1): [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
    case (_, _): [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    }
  }
}
