import ArgumentParser
import FileDecode

/// The options that apply to each conversion.
struct ConversionOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The sample rate.", valueName: "HZ"))
  var rate: Int?

  @Option(help: ArgumentHelp("The number of channels.", valueName: "N"))
  var channels: Int?

  @Option(
    help: ArgumentHelp(
      "How samples are stored: int16, int24 or float32; the default is that of the input, where the output can.",
      valueName: "TYPE"
    )
  )
  var sampleFormat: SampleFormat?

  @Option(help: ArgumentHelp("The codec: pcm, alac, flac, vorbis, opus or mp3.", valueName: "NAME"))
  var codec: Codec?

  @Option(help: ArgumentHelp("The quality of Vorbis, Opus or MP3: 0 for the smallest file to 1.", valueName: "0…1"))
  var quality: Double?

  @Option(help: ArgumentHelp("The bit rate of Opus or MP3.", valueName: "KBIT/S"))
  var bitRate: Int?

  @Flag(help: "Keep the frames that the input's codec put around the sound.")
  var noTrim = false

  @Flag(help: "Replace an output that is there already.")
  var force = false

  enum SampleFormat: String, ExpressibleByArgument, CaseIterable { case int16, int24, float32 }

  enum Codec: String, ExpressibleByArgument, CaseIterable { case pcm, alac, flac, vorbis, opus, mp3 }

  func validate() throws {
    if let channels, !(1...32).contains(channels) { throw ValidationError("--channels takes 1 to 32.") }
    if let rate, !(1_000...768_000).contains(rate) { throw ValidationError("--rate takes 1000 to 768000.") }
    if let quality, !(0...1).contains(quality) { throw ValidationError("--quality takes 0 to 1.") }
    if let bitRate, !(1...10_000).contains(bitRate) { throw ValidationError("--bit-rate takes 1 to 10000 kbit/s.") }
    if quality != nil, bitRate != nil {
      throw ValidationError("--quality and --bit-rate exclude each other: use one of them.")
    }
    if sampleFormat != nil, let codec, codec != .pcm, codec != .flac {
      throw ValidationError("--sample-format is for pcm and flac: \(codec.rawValue) has its own.")
    }
  }
}

extension ConversionOptions {
  /// The reason that a kind of file does not take the options, with the values that it takes; `nil` if it does.
  func problem(for kind: String) -> String? {
    let codecs = Self.codecs(for: kind)
    if let codec, !codecs.contains(codec) {
      return "--codec \(codec.rawValue) is not for .\(kind) files: use --codec \(Self.list(codecs.map(\.rawValue)))."
    }
    let formats = Self.sampleFormats(for: kind)
    if let sampleFormat, !formats.contains(sampleFormat) {
      guard !formats.isEmpty else { return "--sample-format is not for .\(kind) files: leave it out." }
      return "--sample-format \(sampleFormat.rawValue) is not for .\(kind) files:"
        + " use --sample-format \(Self.list(formats.map(\.rawValue)))."
    }
    if quality != nil || bitRate != nil, !["ogg", "opus", "mp3"].contains(kind) {
      let option = quality == nil ? "--bit-rate" : "--quality"
      return "\(option) is for .ogg, .opus and .mp3 files: .\(kind) files keep the sound as it is."
    }
    if bitRate != nil, kind == "ogg" { return "--bit-rate is for .opus and .mp3 files: use --quality for .ogg." }
    if let rate, let rates = Self.rates[kind], !rates.contains(rate) {
      return "--rate \(rate) is not for .\(kind) files: use --rate \(Self.list(rates.map { "\($0)" }))."
    }
    return nil
  }

  /// The reason that a kind of file does not take the bit rate for a sound, with the bit rates that it takes.
  func problem(for kind: String, _ format: PCMFormat) -> String? {
    let codec: AudioCodec? = ["opus": .opus, "mp3": .mp3][kind]
    guard let bitRate, let range = codec.flatMap({ EncodingQuality.bitRates(of: $0, in: format) }),
      !range.contains(bitRate * 1_000)
    else { return nil }
    return "--bit-rate \(bitRate) is not for \(format) in .\(kind) files:"
      + " use --bit-rate \(range.lowerBound / 1_000) to \(range.upperBound / 1_000)."
  }

  private static func codecs(for kind: String) -> [Codec] {
    switch kind {
    case "caf": [.pcm, .alac]
    case "flac": [.flac, .pcm]
    case "ogg": [.vorbis]
    case "opus": [.opus]
    case "mp3": [.mp3]
    default: [.pcm]
    }
  }

  private static func sampleFormats(for kind: String) -> [SampleFormat] {
    switch kind {
    case "wav", "aiff", "aif", "caf": SampleFormat.allCases
    case "flac": [.int16, .int24]
    default: []
    }
  }

  private static func list(_ names: [String]) -> String {
    let last = names.suffix(2).joined(separator: " or ")
    return (names.dropLast(2) + [last]).joined(separator: ", ")
  }

  /// The encoding that the options ask for.
  var encoding: OutputEncoding.Request {
    switch sampleFormat {
    case .int16: return .codec(.int16)
    case .int24: return .codec(.int24)
    case .float32: return .codec(.float32)
    case nil: break
    }
    return switch codec {
    case .alac: .codec(.alac)
    case .vorbis: .codec(.vorbis)
    case .opus: .codec(.opus)
    case .mp3: .codec(.mp3)
    case .pcm: .pcm
    case .flac, nil: .usual
    }
  }

  /// The quality that the options ask for; `nil` for the codec's own.
  var encodingQuality: EncodingQuality? {
    quality.map { .variable($0) } ?? bitRate.map { .bitRate($0 * 1_000) }
  }

  /// The sample rates of the codecs that do not take every one, by the extension of their files, in hertz.
  private static let rates = [
    "opus": [8_000, 12_000, 16_000, 24_000, 48_000],
    "mp3": [8_000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000],
  ]

  /// The rate of an output of a kind, for an input at a rate that the codec does not take: 48,000 Hz.
  ///
  /// `nil` keeps the rate of the input.
  func outputRate(for kind: String, inputRate: Int) -> Int? {
    rate ?? (Self.rates[kind]?.contains(inputRate) ?? true ? nil : 48_000)
  }
}
