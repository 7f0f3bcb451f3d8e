internal import Glibc

/// The bytes of a regular file, to be read at any place from any thread.
///
/// Owns a file descriptor. The file is checked through it, so that nothing can be put in its place between the check and
/// the reading.
final class ByteSource: Sendable {
  /// How many bytes the file held when it was opened.
  let size: Int

  private let descriptor: Int32

  /// Takes over a file descriptor, which is closed at the end.
  init(descriptor: Int32, size: Int) {
    self.descriptor = descriptor
    self.size = size
  }

  /// Opens a file, and refuses without waiting what is no regular file or holds nothing.
  convenience init(opening path: String) throws(AudioFileError) {
    // The C library would stop at the zero and open another file.
    guard !path.utf8.contains(0) else { throw .opening(path, SystemError(number: ENOENT)) }
    // O_NONBLOCK: a pipe without a writer would hold up the call for ever.
    let descriptor = unsafe open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { throw .opening(path, .last) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      let error = SystemError.last
      close(descriptor)
      throw .opening(path, error)
    }
    // From here on the descriptor is closed with the object, also where the checks below throw.
    self.init(descriptor: descriptor, size: Int(status.st_size))
    guard status.st_mode & S_IFMT == S_IFREG else {
      let kind = status.st_mode & S_IFMT == S_IFDIR ? "a folder" : "a pipe or a device"
      throw AudioFileError(
        .notAFile,
        path: path,
        message: "\(path) cannot be opened: it is \(kind). Pass the path of a sound file."
      )
    }
    guard size > 0 else {
      throw AudioFileError(
        .emptyFile,
        path: path,
        message: "\(path) cannot be opened: the file is empty, or its bytes are made as they are read, as under /proc."
          + " Copy or export it again."
      )
    }
  }

  deinit {
    close(descriptor)
  }

  /// Reads bytes at a place until the memory is full or the file ends, and returns how many came.
  func read(at offset: Int, into target: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
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

  /// Reads up to a number of bytes at a place; fewer where the file ends.
  func bytes(at offset: Int, count: Int) throws(SystemError) -> [UInt8] {
    guard offset >= 0, offset < size else { return [] }
    let wanted = min(count, size - offset)
    do {
      return unsafe try [UInt8](unsafeUninitializedCapacity: wanted) { buffer, filled in
        filled = unsafe try read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
      }
    } catch let error as SystemError {
      throw error
    } catch {
      // The initializer rethrows what the closure throws, and it throws nothing but SystemError.
      return []
    }
  }
}
