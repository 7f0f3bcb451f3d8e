import Glibc

/// Writes a text as a file, completely or not at all; replaces an older file.
func writeReport(_ text: String, to path: String) throws(ReportError) {
  let bytes = Array(text.utf8)
  // Swift keeps the strings valid for the duration of each call.
  let passing = "\(path).\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp"
  guard !path.isEmpty, let file = unsafe fopen(passing, "wbxe") else {
    throw .notWritten(path, path.isEmpty ? "the path is empty" : systemError())
  }
  // The file stays open until `fclose`, and the array has `bytes.count` elements.
  var failure = unsafe fwrite(bytes, 1, bytes.count, file) == bytes.count ? nil : systemError()
  if unsafe fclose(file) != 0 { failure = failure ?? systemError() }
  if failure == nil, unsafe rename(passing, path) != 0 { failure = systemError() }
  guard let failure else { return }
  unsafe unlink(passing)
  throw .notWritten(path, failure)
}

/// Reads all bytes of a file, and removes it.
func takeFile(_ path: String) throws(ReportError) -> [UInt8] {
  defer { unsafe unlink(path) }
  guard let file = unsafe fopen(path, "rbe") else { throw .soundNotRead(path, systemError()) }
  defer { unsafe fclose(file) }
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 1 << 16)
  while true {
    // Reads up to the block's own length into it.
    let count = unsafe fread(&block, 1, block.count, file)
    if count == 0 { break }
    bytes += block[..<count]
  }
  // The file is open.
  if unsafe ferror(file) != 0 { throw .soundNotRead(path, systemError()) }
  return bytes
}

/// The path of a file with a random name in the folder for temporary files.
func temporaryPath(extension ending: String) -> String {
  // The environment's text is copied at once.
  let folder = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
  return "\(folder.isEmpty ? "/tmp" : folder)/page-\(String(UInt64.random(in: 0 ... .max), radix: 36)).\(ending)"
}

/// The message of the system's last error.
private func systemError() -> String {
  // The C library owns the text, which ends in a zero; it is copied at once.
  unsafe String(cString: strerror(errno))
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
