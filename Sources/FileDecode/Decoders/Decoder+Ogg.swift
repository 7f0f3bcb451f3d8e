extension Decoder {
  /// The headers of an Ogg file; `nil` if it cannot have an index.
  private mutating func oggHeaders() throws(AudioFileError) -> OggStreamHeaders? {
    if oggIndex == nil {
      let bytes = stream.plan.view.reader(path: path)
      let headers = try OggStreamHeaders(sampleRate: stream.format.sampleRate, reading: bytes)
      oggIndex = .some(headers.map { OggSeekIndex($0) })
    }
    return oggIndex??.headers
  }

  /// The packet of an Ogg file from which decoding reaches a frame exactly; `nil` if only the whole file reaches it.
  mutating func oggStart(toFrame frame: Int) throws(AudioFileError) -> OggSeekIndex.Start? {
    guard try oggHeaders() != nil else { return nil }
    return try oggIndex??.start(toFrame: frame, reading: stream.plan.view.reader(path: path))
  }

  /// Decodes an Ogg file from a packet on, and returns whether the packet is still there.
  mutating func replaceFrames(from start: OggSeekIndex.Start) throws(AudioFileError) -> Bool {
    guard let headers = try oggHeaders() else { return false }
    if try useLibAVCodec(from: start) { return true }
    guard let view = try stream.plan.view.starting(at: start, behind: headers, path: path) else { return false }
    try replaceFrames(view, position: start.frame)
    return true
  }

  /// The use of libavcodec for a file of Vorbis.
  enum LibAVCodecUse {
    /// The first frame decides.
    case possible
    case active
    case ruledOut

    init(_ codec: AudioCodec) {
      #if LibAVCodec
        self = codec == .vorbis ? .possible : .ruledOut
      #else
        self = .ruledOut
      #endif
    }
  }

  /// Lets libavcodec decode a regular file of Vorbis, from its beginning or from a packet on.
  ///
  /// Returns `false` if libsndfile should decode the file, or if the build has no libavcodec.
  mutating func useLibAVCodec(from start: OggSeekIndex.Start?) throws(AudioFileError) -> Bool {
    #if LibAVCodec
      guard libAVCodecUse != .ruledOut else { return false }
      guard let decoder = try vorbisDecoder(from: start) else {
        libAVCodecUse = .ruledOut
        return false
      }
      libAVCodecUse = .active
      frames = consume decoder
      setPosition(start?.frame ?? 0)
      return true
    #else
      return false
    #endif
  }

  #if LibAVCodec
    private mutating func vorbisDecoder(from start: OggSeekIndex.Start?) throws(AudioFileError) -> VorbisDecoder? {
      guard let header = stream.header, (1..<Int.max).contains(header.frames), let headers = try oggHeaders(),
        let packets = OggPackets(headers, frameCount: header.frames, from: start),
        var decoder = VorbisDecoder(packets, stream.plan.view, header)
      else { return nil }
      do throws(SystemError) {
        // A file that was replaced meanwhile is reported at once.
        guard try decoder.readPage() else { return nil }
      } catch {
        throw .reading(path, error)
      }
      return decoder
    }
  #endif

  /// Lets libsndfile decode the rest of an Ogg file, from the position on.
  mutating func leaveLibAVCodec() throws(AudioFileError) {
    let (target, start) = (position, frames?.lastStart)
    libAVCodecUse = .ruledOut
    setPosition(target, isBroken: true)
    // libavcodec may have refused a packet in front of the start.
    if let start, start.frame <= target { _ = try replaceFrames(from: start) }
    try move(to: target)
  }
}
