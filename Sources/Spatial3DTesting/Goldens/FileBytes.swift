internal import AudioSupport
import Glibc

extension GoldenMix {
  /// Reads the bytes of the file, up to 4 GiB: a golden mix is smaller.
  func readBytes() throws(GoldenMixError) -> [UInt8] {
    do throws(FileFailure) {
      return try readFile(path, byteLimit: 1 << 32)
    } catch {
      throw error.isMissingFile ? .notRecorded(path) : .notRead(path, error.description)
    }
  }

  /// Writes the file completely or not at all, and creates its folder.
  func writeBytes(_ bytes: [UInt8]) throws(GoldenMixError) {
    if let slash = path.lastIndex(of: "/"), slash > path.startIndex { unsafe mkdir(String(path[..<slash]), 0o777) }
    do throws(FileFailure) {
      try writeFile(path, bytes)
    } catch {
      throw .notWritten(path, error.description)
    }
  }
}

extension GoldenMixError {
  fileprivate static func notRecorded(_ path: String) -> GoldenMixError {
    GoldenMixError(
      code: .notRecorded,
      path: path,
      message: "There is no golden mix \"\(path)\" yet. Listen to the mix, and record it with `record(_:renderedBy:)`."
    )
  }

  fileprivate static func notRead(_ path: String, _ reason: String) -> GoldenMixError {
    GoldenMixError(
      code: .readFailed,
      path: path,
      message: "The golden mix \"\(path)\" could not be read: \(reason). Check that it is a file, and its permissions."
    )
  }

  fileprivate static func notWritten(_ path: String, _ reason: String) -> GoldenMixError {
    GoldenMixError(
      code: .writeFailed,
      path: path,
      message:
        "The golden mix \"\(path)\" could not be written: \(reason). Check that the folder above its own is there, and "
        + "its permissions."
    )
  }
}
