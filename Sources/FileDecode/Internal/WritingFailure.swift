/// Why a file could not be written to its end.
enum WritingFailure: Error, Hashable {
  case system(SystemError)
  /// libsndfile's sentence.
  case encoder(String)
  /// A file has got the name that was not to be replaced.
  case exists
}

extension AudioFileError {
  /// The sentence for a file that could not be written to its end.
  static func writing(_ path: String, _ failure: WritingFailure) -> AudioFileError {
    let reason: String
    let underlying: String
    switch failure {
    case .exists: return .exists(path)
    case .system(let error):
      reason = "\(error). Check the space on the disk, and the folder that it lies in"
      underlying = "\(error)"
    case .encoder(let text):
      reason = "the encoder refused the samples: \(text) Write another kind of file"
      underlying = "libsndfile: \(text)"
    }
    return AudioFileError(
      .writeFailed,
      path: path,
      message: "\(path) could not be written: \(reason); no file was left behind.",
      underlying: underlying
    )
  }

  /// The sentence for a file that is there and was not to be replaced.
  static func exists(_ path: String) -> AudioFileError {
    AudioFileError(
      .fileExists,
      path: path,
      message:
        "\(path) cannot be created: a file has that name, and is not to be replaced. Choose another name, or remove it."
    )
  }
}
