/// Why a file could not be written to its end.
enum WritingFailure: Error, Hashable {
  case system(SystemError)
  /// libsndfile's sentence.
  case encoder(String)
}

extension AudioFileError {
  /// The sentence for a file that could not be written to its end.
  static func writing(_ path: String, _ failure: WritingFailure) -> AudioFileError {
    let reason =
      switch failure {
      case .system(let error): "\(error). Check the space on the disk, and the folder that it lies in"
      case .encoder(let text): "the encoder refused the samples: \(text) Write another kind of file"
      }
    let underlying =
      switch failure {
      case .system(let error): "\(error)"
      case .encoder(let text): "libsndfile: \(text)"
      }
    return AudioFileError(
      .writeFailed,
      path: path,
      message: "\(path) could not be written: \(reason); no file was left behind.",
      underlying: underlying
    )
  }
}
