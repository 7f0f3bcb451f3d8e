import Foundation
import Stage

/// The reason that standard input or output, or a folder, could not be used, in a sentence.
struct StreamError: Error {
  let message: String

  init(_ message: String) { self.message = message.withoutControlCharacters }
}

/// Standard input in a file without a name, because decoders seek.
///
/// The system removes the file with its last descriptor, however the program ends.
final class SpooledInput {
  private let descriptor: Int32

  /// The path of the file during the life of this object.
  var path: String { "/proc/self/fd/\(descriptor)" }

  /// The form of a path.
  static var pathPattern: Regex<Substring> { /\/proc\/self\/fd\/[0-9]+/ }

  /// Copies standard input to its end; throws if it is empty.
  init() throws {
    descriptor = try namelessFile()
    try copy(
      STDIN_FILENO,
      to: descriptor,
      reading: "standard input",
      writing: "the copy of standard input in \(NSTemporaryDirectory())",
      remedy: "Set TMPDIR to a folder with more room."
    )
    guard Interruption.hasCome || lseek(descriptor, 0, SEEK_CUR) > 0 else {
      throw StreamError("Standard input is empty: pipe or redirect a sound file into the program.")
    }
  }

  deinit { close(descriptor) }
}

/// The file that a writer creates for a conversion: the output itself, or a file that is copied to standard output.
struct OutputTarget {
  let path: String
  private let isStandardOutput: Bool

  init(_ conversion: Conversion) throws {
    isStandardOutput = conversion.writesStandardOutput
    guard isStandardOutput else {
      path = conversion.output
      return
    }
    guard isatty(STDOUT_FILENO) == 0 else {
      throw StreamError("Standard output is a terminal: send it to a file or a program, or name an output file.")
    }
    path = NSTemporaryDirectory() + ".audioconvert-\(UUID().uuidString).\(conversion.kind)"
  }

  /// Copies a finished file to standard output.
  func finish() throws {
    guard isStandardOutput else { return }
    let descriptor = unsafe Glibc.open(path, O_RDONLY | O_CLOEXEC)
    unsafe unlink(path)
    guard descriptor >= 0 else { throw StreamError("The finished file could not be read: \(systemReason()).") }
    defer { close(descriptor) }
    try copy(
      descriptor,
      to: STDOUT_FILENO,
      reading: "the finished file",
      writing: "standard output",
      remedy: "Check the file or the program that takes it."
    )
  }
}

/// A descriptor of a new file that has no name any more.
private func namelessFile() throws -> Int32 {
  var name = Array((NSTemporaryDirectory() + ".audioconvert-XXXXXX").utf8CString)
  let descriptor = unsafe mkstemp(&name)
  guard descriptor >= 0 else {
    throw StreamError("No file could be created in \(NSTemporaryDirectory()): \(systemReason()). Check TMPDIR.")
  }
  unsafe unlink(name)
  return descriptor
}

/// Copies a descriptor to its end, or until a signal interrupts the program.
private func copy(_ source: Int32, to target: Int32, reading: String, writing: String, remedy: String) throws {
  // A pipe that is ready takes this much at once.
  var block = [UInt8](repeating: 0, count: Int(PIPE_BUF))
  while isReady(source, POLLIN) {
    let count = unsafe read(source, &block, block.count)
    if count == 0 { return }
    if count < 0 {
      if errno == EINTR { continue }
      throw StreamError("Reading \(reading) failed: \(systemReason()).")
    }
    var written = 0
    while written < count, isReady(target, POLLOUT) {
      let step = unsafe block[written..<count].withUnsafeBytes { unsafe write(target, $0.baseAddress, $0.count) }
      if step < 0, errno != EINTR {
        throw StreamError("Writing \(writing) failed: \(systemReason()). \(remedy)")
      }
      written += max(step, 0)
    }
  }
}

/// Waits until a descriptor can be read or written; returns false if a signal interrupts the program.
///
/// A read that waits for a pipe would not notice the signal.
private func isReady(_ descriptor: Int32, _ events: Int32) -> Bool {
  var status = pollfd(fd: descriptor, events: Int16(events), revents: 0)
  while !Interruption.hasCome {
    // The other end of a pipe may have closed, which the next read or write reports.
    if unsafe poll(&status, 1, 100) > 0 { return true }
  }
  return false
}

private func systemReason() -> String {
  // Copied at once: the text is valid until this thread calls the function again.
  unsafe String(cString: strerror(errno))
}
