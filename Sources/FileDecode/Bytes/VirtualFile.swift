internal import CSpatial3DSndFile
internal import Glibc

/// A file that libsndfile reads or writes through functions of this library.
///
/// A subclass reads or writes at `offset` and moves it.
class VirtualFile {
  /// The position of the next byte.
  final var offset = 0

  var byteCount: Int { 0 }

  /// Reads bytes and returns their number.
  func read(into target: UnsafeMutableRawBufferPointer) -> Int { 0 }

  /// Writes bytes and returns the number that the system accepted.
  func write(_ bytes: UnsafeRawBufferPointer) -> Int { 0 }

  /// Seeks to a byte and returns its offset; -1 if the offset is invalid.
  func seek(by distance: Int, from whence: Int32) -> Int {
    let base =
      switch whence {
      case SEEK_CUR: offset
      case SEEK_END: byteCount
      default: 0
      }
    let (target, overflow) = base.addingReportingOverflow(distance)
    guard !overflow, target >= 0 else { return -1 }
    offset = target
    return target
  }
}

extension VirtualFile {
  /// The functions that libsndfile calls with a file as their user data.
  static var virtualIO: SF_VIRTUAL_IO {
    unsafe SF_VIRTUAL_IO(
      get_filelen: { sf_count_t(unsafe VirtualFile.from($0).byteCount) },
      seek: { sf_count_t(unsafe VirtualFile.from($2).seek(by: Int($0), from: $1)) },
      read: { target, count, file in
        let memory = unsafe UnsafeMutableRawBufferPointer(start: target, count: max(Int(count), 0))
        return sf_count_t(unsafe VirtualFile.from(file).read(into: memory))
      },
      write: { bytes, count, file in
        let memory = unsafe UnsafeRawBufferPointer(start: bytes, count: max(Int(count), 0))
        return sf_count_t(unsafe VirtualFile.from(file).write(memory))
      },
      tell: { sf_count_t(unsafe VirtualFile.from($0).offset) }
    )
  }

  /// The file as libsndfile's user data, valid during the life of the file.
  var userData: UnsafeMutableRawPointer {
    unsafe Unmanaged.passUnretained(self).toOpaque()
  }

  private static func from(_ userData: UnsafeMutableRawPointer?) -> VirtualFile {
    guard let userData = unsafe userData else { preconditionFailure("libsndfile lost its user data") }
    // The handle or encoder that gave the pointer to libsndfile keeps the file until sf_close has returned.
    return unsafe Unmanaged<VirtualFile>.fromOpaque(userData).takeUnretainedValue()
  }
}
