/// The decoding of one file: a position, and the known facts about the end.
struct Decoder: ~Copyable, Sendable {
  /// The facts about the file that are known before decoding.
  let stream: AudioStream

  /// Whether the file is known to hold less than it should.
  private(set) var isTruncated: Bool

  /// The metadata of the file, with positions in frames of the file's rate.
  let annotations: Annotations

  /// The file's bytes.
  let source: ByteSource

  /// The file's path, for errors.
  let path: String

  var frames: (any FrameSource & ~Copyable)?
  private var leftover: LeftoverFrames
  /// The next decoded frame, counted with the frames before the sound.
  private(set) var position = 0
  private var hasEnded = false
  private var countedTable: PacketTable?
  var libAVCodecUse: LibAVCodecUse
  /// The index of an Ogg file, from the first seek on; `.some(nil)` if the file cannot have an index.
  var oggIndex: OggSeekIndex??
  private(set) var isBroken = false

  init(_ source: ByteSource, trimming: AudioTrimming, path: String) throws(AudioFileError) {
    let bytes = source.reader(path: path)
    let plan = try DecodePlan(source, reading: bytes, path: path)
    let stream: AudioStream
    var frames: (any FrameSource & ~Copyable)?
    if let aac = plan.aac {
      stream = try AudioStream(aac, plan, trimming: trimming, path: path)
      frames = try Decoder.opened(aac, source, fromPacket: 0, path: path)
    } else {
      let start = plan.view.start(in: plan.signature.head, from: plan.signature.offset)
      let opened = try Decoder.opened(plan, plan.view, startingWith: start, path: path)
      guard let header = opened.report else { preconditionFailure("a decoder without a header") }
      stream = try AudioStream(header, plan, trimming: trimming, reading: bytes, path: path)
      frames = consume opened
    }
    annotations = try Decoder.annotations(of: stream, fileSize: source.size, reading: bytes)
    self.stream = stream
    self.frames = frames
    isTruncated = stream.isCut
    leftover = LeftoverFrames(PCMBuffer(format: stream.format))
    self.source = source
    self.path = path
    libAVCodecUse = LibAVCodecUse(stream.codec)
  }

  /// Whether no frames of the sound are left.
  var isAtEnd: Bool { leftover.isEmpty && (hasEnded || position >= stream.end ?? Int.max) }

  /// Appends up to a block of frames to a buffer of the file's format, and returns their number; 0 only at the end.
  mutating func appendBlock(of frameCount: Int, to buffer: inout PCMBuffer<Float>) throws(AudioFileError) -> Int {
    // The decoder drops the frames before the sound.
    if position < stream.lead { try skip(to: stream.lead) }
    return try appendDecoded(frameCount, to: &buffer)
  }

  /// Appends up to a block of frames from the position on, also of those around the sound.
  mutating func appendDecoded(_ frameCount: Int, to buffer: inout PCMBuffer<Float>) throws(AudioFileError) -> Int {
    guard frameCount > 0, !isAtEnd else { return 0 }
    guard frames != nil else { throw .needsAAC(path) }
    // After a failure of the system, this call tries again to decode the missing frames.
    if isBroken, !hasEnded { try move(to: position) }
    if libAVCodecUse == .possible { _ = try useLibAVCodec(from: nil) }
    let arrived: Int
    if let packetSize = stream.packetSize {
      if leftover.isEmpty {
        var packet = leftover.releaseBuffer()
        _ = try decode(packetSize, to: &packet)
        leftover = LeftoverFrames(packet)
      }
      arrived = leftover.move(frameCount, to: &buffer)
    } else {
      arrived = try decode(min(frameCount, SampleConversion.blockSize), to: &buffer)
    }
    position += arrived
    return arrived
  }

  /// Decodes the frames from the position on, while `leftover` is empty.
  private mutating func decode(_ frameCount: Int, to buffer: inout PCMBuffer<Float>) throws(AudioFileError) -> Int {
    // Bytes behind the last frame, such as a tag, are no damage, so the decoder must not reach them.
    let wanted = min(frameCount, (stream.end ?? Int.max) - position)
    let arrived = buffer.append(frames: wanted) { output in
      _ = frames?.read(wanted, into: &output)
      var samples = output.mutableSpan
      if stream.mayBeNonFinite { SampleConversion.silenceNonFinite(&samples) }
      stream.channelOrder?.apply(to: &samples)
    }
    if frames?.hasDamagedPackets == true { isTruncated = true }
    if arrived < wanted, frames?.needsOtherDecoder == true {
      if arrived > 0 { return arrived }
      try leaveLibAVCodec()
      return try decode(frameCount, to: &buffer)
    }
    if arrived < wanted { try end(after: arrived) }
    return arrived
  }

  /// Whether the decoder returns samples of 16 bits without a conversion.
  var holdsInt16: Bool {
    mutating get { frames?.holdsInt16 ?? false }
  }

  /// Appends frames of a 16-bit sound without conversion, and returns their number; 0 only at the end.
  mutating func appendInt16(_ frameCount: Int, to buffer: inout PCMBuffer<Int16>) throws(AudioFileError) -> Int {
    if position < stream.lead { try skip(to: stream.lead) }
    if isBroken, !hasEnded { try move(to: position) }
    let wanted = min(frameCount, (stream.end ?? Int.max) - position)
    guard wanted > 0, !hasEnded else { return 0 }
    let arrived = buffer.append(frames: wanted) { output in _ = frames?.read(wanted, into: &output) }
    if arrived < wanted { try end(after: arrived) }
    position += arrived
    return arrived
  }

  /// Records the reason of a short read.
  private mutating func end(after arrived: Int) throws(AudioFileError) {
    // Later calls clear the error, so this call comes first.
    isBroken = frames?.hasDecodingError ?? false
    if let error = frames?.systemError {
      isBroken = true
      if error == .fileShrank { isTruncated = true }
      // The caller gets the frames that arrived; the next call tries again.
      if arrived == 0 { throw .reading(path, error) }
      return
    }
    hasEnded = true
    if isBroken || position + arrived < stream.end ?? 0 { isTruncated = true }
  }
}

extension Decoder {
  /// The packet table of the file.
  mutating func packetTable() -> PacketTable {
    if let table = stream.table ?? countedTable { return table }
    let scan = try? OggScan(from: stream.plan.signature.offset, reading: source.bytes)
    // If the system fails, the numbers are unknown, and the next call counts again.
    countedTable = scan?.table(decoded: stream.frameCount, sampleRate: stream.format.sampleRate)
    return countedTable ?? PacketTable()
  }

  private static func annotations(
    of stream: AudioStream,
    fileSize: Int,
    reading bytes: ByteReading<AudioFileError>
  ) throws(AudioFileError) -> Annotations {
    var read = try Annotations(stream.plan.signature, fileSize: fileSize, reading: bytes)
    if stream.codec == .opus { read = read.scaled(from: Annotations.opusRate, to: stream.format.sampleRate) }
    // Positions count from the first frame of the sound. Without trimming it is not the first frame of a read.
    let shift = max((stream.table?.primingFrames ?? 0) - stream.lead, 0)
    return read.fitted(frameCount: stream.frameCount, movedBy: shift)
  }

  /// Whether this build can decode the file.
  var canDecode: Bool { frames != nil }

  /// Jumps in a file that libsndfile reads, and returns whether that worked.
  mutating func seekFrames(toFrame frame: Int) -> Bool { frames?.seek(toFrame: frame) ?? false }

  /// Decodes the bytes of a view, which starts at a decoded frame.
  mutating func replaceFrames(_ view: SplicedBytes, position: Int) throws(AudioFileError) {
    do throws(AudioFileError) {
      let reopened = try Decoder.opened(stream.plan, view, path: path)
      guard reopened.report?.isSameStream(as: stream.header) == true else { throw .changed(path) }
      frames = consume reopened
    } catch {
      throw error.code == .readFailed ? error : .changed(path, underlying: error.underlying)
    }
    setPosition(position)
  }

  /// Decodes packets of AAC from an index on.
  mutating func replaceFrames(_ aac: AACStream, fromPacket packet: Int) throws(AudioFileError) {
    frames = try Decoder.opened(aac, source, fromPacket: packet, path: path)
    setPosition(packet * aac.framesPerPacket)
  }

  mutating func setPosition(_ frame: Int, isBroken: Bool = false) {
    _ = leftover.releaseBuffer()
    position = frame
    hasEnded = false
    self.isBroken = isBroken
  }

  private static func opened(
    _ plan: DecodePlan,
    _ view: SplicedBytes,
    startingWith start: [UInt8] = [],
    path: String
  ) throws(AudioFileError) -> any FrameSource & ~Copyable {
    if let scan = plan.mpeg, let decoder = MPEGDecoder(scan, view) { return decoder }
    do {
      let container = plan.decodedContainer
      let sound = try SoundHandle(view, container, startingWith: start, hidingEnd: plan.hidesEnd, path: path)
      let header = sound.header
      if let samples = plan.plain,
        let codec = SubFormat(libsndfile: header.format, in: container)?.codec,
        let encoding = PlainDecoder.Encoding(codec),
        let plain = PlainDecoder(samples, encoding, plan.source, header)
      {
        return plain
      }
      if let blocks = IMABlocks(plan, header) { return IMADecoder(blocks, view, header) }
      return sound
    } catch {
      guard error.code == .damagedFile else { throw error }
      throw .damaged(path, plan.signature.container, underlying: error.underlying ?? "")
    }
  }

  /// The decoder of AAC, if this build has one.
  private static func opened(
    _ aac: AACStream,
    _ source: ByteSource,
    fromPacket packet: Int,
    path: String
  ) throws(AudioFileError) -> (any FrameSource & ~Copyable)? {
    #if LibAVCodec
      var decoder = try AACDecoder(aac, source, fromPacket: packet, path: path)
      if packet == 0, decoder.turnsOutHighEfficiency() { throw .unreadableAAC(path) }
      return decoder
    #else
      nil
    #endif
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

  fileprivate static func needsAAC(_ path: String) -> AudioFileError {
    AudioFileError(
      .traitNeeded,
      path: path,
      message:
        "\(path) holds AAC, which is decoded only where the package's trait LibAVCodec is on. Depend on Spatial3D with"
        + " traits: [\"LibAVCodec\"], or convert the file to Ogg Vorbis or FLAC."
    )
  }
}
