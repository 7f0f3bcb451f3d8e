/// What decodes the frames of a file: libsndfile, libmpg123, or with the trait `AAC` libavcodec.
struct FrameSource: ~Copyable, Sendable {
  private var sound: SoundHandle?
  private var mpeg: MPEGDecoder?
  private var plain: PlainDecoder?
  #if AAC
    private var aac: AACDecoder?
  #endif

  /// What is known of the stream; `nil` where the file says it all.
  let header: SoundHandle.Header?

  init(_ sound: consuming SoundHandle) {
    header = sound.header
    self.sound = consume sound
  }

  init(_ mpeg: consuming MPEGDecoder) {
    header = mpeg.header
    self.mpeg = consume mpeg
  }

  /// The samples of a file that does not compress them; libsndfile said how many there are.
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

  /// Decodes frames into uninitialised memory and returns how many came: fewer than asked for only at the end, or where
  /// the file is damaged or the system did not deliver it.
  mutating func read(_ frameCount: Int, into output: inout OutputSpan<Float>) -> Int {
    #if AAC
      if let count = aac?.read(frameCount, into: &output) { return count }
    #endif
    if let count = plain?.read(frameCount, into: &output) { return count }
    if let count = mpeg?.read(frameCount, into: &output) { return count }
    return sound?.read(frameCount, into: &output) ?? 0
  }

  /// Whether the decoder met an error in the read that came short.
  mutating func hasDecodingError() -> Bool {
    #if AAC
      if let found = aac?.hasDecodingError { return found }
    #endif
    if plain != nil { return false }
    if let found = mpeg?.hasDecodingError { return found }
    return sound?.hasDecodingError() ?? false
  }

  /// Whether packets were damaged that silence came for.
  var hasDamagedPackets: Bool {
    mutating get {
      #if AAC
        if let found = aac?.hasDamagedPackets { return found }
      #endif
      return false
    }
  }

  /// The error that made the system deliver too little, if it had one.
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

  /// Makes a decoded frame the next to be read and returns whether that worked.
  mutating func seek(toFrame frame: Int) -> Bool {
    guard plain == nil else {
      plain?.seek(toFrame: frame)
      return true
    }
    return sound?.seek(toFrame: frame) ?? false
  }

  /// Whether samples come as the 16 bits that the file holds.
  var holdsInt16: Bool {
    mutating get { plain != nil }
  }

  /// Reads frames as they are into uninitialised memory and returns how many came, where they are of 16 bits.
  mutating func read(_ frameCount: Int, into output: inout OutputSpan<Int16>) -> Int {
    plain?.read(frameCount, into: &output) ?? 0
  }
}
