/// The decoding of one file: a position, and what is known about the end.
struct Decoder: ~Copyable, Sendable {
  /// What can be told of the file before it is decoded.
  let stream: AudioStream

  /// Whether the file is known to hold less than it should.
  private(set) var isTruncated: Bool

  /// The file's bytes.
  let source: ByteSource

  /// The file's path, for errors.
  let path: String

  private var handle: SoundHandle
  private var position = 0
  private var hasEnded = false
  private var isBroken = false

  /// How many frames are decoded at once: more is not faster, and fewer is slower.
  static let blockSize = 4_096

  init(_ source: ByteSource, path: String) throws(AudioFileError) {
    let signature = try Gate.signature(of: source, path: path)
    let handle = try Gate.open(source, signature, path: path)
    stream = try AudioStream(handle, signature, source, path: path)
    self.handle = handle
    isTruncated = stream.isCut
    self.source = source
    self.path = path
  }

  /// Appends up to a block of frames to a buffer of the file's format, and returns how many; 0 only at the end.
  mutating func appendBlock(of frameCount: Int, to buffer: inout PCMBuffer<Float>) throws(AudioFileError) -> Int {
    let wanted = min(frameCount, stream.subFormat.blockSize)
    guard wanted > 0, !isAtEnd else { return 0 }
    let arrived = buffer.append(frames: wanted) { output in
      _ = handle.read(wanted, into: &output)
      var samples = output.mutableSpan
      if stream.subFormat.mayBeNonFinite { SampleConversion.silenceNonFinite(&samples) }
      stream.channelOrder?.apply(to: &samples)
    }
    position += arrived
    if arrived < wanted { try end() }
    return arrived
  }

  /// Whether there are no more frames, of which libsndfile never delivers more than it claimed.
  var isAtEnd: Bool { hasEnded || position == stream.claim }

  /// Takes note of why a read came short.
  private mutating func end() throws(AudioFileError) {
    if let error = handle.systemError {
      isBroken = true
      throw .reading(path, error)
    }
    hasEnded = true
    // The error has to be asked for at once, as later calls clear it.
    if handle.hasDecodingError() { isBroken = true }
    if let claim = stream.claim, position < claim { isTruncated = true }
    if isBroken { isTruncated = true }
  }

  /// Makes a frame the next to be decoded, or the nearest end.
  mutating func seek(toFrame frame: Int) throws(AudioFileError) {
    let target = max(0, min(frame, stream.frameCount ?? Int.max))
    if isBroken { try reopen() }
    guard target != position else { return }
    if let preRoll = stream.subFormat.seekPreRoll, stream.frameCount != nil {
      if !(0...preRoll).contains(target - position) { try jump(to: max(target - preRoll, 0)) }
    } else if target < position {
      try reopen()
    }
    try skip(to: target)
  }

  private mutating func jump(to target: Int) throws(AudioFileError) {
    if handle.seek(toFrame: target) {
      position = target
      hasEnded = false
    } else {
      // Where a failed seek leaves libsndfile is not defined.
      try reopen()
    }
  }

  /// Decodes and drops frames up to a place or the end.
  private mutating func skip(to target: Int) throws(AudioFileError) {
    var dropped = PCMBuffer<Float>(format: stream.format)
    dropped.reserveCapacity(frames: Decoder.blockSize)
    while position < target {
      dropped.removeAll(adopting: stream.format)
      if try appendBlock(of: target - position, to: &dropped) == 0 { return }
    }
  }

  private mutating func reopen() throws(AudioFileError) {
    handle = try Gate.open(source, stream.signature, path: path)
    position = 0
    hasEnded = false
    isBroken = false
  }
}
