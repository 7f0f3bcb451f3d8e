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

  private let view: ByteView
  private var handle: SoundHandle
  private var carried: CarriedFrames
  private var position = 0
  private var hasEnded = false
  private var isBroken = false

  /// How many frames are decoded at once: more is not faster, and fewer is slower.
  static let blockSize = 4_096

  init(_ source: ByteSource, path: String) throws(AudioFileError) {
    let signature = try Gate.signature(of: source, path: path)
    let chunk = try Gate.audioChunk(of: source, signature.container, path: path)
    let view = ByteView(source, signature.container, from: signature.offset, chunk)
    let handle = try Gate.open(view, signature, path: path)
    stream = try AudioStream(handle.header, signature, chunk, source, path: path)
    self.handle = handle
    isTruncated = stream.isCut
    carried = CarriedFrames(PCMBuffer(format: stream.format))
    self.source = source
    self.path = path
    self.view = view
  }

  /// Whether there are no more frames, of which no more than were claimed are decoded.
  var isAtEnd: Bool { carried.isEmpty && (hasEnded || position == stream.claim) }

  /// Appends up to a block of frames to a buffer of the file's format, and returns how many; 0 only at the end.
  mutating func appendBlock(of frameCount: Int, to buffer: inout PCMBuffer<Float>) throws(AudioFileError) -> Int {
    guard frameCount > 0, !isAtEnd else { return 0 }
    // After the system failed, what it held back is tried again.
    if isBroken, !hasEnded { try seek(toFrame: position) }
    let arrived: Int
    if let packetSize = stream.subFormat.packetSize {
      if carried.isEmpty {
        var packet = carried.releaseBuffer()
        _ = try decode(packetSize, to: &packet)
        carried = CarriedFrames(packet)
      }
      arrived = carried.move(frameCount, to: &buffer)
    } else {
      arrived = try decode(min(frameCount, Decoder.blockSize), to: &buffer)
    }
    position += arrived
    return arrived
  }

  /// Decodes the frames from the position on, where none are carried.
  private mutating func decode(_ frameCount: Int, to buffer: inout PCMBuffer<Float>) throws(AudioFileError) -> Int {
    // What lies behind the last frame, such as a tag, is no damage and not for the decoder to find out.
    let wanted = min(frameCount, (stream.claim ?? Int.max) - position)
    let arrived = buffer.append(frames: wanted) { output in
      _ = handle.read(wanted, into: &output)
      var samples = output.mutableSpan
      if stream.subFormat.mayBeNonFinite { SampleConversion.silenceNonFinite(&samples) }
      stream.channelOrder?.apply(to: &samples)
    }
    if arrived < wanted { try end(after: arrived) }
    return arrived
  }

  /// Takes note of why a read came short.
  private mutating func end(after arrived: Int) throws(AudioFileError) {
    // The error has to be asked for at once, as later calls clear it.
    isBroken = handle.hasDecodingError()
    if let error = handle.systemError {
      isBroken = true
      // What came is delivered; the next call tries again.
      if arrived == 0 { throw .reading(path, error) }
      return
    }
    hasEnded = true
    if isBroken || position + arrived < stream.claim ?? 0 { isTruncated = true }
  }
}

extension Decoder {
  /// Makes a frame the next to be decoded, or the nearest end.
  mutating func seek(toFrame frame: Int) throws(AudioFileError) {
    let target = max(0, min(frame, stream.frameCount ?? Int.max))
    do {
      try move(to: target)
    } catch {
      // The next call tries again to get there.
      setPosition(target)
      isBroken = true
      throw error
    }
  }

  private mutating func move(to target: Int) throws(AudioFileError) {
    if isBroken { try reopen() }
    guard target != position else { return }
    if let preRoll = stream.subFormat.seekPreRoll, stream.frameCount != nil {
      if !(0...preRoll).contains(target - position) { try jump(to: max(target - preRoll, 0)) }
    } else if target < position {
      try reopen()
    }
    try skip(to: target)
  }

  private mutating func jump(to frame: Int) throws(AudioFileError) {
    // Packets start at the same frames as without the jump, so that they end at the same ones too.
    let target = frame - frame % (stream.subFormat.packetSize ?? 1)
    if handle.seek(toFrame: target) {
      setPosition(target)
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
    let reopened = try Decoder.reopened(view, stream, path: path)
    guard reopened.header == stream.header else { throw .changed(path) }
    handle = reopened
    isBroken = false
    setPosition(0)
  }

  private static func reopened(
    _ view: ByteView,
    _ stream: AudioStream,
    path: String
  ) throws(AudioFileError) -> SoundHandle {
    do {
      return try Gate.open(view, stream.signature, path: path)
    } catch {
      throw error.code == .readFailed ? error : .changed(path, underlying: error.underlying)
    }
  }

  private mutating func setPosition(_ frame: Int) {
    _ = carried.releaseBuffer()
    position = frame
    hasEnded = false
  }
}

extension AudioFileError {
  fileprivate static func changed(_ path: String, underlying: String? = nil) -> AudioFileError {
    AudioFileError(
      .fileChanged,
      path: path,
      message: "\(path) was changed while it was read. Open it again.",
      underlying: underlying
    )
  }
}
