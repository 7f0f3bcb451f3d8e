import Glibc

/// Reads all bytes of a file.
///
/// Memory grows as they arrive. Reading stops at 4 GiB, since a golden mix is smaller.
func readFile(_ path: String) throws(GoldenMixError) -> [UInt8] {
  guard let file = unsafe fopen(path, "rb") else {
    throw errno == ENOENT ? .notRecorded(path) : .notRead(path, systemError())
  }
  defer { unsafe fclose(file) }
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 1 << 20)
  while bytes.count < 1 << 32 {
    // Reads up to the block's own length into it.
    let count = unsafe fread(&block, 1, block.count, file)
    if count == 0 { break }
    bytes += block[..<count]
  }
  // The file is open.
  if unsafe ferror(file) != 0 { throw .notRead(path, systemError()) }
  return bytes
}

/// Writes a file completely or not at all, and creates its folder.
func writeFile(_ path: String, _ bytes: [UInt8]) throws(GoldenMixError) {
  // Swift keeps the strings alive at one address for the duration of each call.
  if let slash = path.lastIndex(of: "/"), slash > path.startIndex { unsafe mkdir(String(path[..<slash]), 0o777) }
  let passing = "\(path).\(UInt64.random(in: 0 ... .max)).part"
  guard let file = unsafe fopen(passing, "wb") else { throw .notWritten(path, systemError()) }
  // The file stays open until `fclose`, and the array has `bytes.count` elements.
  var failure = unsafe fwrite(bytes, 1, bytes.count, file) == bytes.count ? nil : systemError()
  if unsafe fclose(file) != 0 { failure = failure ?? systemError() }
  if failure == nil, unsafe rename(passing, path) != 0 { failure = systemError() }
  guard let failure else { return }
  unsafe unlink(passing)
  throw .notWritten(path, failure)
}

/// The message of the system's last error.
private func systemError() -> String {
  // The C library owns the text, which ends in a zero; it is copied at once.
  unsafe String(cString: strerror(errno))
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
