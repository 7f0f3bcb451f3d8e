internal import CSpatial3DSndFile

/// A sound file that libsndfile reads: the only owner of its `SNDFILE`, which is closed with it and never handed out.
///
/// Sendable because libsndfile binds a handle to no thread, and because what touches the handle is `mutating`: it takes
/// the only owner's exclusive access.
@safe struct SoundHandle: ~Copyable, @unchecked Sendable {
  /// What libsndfile reports on opening.
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

  private let pointer: OpaquePointer
  // libsndfile calls the cursor until sf_close has returned, so that it lives as long as the handle.
  private let cursor: ByteCursor

  /// Opens bytes.
  init(reading cursor: ByteCursor) throws(OpeningRefusal) {
    var format = SF_INFO()
    unsafe pointer = try openSound(SFM_READ, &format, ByteCursor.virtualIO, cursor.userData)
    self.cursor = cursor
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

  /// Decodes frames into uninitialised memory and returns how many came: fewer than asked for only at the end, or where
  /// the file is damaged or the system did not deliver it.
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

  /// The decoder's error right after a read that came short, if it had one.
  mutating func hasDecodingError() -> Bool {
    unsafe sf_error(pointer) != 0
  }

  /// The error that made the system deliver too little, if it had one.
  var systemError: SystemError? {
    mutating get { cursor.failure }
  }

  /// Makes a frame the next to be read and returns whether that worked.
  mutating func seek(toFrame frame: Int) -> Bool {
    unsafe sf_seek(pointer, sf_count_t(frame), Int32(SF_SEEK_SET)) == sf_count_t(frame)
  }
}
