internal import AudioSupport
import Glibc

/// Writes a text as a file, completely or not at all; replaces an older file.
func writeReport(_ text: String, to path: String) throws(ReportError) {
  guard !path.isEmpty else { throw .notWritten(path, "the path is empty") }
  do throws(FileFailure) {
    try writeFile(path, Array(text.utf8))
  } catch {
    throw .notWritten(path, error.description)
  }
}

/// Reads all bytes of a file, and removes it.
func takeFile(_ path: String) throws(ReportError) -> [UInt8] {
  defer { unsafe unlink(path) }
  do throws(FileFailure) {
    return try readFile(path)
  } catch {
    throw .soundNotRead(path, error.description)
  }
}

/// The path of a file with a random name in the folder for temporary files.
func temporaryPath(extension ending: String) -> String {
  // The environment's text is copied at once.
  let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
  return "\(folder.isEmpty ? "/tmp" : folder)/page-\(String(UInt64.random(in: 0 ... .max), radix: 36)).\(ending)"
}

extension ReportError {
  fileprivate static func notWritten(_ path: String, _ reason: String) -> ReportError {
    ReportError(
      code: .writeFailed,
      message: "\(path.debugDescription) could not be written: \(reason). Check the path, and the space on the disk."
    )
  }

  fileprivate static func soundNotRead(_ path: String, _ reason: String) -> ReportError {
    ReportError(
      code: .soundFailed,
      message: "The compressed sound \(path) could not be read again: \(reason). Check the temporary folder."
    )
  }
}
