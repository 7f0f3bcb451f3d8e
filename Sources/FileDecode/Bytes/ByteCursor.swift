internal import CSpatial3DSndFile
internal import Glibc

/// A reading position in a view of a file: libsndfile uses it as the file.
///
/// Each decoder handle has its own cursor, so a second handle on the same bytes disturbs nothing.
final class ByteCursor {
  private let view: SplicedBytes

  /// The error of the system that made a read short; libsndfile treats a short read as the end.
  private(set) var failure: SystemError?

  private let hidesEnd: Bool
  private var offset = 0

  /// A cursor at the first byte; with `hidesEnd` it refuses seeks relative to the end.
  init(_ view: SplicedBytes, hidingEnd hidesEnd: Bool) {
    self.view = view
    self.hidesEnd = hidesEnd
  }

  private func seek(by distance: Int, from whence: Int32) -> Int {
    if hidesEnd, whence == SEEK_END { return -1 }
    let base =
      switch whence {
      case SEEK_CUR: offset
      case SEEK_END: view.byteCount
      default: 0
      }
    let (target, overflow) = base.addingReportingOverflow(distance)
    guard !overflow, target >= 0 else { return -1 }
    offset = target
    return target
  }

  private func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    do {
      let count = unsafe try view.read(at: offset, into: target)
      offset += count
      return count
    } catch {
      failure = error
      return 0
    }
  }

  /// The functions that libsndfile calls with a cursor as their user data.
  static var virtualIO: SF_VIRTUAL_IO {
    unsafe SF_VIRTUAL_IO(
      get_filelen: { sf_count_t(unsafe ByteCursor.from($0).view.byteCount) },
      seek: { sf_count_t(unsafe ByteCursor.from($2).seek(by: Int($0), from: $1)) },
      read: { target, count, cursor in
        let memory = unsafe UnsafeMutableRawBufferPointer(start: target, count: max(Int(count), 0))
        return sf_count_t(unsafe ByteCursor.from(cursor).read(into: memory))
      },
      write: { _, _, _ in 0 },
      tell: { sf_count_t(unsafe ByteCursor.from($0).offset) }
    )
  }

  /// The cursor as libsndfile's user data, valid during the life of the cursor.
  var userData: UnsafeMutableRawPointer {
    unsafe Unmanaged.passUnretained(self).toOpaque()
  }

  private static func from(_ userData: UnsafeMutableRawPointer?) -> ByteCursor {
    guard let userData = unsafe userData else { preconditionFailure("libsndfile lost its user data") }
    // The handle that gave the pointer to libsndfile keeps the cursor until sf_close has returned.
    return unsafe Unmanaged<ByteCursor>.fromOpaque(userData).takeUnretainedValue()
  }
}
