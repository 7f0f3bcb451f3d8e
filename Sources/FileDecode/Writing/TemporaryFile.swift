internal import Glibc

/// A file under a temporary name next to its final one; it disappears unless `keep()` gives it that name.
final class TemporaryFile: VirtualFile {
  /// The error of a failed write, if there was one.
  private(set) var failure: SystemError?

  private let path: String
  private let temporaryPath: String
  private let descriptor: Int32
  private var size = 0
  private var isKept = false
  private let overwrites: Bool
  private let waysToName: [Naming]

  /// Creates the file with the permissions of the file that it will replace, or of a new file.
  init(
    for path: String,
    overwriting overwrites: Bool = true,
    naming waysToName: [Naming] = Naming.allCases
  ) throws(AudioFileError) {
    self.path = path
    self.overwrites = overwrites
    self.waysToName = waysToName
    let olderMode = try TemporaryFile.modeOfFile(at: path)
    guard overwrites || !TemporaryFile.exists(path) else { throw .exists(path) }
    let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? ""
    for _ in 0..<TemporaryFile.attemptLimit {
      let number = UInt64.random(in: 0...UInt64.max)
      let candidate = "\(folder).audio-\(String(number, radix: 36)).tmp"
      let opened = unsafe open(candidate, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, olderMode ?? 0o666)
      if opened >= 0 {
        // The process's mask removed permissions that the older file has. If this call fails, the file has fewer.
        if let olderMode { fchmod(opened, olderMode) }
        temporaryPath = candidate
        descriptor = opened
        return
      }
      guard errno == EEXIST else { throw .creating(path, .last) }
    }
    throw .creating(path, SystemError(number: EEXIST))
  }

  deinit {
    close(descriptor)
    if !isKept { unsafe unlink(temporaryPath) }
  }

  /// Gives the file its final name, and replaces an older file if `overwrites` is true.
  func keep() throws(WritingFailure) {
    if overwrites {
      guard unsafe rename(temporaryPath, path) == 0 else { throw .system(.last) }
      isKept = true
    } else {
      // The end of this object removes a remaining temporary name.
      isKept = try TemporaryFile.name(temporaryPath, path, by: waysToName)
    }
  }

  override var byteCount: Int { size }

  override func write(_ bytes: UnsafeRawBufferPointer) -> Int {
    var count = 0
    while count < bytes.count {
      // The slice is in bounds as count is below bytes.count.
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[count...])
      let step = unsafe pwrite(descriptor, rest.baseAddress, rest.count, off_t(offset))
      if step > 0 {
        count += step
        offset += step
        size = max(size, offset)
      } else if step == 0 || errno != EINTR {
        failure = step == 0 ? SystemError(number: ENOSPC) : .last
        break
      }
    }
    return count
  }

  /// Reads bytes back; some encoders do so with their header.
  override func read(into target: UnsafeMutableRawBufferPointer) -> Int {
    let count = unsafe pread(descriptor, target.baseAddress, target.count, off_t(offset))
    offset += max(count, 0)
    return max(count, 0)
  }

  /// Whether a name is in use, also by a link to nothing.
  private static func exists(_ path: String) -> Bool {
    var status = stat()
    return unsafe lstat(path, &status) == 0
  }

  /// The permissions of the file with the final name; throws for a folder, a pipe or a device, which must stay.
  private static func modeOfFile(at path: String) throws(AudioFileError) -> mode_t? {
    guard !path.utf8.contains(0) else { throw .creating(path, SystemError(number: ENOENT)) }
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return nil }
    if status.st_mode & S_IFMT == S_IFREG { return status.st_mode & 0o777 }
    throw .notCreated(.notAFile, path, "a folder, a pipe or a device has that name. Choose another name.")
  }

  /// The largest number of random names to try; more failures have another reason.
  private static let attemptLimit = 16
}

extension TemporaryFile {
  /// Shortens an Ogg file by a number of positions.
  ///
  /// The page with the new end becomes the last.
  func dropEnd(granuleCount: Int) {
    var pages: [(offset: Int, size: Int, granule: Int)] = []
    var place = 0
    while let page = OggPage(bytes(at: place, count: OggPage.maximumSize)) {
      pages.append((place, page.byteCount, page.granule))
      place += page.byteCount
    }
    let end = (pages.last?.granule ?? 0) - granuleCount
    guard failure == nil else { return }
    // The first two pages are headers, at position 0.
    guard end > 0, let last = pages.first(where: { $0.granule >= end }) else { return }
    var page = bytes(at: last.offset, count: last.size)
    OggPage.end(&page, atGranule: end)
    offset = last.offset
    _ = unsafe page.withUnsafeBytes { unsafe write($0) }
    truncate(to: last.offset + last.size)
  }

  /// Marks all frames of an MP3 as padding, in the encoder's tag.
  func markAsPadding() {
    var frame = bytes(at: 0, count: MPEGScan.firstFrameSize)
    let scan = MPEGScan(from: 0) { (place, count) throws(Never) in bytes(at: place, count: count) }
    guard failure == nil, let scan, let delay = scan.tag?.encoderDelay, let gapOffset = scan.tag?.gapOffset else {
      return
    }
    // The padding counts the frames of all packets behind the delay of the encoder.
    let padding = scan.packetCount * scan.header.framesPerPacket - delay
    guard (0...MPEGTag.largestPadding).contains(padding) else { return }
    MPEGTag.setPadding(padding, in: &frame, at: gapOffset)
    offset = 0
    _ = unsafe frame.withUnsafeBytes { unsafe write($0) }
  }

  /// Drops the bytes from an offset on.
  func truncate(to byteCount: Int) {
    size = byteCount
    if ftruncate(descriptor, off_t(byteCount)) != 0 { failure = .last }
  }

  /// Reads bytes back, fewer at the end of the file; a failure is kept.
  func bytes(at place: Int, count: Int) -> [UInt8] {
    // The array's count is the number of bytes that arrived.
    unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      do throws(SystemError) {
        filled = unsafe try ByteSource.read(descriptor, at: place, into: UnsafeMutableRawBufferPointer(buffer))
      } catch {
        failure = error
      }
    }
  }
}
