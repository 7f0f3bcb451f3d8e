internal import CSpatial3DSndFile

/// A sound file that libsndfile reads.
///
/// The only owner of its `SNDFILE`: it closes the handle at its own end and never hands it out. Sendable because
/// libsndfile binds a handle to no thread, and because every use of the handle is `mutating`, with the only owner's
/// exclusive access.
@safe struct SoundHandle: FrameSource, ~Copyable, @unchecked Sendable {
  /// The report of libsndfile on opening.
  struct Header: Hashable, Sendable {
    let frames: Int
    let sampleRate: Int
    let channelCount: Int
    let format: Int32

    /// Whether another file can be the same, or a later part of it.
    func isSameStream(as other: Header?) -> Bool {
      sampleRate == other?.sampleRate && channelCount == other?.channelCount && format == other?.format
    }
  }

  let header: Header
  var report: Header? { header }

  private let pointer: OpaquePointer
  // libsndfile calls the cursor until sf_close has returned, so the handle owns it.
  private let cursor: ByteCursor

  /// Opens the bytes of a view; throws if libsndfile refuses them.
  ///
  /// `start` is the bytes at the start of the view that are in memory already.
  init(
    _ view: SplicedBytes,
    _ container: Container,
    startingWith start: [UInt8] = [],
    hidingEnd hidesEnd: Bool = false,
    path: String
  ) throws(AudioFileError) {
    cursor = ByteCursor(view, startingWith: start, hidingEnd: hidesEnd)
    var format = SF_INFO()
    do {
      unsafe pointer = try openSound(SFM_READ, &format, cursor)
    } catch {
      if let systemError = cursor.failure { throw .reading(path, systemError) }
      if error.isUnsupportedEncoding {
        throw .undecodable(path, codec: "an encoding", in: container, underlying: error.report)
      }
      throw .damaged(path, container, underlying: error.report)
    }
    header = Header(
      frames: Int(format.frames),
      sampleRate: Int(format.samplerate),
      channelCount: Int(format.channels),
      format: format.format
    )
  }

  deinit {
    unsafe sf_close(pointer)
  }

  /// Decodes frames into uninitialised memory and returns their number.
  ///
  /// The number is smaller than requested only at the end, after damage, or after a failure of the system.
  mutating func read(_ frameCount: Int, into output: inout OutputSpan<Float>) -> Int {
    let wanted = min(frameCount, output.freeCapacity / header.channelCount)
    return unsafe output.withUnsafeMutableBufferPointer { memory, initialized in
      guard wanted > 0, let start = memory.baseAddress else { return 0 }
      // There is room for `wanted` frames behind the samples that are initialised.
      let count = unsafe Int(sf_readf_float(pointer, start + initialized, sf_count_t(wanted)))
      let arrived = min(max(count, 0), wanted)
      initialized += arrived * header.channelCount
      return arrived
    }
  }

  /// The decoder's error right after a short read, if it had one.
  var hasDecodingError: Bool {
    mutating get { unsafe sf_error(pointer) != 0 }
  }

  /// The error of the system that made a read short, if there was one.
  var systemError: SystemError? {
    mutating get { cursor.failure }
  }

  /// Seeks to a frame and returns whether that worked.
  mutating func seek(toFrame frame: Int) -> Bool {
    unsafe sf_seek(pointer, sf_count_t(frame), Int32(SF_SEEK_SET)) == sf_count_t(frame)
  }
}
