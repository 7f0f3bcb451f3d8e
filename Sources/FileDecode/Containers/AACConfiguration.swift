/// The setup of an AAC decoder: MPEG-4's AudioSpecificConfig.
struct AACConfiguration: Hashable, Sendable {
  let bytes: [UInt8]

  /// Hertz; `nil` if the rate is elsewhere in the file.
  private(set) var sampleRate: Int?
  private(set) var channelCount: Int?

  /// The number of frames in a packet of the core codec; `nil` if the configuration has a longer form.
  private(set) var framesPerPacket: Int?

  static let sampleRates = [
    96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8_000, 7_350,
  ]

  init?(bytes: [UInt8]) {
    guard bytes.count >= 2 else { return nil }
    self.bytes = bytes
    // Five bits of object type, four of rate, four of channels; the decoder parses longer forms.
    let word = Int(bytes[0]) << 8 | Int(bytes[1])
    let rate = word >> 7 & 15
    sampleRate = rate < AACConfiguration.sampleRates.count ? AACConfiguration.sampleRates[rate] : nil
    channelCount = AACConfiguration.channelCount(word >> 3 & 15)
    framesPerPacket = AACConfiguration.framesPerPacket(objectType: word >> 11, rate: rate, isShort: word & 4 != 0)
  }

  /// Finds the configuration among MPEG-4's descriptors, the content of `esds` boxes and of CAF's cookies.
  init?(descriptors: ArraySlice<UInt8>) {
    var rest = descriptors
    for _ in 0..<8 {
      guard let tag = rest.first else { return nil }
      rest = rest.dropFirst()
      var size = 0
      var byteCount = 0
      while let byte = rest.first, byteCount < 4 {
        rest = rest.dropFirst()
        size = size << 7 | Int(byte & 0x7F)
        byteCount += 1
        if byte & 0x80 == 0 { break }
      }
      switch tag {
      // The stream descriptor, whose flags announce optional fields, and the decoder descriptor: both hold descriptors.
      case 3:
        guard let flags = rest.dropFirst(2).first else { return nil }
        rest = rest.dropFirst(3 + (flags & 0x80 != 0 ? 2 : 0) + (flags & 0x20 != 0 ? 2 : 0))
      case 4: rest = rest.dropFirst(13)
      case 5:
        self.init(bytes: Array(rest.prefix(size)))
        return
      default: rest = rest.dropFirst(size)
      }
    }
    return nil
  }

  private static func framesPerPacket(objectType: Int, rate: Int, isShort: Bool) -> Int? {
    // An explicit rate moves all later fields.
    guard rate != 15 else { return nil }
    switch objectType {
    // Main, low complexity, scalable rate and long-term prediction; and low delay.
    case 1...4: return isShort ? 960 : 1_024
    case 23: return isShort ? 480 : 512
    default: return nil
    }
  }

  /// The number of channels for a code of four bits; `nil` if the count is elsewhere.
  static func channelCount(_ code: Int) -> Int? {
    switch code {
    case 1...6: code
    case 7: 8
    default: nil
    }
  }
}
