internal import Glibc

/// A reading position in a view of a file: libsndfile uses it as the file.
///
/// Each decoder handle has its own cursor, so a second handle on the same bytes disturbs nothing.
final class ByteCursor: VirtualFile {
  private let view: SplicedBytes
  /// The error of the system that made a read short; libsndfile treats a short read as the end.
  private(set) var failure: SystemError?
  private let hidesEnd: Bool
  /// The bytes that small reads share, from an offset on.
  private var page: (start: Int, bytes: [UInt8])

  /// The number of bytes in a page, and in the largest read that takes its bytes from the page: libsndfile reads the
  /// fields of a header one by one.
  private static let (pageSize, smallSize) = (4_096, 64)

  /// A cursor at the first byte; with `hidesEnd` it refuses seeks relative to the end.
  ///
  /// `start` is the bytes at the start of the view that are in memory already.
  init(_ view: SplicedBytes, startingWith start: [UInt8] = [], hidingEnd hidesEnd: Bool) {
    self.view = view
    self.hidesEnd = hidesEnd
    page = (0, start)
  }

  override var byteCount: Int { view.byteCount }

  override func seek(by distance: Int, from whence: Int32) -> Int {
    hidesEnd && whence == SEEK_END ? -1 : super.seek(by: distance, from: whence)
  }

  override func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    let isSmall = target.count <= ByteCursor.smallSize && offset <= view.byteCount - target.count
    if isSmall, view.isOnDisk, unsafe readFromPage(into: target) { return target.count }
    do {
      let count = unsafe try view.read(at: offset, into: target)
      offset += count
      return count
    } catch {
      failure = error
      return 0
    }
  }

  /// Fills memory with bytes of the page, which is read anew where it lacks them, and returns whether that worked.
  private func readFromPage(into target: UnsafeMutableRawBufferPointer) -> Bool {
    if offset < page.start || offset + target.count > page.start + page.bytes.count {
      // After a failure the caller reads the bytes alone, and reports it.
      let bytes = unsafe try? [UInt8](unsafeUninitializedCapacity: ByteCursor.pageSize) { buffer, count in
        count = unsafe try view.read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
      }
      guard let bytes, bytes.count >= target.count else { return false }
      page = (offset, bytes)
    }
    let start = offset - page.start
    unsafe target.copyBytes(from: page.bytes[start..<start + target.count])
    offset += target.count
    return true
  }
}
