extension AudioFileError {
  /// The error for a file that is not created, for a reason with its remedy.
  static func notCreated(
    _ code: Code,
    _ path: String,
    _ reason: String,
    underlying: String? = nil
  ) -> AudioFileError {
    AudioFileError(code, path: path, message: "\(path) cannot be created: \(reason)", underlying: underlying)
  }

  static func unknownExtension(_ path: String) -> AudioFileError {
    let extensions = OutputContainer.extensionList
    let reason = "its extension does not say which kind of file to write. Use one of \(extensions)."
    return .notCreated(.unknownExtension, path, reason)
  }

  static func codec(_ codec: AudioCodec, _ container: OutputContainer, _ path: String) -> AudioFileError {
    let choices = container.codecs.map(\.name).joined(separator: ", ")
    let reason =
      EncoderSetup(codec) == nil ? "\(codec) is not encoded" : "\(container.name) files do not hold \(codec)"
    return .notCreated(.unsupportedEncoding, path, "\(reason). Use one of \(choices).")
  }

  static func format(
    _ format: PCMFormat,
    _ codec: AudioCodec,
    _ container: OutputContainer,
    _ path: String,
    underlying: String? = nil
  ) -> AudioFileError {
    let reason =
      "\(container.name) files with \(codec) do not hold \(format). Use another rate, fewer channels or another kind of"
      + " file."
    return .notCreated(.unsupportedFormat, path, reason, underlying: underlying)
  }

  static func quality(_ refusal: EncodingQuality.Refusal, _ codec: AudioCodec, _ path: String) -> AudioFileError {
    let reason =
      switch refusal {
      case .lossless: "\(codec) has no loss to choose and takes no quality. Leave the quality out"
      case .noBitRate: "\(codec) takes a quality and no bit rate. Use a quality from 0 to 1"
      case .variable: "the quality is not a number from 0 to 1. Use a smaller number for a smaller file"
      case .bitRate(let range):
        "\(codec) takes bit rates of \(range.lowerBound) to \(range.upperBound) bits per second here."
          + " Use one of these"
      }
    return .notCreated(.invalidQuality, path, "\(reason).")
  }

  static func mismatch(_ given: PCMFormat, _ wanted: PCMFormat, _ path: String) -> AudioFileError {
    AudioFileError(
      .formatMismatch,
      path: path,
      message: "The buffer for \(path) is \(given), and the file is \(wanted). Convert the buffer, or create the file"
        + " with the buffer's format."
    )
  }

  static func closed(_ path: String) -> AudioFileError {
    AudioFileError(
      .alreadyClosed,
      path: path,
      message: "\(path) is closed and takes no more samples. Write them before close()."
    )
  }

  static func full(_ path: String) -> AudioFileError {
    AudioFileError(
      .tooLarge,
      path: path,
      message: "\(path) cannot hold that many samples. Write a .caf or .flac file, which have no limit, or several."
    )
  }
}
