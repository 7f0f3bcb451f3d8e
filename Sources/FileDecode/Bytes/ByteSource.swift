internal import Glibc

/// The bytes of a sound file that is neither on the disk nor in memory, such as an entry of an archive.
///
/// A file calls its reader from one thread at a time. Two files with the same reader can call it from two threads at
/// once. The bytes must stay the same while a file reads them.
public protocol AudioByteReader: Sendable {
  /// The number of bytes.
  var byteCount: Int { get }

  /// Returns up to a number of bytes at an offset, which is within the file.
  ///
  /// A shorter result stands for the end of the file. If this method throws, the file throws an ``AudioFileError`` with
  /// the code `readFailed` and the error's description.
  func bytes(at offset: Int, count: Int) throws -> [UInt8]
}

/// The bytes of a file, for reads at any offset from any thread.
///
/// A source owns a file descriptor if the file is on the disk. It checks the file through the descriptor, so nothing
/// can replace the file between the check and the reading.
final class ByteSource: Sendable {
  /// The number of bytes in the file when it was opened.
  let size: Int

  private let storage: Storage

  /// Whether each read is a call of the system.
  let isOnDisk: Bool

  private enum Storage: Sendable {
    case descriptor(Int32)
    case memory([UInt8])
    case reader(any AudioByteReader)
  }

  private init(_ storage: Storage, size: Int) {
    self.storage = storage
    self.size = size
    isOnDisk = if case .descriptor = storage { true } else { false }
  }

  /// Takes over a file descriptor, and closes it at the end.
  convenience init(descriptor: Int32, size: Int) {
    self.init(.descriptor(descriptor), size: size)
  }

  /// Bytes in memory.
  convenience init(_ bytes: [UInt8], path: String) throws(AudioFileError) {
    guard !bytes.isEmpty else { throw .empty(path) }
    self.init(.memory(bytes), size: bytes.count)
  }

  /// Bytes from a caller's reader.
  convenience init(_ reader: any AudioByteReader, path: String) throws(AudioFileError) {
    let size = reader.byteCount
    guard size > 0 else { throw .empty(path) }
    self.init(.reader(reader), size: size)
  }

  /// Opens a file; refuses without a wait if it is no regular file or is empty.
  convenience init(opening path: String) throws(AudioFileError) {
    // The C library would stop at the zero and open another file.
    guard !path.utf8.contains(0) else { throw .opening(path, SystemError(number: ENOENT)) }
    // Without O_NONBLOCK, a pipe without a writer would block the call for ever.
    let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw .opening(path, .last) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let error = SystemError.last
      close(descriptor)
      throw .opening(path, error)
    }
    // From here on the object closes the descriptor at its end, also if the checks below throw.
    self.init(descriptor: descriptor, size: Int(status.st_size))
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw .notAFile(path, kind: status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "a pipe or a device")
    }
    guard size > 0 else {
      // Files under /proc have the size 0, and bytes.
      var byte: UInt8 = 0
      let isGenerated = unsafe pread(descriptor, &byte, 1, 0) > 0
      throw .empty(path, isGenerated: isGenerated)
    }
  }

  deinit {
    if case .descriptor(let descriptor) = storage { close(descriptor) }
  }

  /// Reads bytes at an offset until the memory is full or the file ends, and returns their number.
  ///
  /// Throws if a file on the disk ends before the size that it had when it was opened.
  func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
    guard offset >= 0 else { return 0 }
    switch storage {
    case .descriptor(let descriptor):
      let count = unsafe try ByteSource.read(descriptor, at: offset, into: target)
      // A decoder would treat an early end as the end of the file, so it is an error here.
      guard count == target.count || offset + count >= size else { throw .fileShrank }
      return count
    case .memory(let bytes):
      let count = min(target.count, max(bytes.count - offset, 0))
      if count > 0 { unsafe target.copyBytes(from: bytes[offset..<offset + count]) }
      return count
    case .reader(let reader):
      let wanted = min(target.count, max(size - offset, 0))
      guard wanted > 0 else { return 0 }
      do {
        // A reader may return more bytes than requested.
        let bytes = try reader.bytes(at: offset, count: wanted).prefix(wanted)
        unsafe target.copyBytes(from: bytes)
        return bytes.count
      } catch {
        throw SystemError(number: EIO, words: "\(error)")
      }
    }
  }

  /// Reads bytes of a file descriptor until the memory is full or the file ends, and returns their number.
  ///
  /// The system may return a part, on network file systems for example.
  static func read(
    _ descriptor: Int32,
    at offset: Int,
    into target: UnsafeMutableRawBufferPointer
  ) throws(SystemError) -> Int {
    var count = 0
    while count < target.count {
      // The slice is in bounds as count is below target.count.
      let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: target[count...])
      let step = unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(offset + count))
      if step == 0 { break }
      if step > 0 {
        count += step
      } else if errno != EINTR {
        throw .last
      }
    }
    return count
  }

  /// Reads up to a number of bytes at an offset; fewer at the end of the file.
  func bytes(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    guard offset >= 0, offset < size, count > 0 else { return [] }
    return unsafe try [UInt8](reading: min(count, size - offset)) { (memory) throws(SystemError) in
      // `read` writes at most as many bytes as the memory has.
      unsafe try read(at: offset, into: memory)
    }
  }

  /// A function for parsers that reads bytes, and throws the error for the file at a path.
  ///
  /// Parsers read a few bytes at a time. The function reads a whole page of a file on the disk, and keeps the page for
  /// the next calls. All parsers of an opening share one function, and so one page.
  func reader(path: String) -> ByteReading<AudioFileError> {
    var page = PageOfFile()
    return { (offset, count) throws(AudioFileError) in
      do throws(SystemError) {
        // The wanted bytes may be readable where their page is not: on a damaged disk, or in a file that was cut.
        if let bytes = try? page.bytes(at: offset, count: count, of: self) { return bytes }
        return try self.bytes(at: offset, count: count)
      } catch {
        throw .reading(path, error)
      }
    }
  }
}

/// A part of a file on the disk that small reads share.
private struct PageOfFile {
  private var start = 0
  private var content: [UInt8] = []

  /// The number of bytes that determine the kind of a file are one page: `FileSignature.headSize`.
  private static let size = 4_096

  /// Up to a number of bytes at an offset, fewer at the end of the file; `nil` if another read has to deliver them.
  mutating func bytes(at offset: Int, count: Int, of source: ByteSource) throws(SystemError) -> [UInt8]? {
    guard source.isOnDisk, (1...PageOfFile.size).contains(count), (0..<source.size).contains(offset) else { return nil }
    let end = min(offset + count, source.size)
    if offset < start || end > start + content.count {
      // The parsers of tags read several parts in front of the end of the file: one page has all of them.
      let first = max(min(offset, source.size - PageOfFile.size), 0)
      content = try source.bytes(at: first, count: PageOfFile.size)
      start = first
      guard end <= start + content.count else { return nil }
    }
    if end - offset == content.count { return content }
    return Array(content[offset - start..<end - start])
  }
}

extension AudioFileError {
  fileprivate static func notAFile(_ path: String, kind: String) -> AudioFileError {
    AudioFileError(
      .notAFile,
      path: path,
      message: "\(path) cannot be opened: it is \(kind). Pass the path of a sound file."
    )
  }

  fileprivate static func empty(_ path: String, isGenerated: Bool = false) -> AudioFileError {
    let reason =
      isGenerated
      ? "the system makes its bytes as they are read. Copy it to a disk, and open the copy."
      : "the file is empty. Copy or export it again."
    return AudioFileError(.emptyFile, path: path, message: "\(path) cannot be opened: \(reason)")
  }
}
