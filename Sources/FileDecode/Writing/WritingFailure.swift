internal import Glibc

/// A reason why a file could not be written to its end.
enum WritingFailure: Error, Hashable {
  case system(SystemError)
  /// The message of libsndfile.
  case encoder(String)
  /// The file that the encoder wrote has no block for metadata, or did not return a part of itself.
  case metadata
  /// Another file got the name, and `overwriting` is false.
  case exists
}

extension AudioFileError {
  /// The error for a file that could not be created.
  static func creating(_ path: String, _ error: SystemError) -> AudioFileError {
    let (code, reason): (Code, String) =
      switch error.number {
      case ENOENT, ENOTDIR: (.fileNotFound, "its folder does not exist. Create the folder first")
      case EACCES, EPERM, EROFS: (.permissionDenied, "this user may not write in its folder. Check the permissions")
      default: (.cannotCreate, "the system refused: \(error)")
      }
    return .notCreated(code, path, "\(reason).", underlying: "\(error)")
  }

  /// The error for a file that could not be written to its end.
  static func writing(_ path: String, _ failure: WritingFailure) -> AudioFileError {
    let reason: String
    let underlying: String
    switch failure {
    case .exists: return .exists(path)
    case .system(let error):
      reason = "\(error). Check the space on the disk, and the folder that it lies in"
      underlying = "\(error)"
    case .metadata:
      reason = "it does not take the metadata. Write it without loops, markers and tags"
      underlying = "the parts of the file are not those of its kind"
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

  /// The error for a file that exists and must not be replaced.
  static func exists(_ path: String) -> AudioFileError {
    let reason = "a file has that name, and is not to be replaced. Choose another name, or remove it."
    return .notCreated(.fileExists, path, reason)
  }
}
