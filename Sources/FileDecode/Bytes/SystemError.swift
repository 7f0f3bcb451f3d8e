internal import Glibc

/// An error number of the system, or the description of an error from a caller's reader.
struct SystemError: Error, Hashable {
  let number: Int32

  /// The description of a reader's error; `nil` for an error of the system.
  var words: String?

  /// A file that became shorter after it was opened.
  static let fileShrank = SystemError(number: ENODATA, words: "the file became shorter after it was opened")

  /// The error of the last system call of this thread.
  static var last: SystemError { SystemError(number: errno) }
}

extension SystemError: CustomStringConvertible {
  var description: String {
    if let words { return words }
    // The POSIX function ends the text with a zero within the buffer when it succeeds.
    let text = unsafe withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { buffer in
      guard let start = buffer.baseAddress, unsafe strerror_r(number, start, buffer.count) == 0 else { return "error" }
      return unsafe String(cString: start)
    }
    return "\(text) (errno \(number))"
  }
}

extension AudioFileError {
  /// The error for a file that could not be opened.
  static func opening(_ path: String, _ error: SystemError) -> AudioFileError {
    guard !path.isEmpty else {
      let message = "No file can be opened: the path is empty. Pass the path of a sound file."
      return AudioFileError(.fileNotFound, path: path, message: message, underlying: "\(error)")
    }
    let (code, reason): (Code, String) =
      switch error.number {
      case ENOENT, ENOTDIR:
        (.fileNotFound, "there is no such file. \(MissingFile.advice(for: path))")
      case EACCES, EPERM:
        (.permissionDenied, "this user may not read it. Check the permissions of the file and of its folders")
      case ENXIO, ENODEV:
        (.notAFile, "it is no regular file. Pass the path of a sound file")
      case ELOOP:
        (.cannotOpen, "its symbolic links lead in a circle. Pass the path of the file itself")
      case EMFILE, ENFILE:
        (.cannotOpen, "too many files are open. Drop files that are no longer read")
      case ENAMETOOLONG:
        (.cannotOpen, "the path is longer than the system allows. Shorten it")
      default:
        (.cannotOpen, "the system refused: \(error)")
      }
    return AudioFileError(code, path: path, message: "\(path) cannot be opened: \(reason).", underlying: "\(error)")
  }

  /// The error for a file whose bytes the system did not deliver.
  static func reading(_ path: String, _ error: SystemError) -> AudioFileError {
    if error == .fileShrank {
      return AudioFileError(
        .fileChanged,
        path: path,
        message: "\(path) became shorter while it was read. Open it again, and replace a file that is in use by"
          + " renaming a new one over it.",
        underlying: "\(error)"
      )
    }
    return AudioFileError(
      .readFailed,
      path: path,
      message: "\(path) could not be read: \(error). Check the disk or the network that it lies on.",
      underlying: "\(error)"
    )
  }
}
