/// What decodes the frames of a file: libsndfile, or with the trait `AAC` libavcodec.
struct FrameSource: ~Copyable, Sendable {
  private var sound: SoundHandle?
  #if AAC
    private var aac: AACDecoder?
  #endif

  init(_ sound: consuming SoundHandle) { self.sound = consume sound }

  #if AAC
    init(_ aac: consuming AACDecoder) { self.aac = consume aac }
  #endif

  /// Decodes frames into uninitialised memory and returns how many came: fewer than asked for only at the end, or where
  /// the file is damaged or the system did not deliver it.
  mutating func read(_ frameCount: Int, into output: inout OutputSpan<Float>) -> Int {
    #if AAC
      if let count = aac?.read(frameCount, into: &output) { return count }
    #endif
    return sound?.read(frameCount, into: &output) ?? 0
  }

  /// Whether the decoder met an error in the read that came short.
  mutating func hasDecodingError() -> Bool {
    #if AAC
      if let found = aac?.hasDecodingError { return found }
    #endif
    return sound?.hasDecodingError() ?? false
  }

  /// The error that made the system deliver too little, if it had one.
  var systemError: SystemError? {
    mutating get {
      #if AAC
        if let error = aac?.systemError { return error }
      #endif
      return sound?.systemError
    }
  }

  /// Makes a decoded frame the next to be read and returns whether that worked.
  mutating func seek(toFrame frame: Int) -> Bool { sound?.seek(toFrame: frame) ?? false }
}
