internal import CSpatial3DSndFile

/// MPEG audio that libmpg123 decodes, packet by packet and without trimming.
///
/// The only owner of its handle: it deletes the handle at its own end and never hands it out. Sendable because
/// libmpg123 binds a handle to no thread, and because every use of the handle is `mutating`, with the only owner's
/// exclusive access.
@safe struct MPEGDecoder: FrameSource, ~Copyable, @unchecked Sendable {
  let header: SoundHandle.Header
  var report: SoundHandle.Header? { header }

  /// Whether the decoder gave up.
  private(set) var hasDecodingError = false

  /// The error of the system that made a read short, if there was one.
  private(set) var systemError: SystemError?

  private let library: MPEGLibrary
  private let handle: MPEGLibrary.Handle
  private let view: SplicedBytes
  private var offset = 0

  /// The number of bytes in one call of `feed`.
  private static let blockSize = 1 << 14

  /// The number of calls in a row without samples after which the library counts as stuck.
  private static let patience = 1_000

  /// A decoder of the packets in a view; `nil` if the library is missing or has no memory.
  init?(_ scan: MPEGScan, _ view: SplicedBytes) {
    let channelCount = scan.header.isMono ? 1 : 2
    guard let library = MPEGLibrary.loaded,
      let handle = unsafe MPEGDecoder.prepared(library, sampleRate: scan.header.sampleRate, channelCount)
    else { return nil }
    self.library = library
    unsafe self.handle = handle
    self.view = view
    let layers = [SF_FORMAT_MPEG_LAYER_III, SF_FORMAT_MPEG_LAYER_II, SF_FORMAT_MPEG_LAYER_I]
    header = SoundHandle.Header(
      frames: Int.max,
      sampleRate: scan.header.sampleRate,
      channelCount: channelCount,
      format: Int32(SF_FORMAT_MPEG | layers[scan.header.layer.rawValue - 1])
    )
  }

  private static func prepared(
    _ library: MPEGLibrary,
    sampleRate: Int,
    _ channelCount: Int
  ) -> MPEGLibrary.Handle? {
    guard let handle = unsafe library.create(nil, nil) else { return nil }
    let flags = MPEGLibrary.quiet | MPEGLibrary.forceFloat | MPEGLibrary.ignoreInfoFrame
    let status = unsafe [
      library.set(handle, MPEGLibrary.addFlags, flags, 0),
      library.set(handle, MPEGLibrary.removeFlags, MPEGLibrary.gapless, 0),
      library.set(handle, MPEGLibrary.volumeAdjustment, 0, 0),
      library.clearFormats(handle),
      library.allowFormat(handle, sampleRate, Int32(channelCount), MPEGLibrary.float32),
      library.openFeed(handle),
    ]
    guard status.allSatisfy({ $0 == 0 }) else {
      unsafe library.delete(handle)
      return nil
    }
    return unsafe handle
  }

  deinit {
    unsafe library.delete(handle)
  }

  /// Decodes frames into uninitialised memory and returns their number.
  ///
  /// The number is smaller than requested only at the end, or if the system did not deliver the file.
  mutating func read(_ frameCount: Int, into output: inout OutputSpan<Float>) -> Int {
    let channelCount = header.channelCount
    let wanted = min(frameCount, output.freeCapacity / channelCount)
    return unsafe output.withUnsafeMutableBufferPointer { memory, initialized in
      guard wanted > 0, let start = memory.baseAddress else { return 0 }
      let byteCount = wanted * channelCount * MemoryLayout<Float>.stride
      // There is room for `wanted` frames behind the samples that are initialised.
      let target = unsafe UnsafeMutableRawPointer(start + initialized)
      var filled = 0
      var idle = 0
      while filled < byteCount, idle < MPEGDecoder.patience {
        var arrived = 0
        let status = unsafe library.read(handle, target + filled, byteCount - filled, &arrived)
        filled += min(max(arrived, 0), byteCount - filled)
        idle = arrived > 0 ? 0 : idle + 1
        if status == 0 || status == MPEGLibrary.newFormat { continue }
        guard status == MPEGLibrary.needsMore else {
          hasDecodingError = true
          break
        }
        guard feed() else { break }
      }
      let arrived = filled / (channelCount * MemoryLayout<Float>.stride)
      initialized += arrived * channelCount
      return arrived
    }
  }

  /// Feeds the next bytes to the library and returns whether there were any.
  private mutating func feed() -> Bool {
    do {
      let block = unsafe try [UInt8](unsafeUninitializedCapacity: MPEGDecoder.blockSize) { buffer, count in
        count = unsafe try view.read(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
      }
      offset += block.count
      // The library copies the bytes.
      return unsafe !block.isEmpty && library.feed(handle, block, block.count) == 0
    } catch {
      systemError = error as? SystemError
      return false
    }
  }
}
