/// The decoder of a file's frames: libsndfile, libmpg123, or with the trait `AAC` libavcodec.
struct FrameSource: ~Copyable, Sendable {
  private var sound: SoundHandle?
  private var mpeg: MPEGDecoder?
  private var plain: PlainDecoder?
  #if AAC
    private var aac: AACDecoder?
  #endif

  /// The report of libsndfile or libmpg123; `nil` if the file itself contains all facts.
  let header: SoundHandle.Header?

  init(_ sound: consuming SoundHandle) {
    header = sound.header
    self.sound = consume sound
  }

  init(_ mpeg: consuming MPEGDecoder) {
    header = mpeg.header
    self.mpeg = consume mpeg
  }

  /// Samples without compression; the header from libsndfile holds their number.
  init(_ plain: PlainDecoder, _ header: SoundHandle.Header) {
    self.header = header
    self.plain = plain
  }

  #if AAC
    init(_ aac: consuming AACDecoder) {
      header = nil
      self.aac = consume aac
    }
  #endif

  /// Decodes frames into uninitialised memory and returns their number.
  ///
  /// The number is smaller than requested only at the end, after damage, or after a failure of the system.
  mutating func read(_ frameCount: Int, into output: inout OutputSpan<Float>) -> Int {
    #if AAC
      if let count = aac?.read(frameCount, into: &output) { return count }
    #endif
    if let count = plain?.read(frameCount, into: &output) { return count }
    if let count = mpeg?.read(frameCount, into: &output) { return count }
    return sound?.read(frameCount, into: &output) ?? 0
  }

  /// Whether the decoder met an error in the short read.
  mutating func hasDecodingError() -> Bool {
    #if AAC
      if let found = aac?.hasDecodingError { return found }
    #endif
    if plain != nil { return false }
    if let found = mpeg?.hasDecodingError { return found }
    return sound?.hasDecodingError() ?? false
  }

  /// Whether packets were damaged and became silence.
  var hasDamagedPackets: Bool {
    mutating get {
      #if AAC
        if let found = aac?.hasDamagedPackets { return found }
      #endif
      return false
    }
  }

  /// The error of the system that made a read short, if there was one.
  var systemError: SystemError? {
    mutating get {
      #if AAC
        if let error = aac?.systemError { return error }
      #endif
      if let error = plain?.systemError { return error }
      if let error = mpeg?.systemError { return error }
      return sound?.systemError
    }
  }

  /// Seeks to a decoded frame and returns whether that worked.
  mutating func seek(toFrame frame: Int) -> Bool {
    guard plain == nil else {
      plain?.seek(toFrame: frame)
      return true
    }
    return sound?.seek(toFrame: frame) ?? false
  }

  /// Whether the file holds samples of 16 bits without compression.
  var holdsInt16: Bool {
    mutating get { plain != nil }
  }

  /// Reads 16-bit frames without conversion into uninitialised memory and returns their number.
  mutating func read(_ frameCount: Int, into output: inout OutputSpan<Int16>) -> Int {
    plain?.read(frameCount, into: &output) ?? 0
  }
}
