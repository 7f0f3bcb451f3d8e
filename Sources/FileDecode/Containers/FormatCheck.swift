/// The checks of a file before it is decoded.
enum FormatCheck {
  /// The supported sample rates, in hertz.
  static let sampleRates = 1_000...768_000

  /// The supported channel counts.
  static let channelCounts = 1...32

  /// Determines the kind of the file; throws if it cannot be decoded.
  static func signature(
    reading bytes: ByteReading<AudioFileError>,
    path: String
  ) throws(AudioFileError) -> FileSignature {
    guard let found = try FileSignature(reading: bytes) else { throw .unrecognized(path) }
    if let codec = found.undecodableCodec { throw .undecodable(path, codec: codec) }
    return found
  }

  /// Throws if a file has too many channels, or a rate outside of the supported range.
  static func check(channelCount: Int, sampleRate: Int, path: String) throws(AudioFileError) {
    guard channelCounts.contains(channelCount) else { throw .channelCount(channelCount, path) }
    guard sampleRates.contains(sampleRate) else { throw .sampleRate(sampleRate, path) }
  }
}

extension AudioFileError {
  fileprivate static func unrecognized(_ path: String) -> AudioFileError {
    AudioFileError(
      .unrecognizedFormat,
      path: path,
      message: "\(path) is no sound file that can be read: its first bytes are those of none."
        + " Pass a WAV, AIFF, CAF, FLAC, Ogg Vorbis, Opus, MP3, M4A or AU file."
    )
  }

  static func undecodable(_ path: String, codec: String) -> AudioFileError {
    AudioFileError(
      .unsupportedEncoding,
      path: path,
      message: "\(path) holds \(codec), which is not decoded. Convert it to Ogg Vorbis or FLAC."
    )
  }

  /// The error for an unsupported encoding in a known container.
  static func undecodable(
    _ path: String,
    codec: String,
    in container: Container,
    underlying: String? = nil
  ) -> AudioFileError {
    AudioFileError(
      .unsupportedEncoding,
      path: path,
      message: "\(path) is \(container.name) with \(codec) that is not decoded. Convert it to Ogg Vorbis or FLAC.",
      underlying: underlying
    )
  }

  static func damaged(_ path: String, _ container: Container, underlying: String) -> AudioFileError {
    AudioFileError(
      .damagedFile,
      path: path,
      message:
        "\(path) starts like \(container.name), but it is damaged or incomplete, or of a rare kind that cannot be read."
        + " Copy or export the file again.",
      underlying: underlying
    )
  }

  fileprivate static func channelCount(_ count: Int, _ path: String) -> AudioFileError {
    AudioFileError(
      .unsupportedFormat,
      path: path,
      message: "\(path) has \(count) channels. Files with \(FormatCheck.channelCounts.lowerBound) to"
        + " \(FormatCheck.channelCounts.upperBound) channels can be read: split or mix it down."
    )
  }

  fileprivate static func sampleRate(_ rate: Int, _ path: String) -> AudioFileError {
    AudioFileError(
      .unsupportedFormat,
      path: path,
      message: "\(path) has a sample rate of \(rate) Hz. Files of \(FormatCheck.sampleRates.lowerBound) to"
        + " \(FormatCheck.sampleRates.upperBound) Hz can be read: resample it."
    )
  }
}
