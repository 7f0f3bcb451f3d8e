internal import Glibc

/// The functions of libmpg123, libsndfile's decoder of MPEG audio.
///
/// `MPEGDecoder` calls libmpg123 directly if it is installed, because libsndfile lets libmpg123 print about damaged
/// files to the standard error and guesses the number of frames. The library is loaded at run time, so a build does not
/// need its headers.
@safe struct MPEGLibrary: Sendable {
  typealias Handle = OpaquePointer

  let create: @convention(c) (UnsafePointer<CChar>?, UnsafeMutablePointer<Int32>?) -> Handle?
  let delete: @convention(c) (Handle?) -> Void
  let set: @convention(c) (Handle?, Int32, Int, Double) -> Int32
  let clearFormats: @convention(c) (Handle?) -> Int32
  let allowFormat: @convention(c) (Handle?, Int, Int32, Int32) -> Int32
  let openFeed: @convention(c) (Handle?) -> Int32
  let feed: @convention(c) (Handle?, UnsafePointer<UInt8>?, Int) -> Int32
  let read: @convention(c) (Handle?, UnsafeMutableRawPointer?, Int, UnsafeMutablePointer<Int>?) -> Int32

  /// The library of this process; `nil` without the library, and then libsndfile decodes instead.
  static var loaded: MPEGLibrary? { isHidden ? nil : found }

  /// Tests set this to run without the library.
  @TaskLocal static var isHidden = false

  private static let found = try? MPEGLibrary()

  /// The library or one of its functions is missing.
  private struct Missing: Error {}

  private init() throws(Missing) {
    // The library stays loaded for good, because libsndfile needs it too.
    guard let library = unsafe dlopen("libmpg123.so.0", RTLD_LAZY | RTLD_LOCAL) else { throw Missing() }
    // The types come from mpg123.h, and are the same in every version with this name.
    func function<Function>(_ name: String) throws(Missing) -> Function {
      guard let symbol = unsafe dlsym(library, name) else { throw Missing() }
      return unsafe unsafeBitCast(symbol, to: Function.self)
    }
    unsafe create = try function("mpg123_new")
    unsafe delete = try function("mpg123_delete")
    unsafe set = try function("mpg123_param")
    unsafe clearFormats = try function("mpg123_format_none")
    unsafe allowFormat = try function("mpg123_format")
    unsafe openFeed = try function("mpg123_open_feed")
    unsafe feed = try function("mpg123_feed")
    unsafe read = try function("mpg123_read")
    // Versions before 1.27 need this setup; in later versions the call does nothing.
    let prepare: (@convention(c) () -> Int32)? = try? function("mpg123_init")
    _ = prepare?()
  }
}

extension MPEGLibrary {
  // The constants have the values and names of mpg123.h.
  static let addFlags: Int32 = 2
  static let volumeAdjustment: Int32 = 5
  static let removeFlags: Int32 = 13
  static let quiet = 0x20
  static let gapless = 0x40
  static let forceFloat = 0x400
  static let ignoreInfoFrame = 0x4000
  static let float32: Int32 = 0x200
  static let needsMore: Int32 = -10
  static let newFormat: Int32 = -11
}
