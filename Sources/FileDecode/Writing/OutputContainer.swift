/// The kinds of file that the writer supports.
enum OutputContainer: String, CaseIterable {
  case wav = "WAV"
  case aiff = "AIFF"
  case caf = "CAF"
  case flac = "FLAC"
  case ogg = "Ogg"
  case opus = "Opus"
  case mp3 = "MP3"

  /// The kind for the extension of a path, in any case.
  init?(path: String) {
    let name = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).last ?? path.utf8[...]
    guard let dot = name.lastIndex(of: UInt8(ascii: ".")), dot > name.startIndex else { return nil }
    let found = (Substring(name[dot...]).dropFirst()).lowercased()
    guard let container = OutputContainer.allCases.first(where: { $0.extensions.contains(found) }) else { return nil }
    self = container
  }

  /// The kind's name in a sentence.
  var name: String { rawValue }

  /// The extensions of the kind, without the dot.
  var extensions: [String] { [rawValue.lowercased()] + (self == .aiff ? ["aif"] : []) }

  /// The codecs that the writer puts into this kind of file, the default first.
  ///
  /// In a FLAC file a sample type is the depth of the codec.
  var codecs: [AudioCodec] {
    switch self {
    case .wav, .aiff: [.int16, .int24, .int32, .float32]
    case .caf: [.int16, .int24, .int32, .float32, .alac]
    case .flac: [.int16, .int24, .flac]
    case .ogg: [.vorbis]
    case .opus: [.opus]
    case .mp3: [.mp3]
    }
  }

  /// Whether the kind can hold a sample rate, in hertz.
  ///
  /// Vorbis and MP3 have a case here because their encoders refuse other rates only with the first frames.
  func holds(sampleRate: Int) -> Bool {
    switch self {
    case .wav, .aiff, .caf, .flac: FormatCheck.sampleRates.contains(sampleRate)
    case .ogg: (8_000...200_000).contains(sampleRate)
    case .opus: [8_000, 12_000, 16_000, 24_000, 48_000].contains(sampleRate)
    case .mp3: [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000].contains(sampleRate)
    }
  }

  /// The most bytes of samples in the file, for kinds that count them in 32 bits.
  ///
  /// The limit leaves four megabytes for the rest of the file.
  var byteLimit: Int? {
    switch self {
    case .wav: (1 << 32) - (1 << 22)
    // Half, because some readers treat the size as a signed number.
    case .aiff: (1 << 31) - (1 << 22)
    case .caf, .flac, .ogg, .opus, .mp3: nil
    }
  }

  /// Every supported extension, as a list for a sentence.
  static var extensionList: String {
    allCases.flatMap(\.extensions).map { "." + $0 }.joined(separator: ", ")
  }
}

extension OutputContainer {
  /// The most frames in a file.
  func frameLimit(_ setup: EncoderSetup, channelCount: Int) -> Int {
    guard let byteLimit else { return Int.max }
    let sampleSize =
      switch setup.samples {
      case .integer(let bits): bits / 8
      case .float: 4
      }
    return byteLimit / (sampleSize * channelCount)
  }
}
