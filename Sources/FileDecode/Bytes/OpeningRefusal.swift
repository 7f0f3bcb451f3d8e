internal import AudioSupport
internal import CSpatial3DSndFile
internal import Synchronization

/// The reason why libsndfile did not open a file.
struct OpeningRefusal: Error, Hashable {
  let number: Int32
  let text: String

  /// Whether libsndfile supports the container but not its content.
  var isUnsupportedEncoding: Bool { Int(number) == SF_ERR_UNSUPPORTED_ENCODING }

  /// The message of libsndfile, for a log.
  var report: String { "libsndfile: \(text) (error \(number))" }
}

/// A lock around each opening of a file by libsndfile.
///
/// libsndfile keeps the error of a failed open in a global variable; without the lock it could be another thread's
/// error.
private let opening = Mutex(())

/// Opens a file through functions of this library, for reading or writing.
///
/// The caller must keep the file until it has closed the handle with `sf_close`.
func openSound(_ mode: Int, _ format: inout SF_INFO, _ file: VirtualFile) throws(OpeningRefusal) -> OpaquePointer {
  var functions = VirtualFile.virtualIO
  var pointer: OpaquePointer?
  var refusal = OpeningRefusal(number: 0, text: "")
  opening.withLock { _ in
    // libsndfile copies the functions and the format before it returns.
    unsafe pointer = sf_open_virtual(&functions, Int32(mode), &format, file.userData)
    if unsafe pointer == nil {
      refusal = unsafe OpeningRefusal(number: sf_error(nil), text: String(cString: sf_strerror(nil)))
    }
  }
  guard let pointer = unsafe pointer else { throw refusal }
  return unsafe pointer
}
