internal import CSpatial3DSndFile

extension TemporaryFile {
  /// The functions that libsndfile calls with a temporary file as their user data.
  static var virtualIO: SF_VIRTUAL_IO {
    unsafe SF_VIRTUAL_IO(
      get_filelen: { sf_count_t(unsafe TemporaryFile.from($0).byteCount) },
      seek: { sf_count_t(unsafe TemporaryFile.from($2).seek(by: Int($0), from: $1)) },
      read: { target, count, file in
        let memory = unsafe UnsafeMutableRawBufferPointer(start: target, count: max(Int(count), 0))
        return sf_count_t(unsafe TemporaryFile.from(file).read(into: memory))
      },
      write: { bytes, count, file in
        let memory = unsafe UnsafeRawBufferPointer(start: bytes, count: max(Int(count), 0))
        return sf_count_t(unsafe TemporaryFile.from(file).write(memory))
      },
      tell: { sf_count_t(unsafe TemporaryFile.from($0).position) }
    )
  }

  /// The file as libsndfile's user data, valid during the life of the file.
  var userData: UnsafeMutableRawPointer {
    unsafe Unmanaged.passUnretained(self).toOpaque()
  }

  private static func from(_ userData: UnsafeMutableRawPointer?) -> TemporaryFile {
    guard let userData = unsafe userData else { preconditionFailure("libsndfile lost its user data") }
    // The encoder that gave the pointer to libsndfile keeps the file until sf_close has returned.
    return unsafe Unmanaged<TemporaryFile>.fromOpaque(userData).takeUnretainedValue()
  }
}
