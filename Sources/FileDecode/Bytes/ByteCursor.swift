internal import Glibc

/// A reading position in a view of a file: libsndfile uses it as the file.
///
/// Each decoder handle has its own cursor, so a second handle on the same bytes disturbs nothing.
final class ByteCursor: VirtualFile {
  private let view: SplicedBytes
  /// The error of the system that made a read short; libsndfile treats a short read as the end.
  private(set) var failure: SystemError?
  private let hidesEnd: Bool

  /// A cursor at the first byte; with `hidesEnd` it refuses seeks relative to the end.
  init(_ view: SplicedBytes, hidingEnd hidesEnd: Bool) {
    self.view = view
    self.hidesEnd = hidesEnd
  }

  override var byteCount: Int { view.byteCount }

  override func seek(by distance: Int, from whence: Int32) -> Int {
    hidesEnd && whence == SEEK_END ? -1 : super.seek(by: distance, from: whence)
  }

  override func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    do {
      let count = unsafe try view.read(at: offset, into: target)
      offset += count
      return count
    } catch {
      failure = error
      return 0
    }
  }
}
