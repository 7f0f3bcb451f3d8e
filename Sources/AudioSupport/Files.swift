internal import Glibc

/// The reason of the system for a file that was not read or written.
package struct FileFailure: Error, CustomStringConvertible {
  /// The number of the system's error.
  private let number: Int32

  fileprivate static var last: FileFailure { FileFailure(number: errno) }

  /// Whether there is no such file.
  package var isMissingFile: Bool { number == ENOENT }

  /// The message of the system.
  package var description: String {
    // The C library owns the text, which ends in a zero; it is copied at once.
    unsafe String(cString: strerror(number))
  }
}

/// Reads all bytes of a file, up to about a limit; memory grows as they arrive.
package func readFile(_ path: String, byteLimit: Int = .max) throws(FileFailure) -> [UInt8] {
  guard let file = unsafe fopen(path, "rbe") else { throw .last }
  defer { unsafe fclose(file) }
  var bytes: [UInt8] = []
  var block = [UInt8](repeating: 0, count: 1 << 20)
  while bytes.count < byteLimit {
    // Reads up to the block's own length into it.
    let count = unsafe fread(&block, 1, block.count, file)
    if count == 0 { break }
    bytes += block[..<count]
  }
  // The file is open.
  if unsafe ferror(file) != 0 { throw .last }
  return bytes
}

/// Writes a file completely or not at all; replaces an older file.
package func writeFile(_ path: String, _ bytes: [UInt8]) throws(FileFailure) {
  // Swift keeps the strings valid for the duration of each call.
  let passing = "\(path).\(String(UInt64.random(in: 0 ... .max), radix: 36)).tmp"
  guard let file = unsafe fopen(passing, "wbxe") else { throw .last }
  // The file stays open until `fclose`, and the array has `bytes.count` elements.
  var failure = unsafe fwrite(bytes, 1, bytes.count, file) == bytes.count ? nil : FileFailure.last
  if unsafe fclose(file) != 0 { failure = failure ?? .last }
  if failure == nil, unsafe rename(passing, path) != 0 { failure = .last }
  guard let failure else { return }
  unsafe unlink(passing)
  throw failure
}
