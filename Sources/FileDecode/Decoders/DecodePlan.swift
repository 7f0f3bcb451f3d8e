/// The plan for decoding a file: the content of its own headers, and the view for the decoder.
struct DecodePlan: Sendable {
  let signature: FileSignature

  /// The view for the decoder.
  let view: SplicedBytes

  /// The kind of file in the view: some files are packed anew for the decoder.
  let decodedContainer: Container

  /// Whether the file is shorter than promised, as far as its headers show it.
  private(set) var isCut = false

  /// The file's own packet table; `nil` if the numbers follow from the decoded frames.
  private(set) var table: PacketTable?

  /// The packets of MPEG audio.
  private(set) var mpeg: MPEGScan?

  /// The packets of AAC.
  private(set) var aac: AACStream?

  /// The file's bytes.
  let source: ByteSource

  /// The position of the samples, if they have 16 bits or are floating-point.
  private(set) var plain: PlainSamples?

  /// The block format of a WAV file.
  private(set) var wave: WaveFormat?

  /// Whether to hide the end of the bytes from the decoder.
  ///
  /// libsndfile guesses the length of an MP3 from its size and stops there; it loses most of some files.
  var hidesEnd: Bool { mpeg != nil }

  /// The number of frames in all packets, if libsndfile is not the source for it.
  var totalFrames: Int? { mpeg == nil && aac == nil ? nil : table?.totalFrames }
}

extension DecodePlan {
  /// Parses the headers of a file; throws if it cannot be decoded.
  init(
    _ source: ByteSource,
    reading bytes: ByteReading<AudioFileError>,
    path: String
  ) throws(AudioFileError) {
    let signature = try FormatCheck.signature(reading: bytes, path: path)
    self.signature = signature
    self.source = source
    func damaged(_ reason: String) -> AudioFileError { .damaged(path, signature.container, underlying: reason) }
    let chunk = try AudioChunk(in: signature.container, reading: bytes)
    isCut = chunk?.isCut(inFileOf: source.size) ?? false
    plain = try PlainSamples(in: signature.container, chunk, reading: bytes)
    decodedContainer =
      switch signature.container {
      case .mp4: .caf
      case .caf where CAFPacking.isIMA4(signature): .aiff
      default: signature.container
      }
    switch signature.container {
    case .mpeg:
      guard let scan = try MPEGScan(from: signature.offset, reading: bytes), scan.packetCount > 0 else {
        throw damaged("no packet with sound")
      }
      mpeg = scan
      table = scan.table
      isCut = scan.isCut
      view = SplicedBytes(source, mpeg: scan, ranges: scan.ranges)
    case .caf:
      guard let chunk, let structure = try CAFStructure(chunk, fileSize: source.size, reading: bytes) else {
        throw damaged("chunks that are needed are missing")
      }
      table = structure.table
      isCut = structure.isCut(chunk, fileSize: source.size)
      if structure.format.hasPrefix("aac") {
        aac = AACStream(structure, try ChannelLayout(channelCount: structure.channelCount, in: .caf, reading: bytes))
        view = SplicedBytes(source, [])
        guard aac != nil else { throw damaged("no description of the codec") }
      } else {
        guard let header = CAFPacking.header(structure) else { throw damaged("no description of the codec") }
        view = SplicedBytes(source, [.bytes(header), .file(structure.packetRange)])
      }
    case .mp4:
      guard let movie = try MPEG4Track.movie(fileSize: source.size, reading: bytes),
        let track = MPEG4Track(movie, fileSize: source.size)
      else { throw damaged("no sound track") }
      table = track.table
      isCut = track.isCut
      switch track.codec {
      case "alac": view = SplicedBytes(source, [.bytes(CAFPacking.header(track))] + SplicedBytes.merged(track.packets))
      case "mp4a":
        aac = AACStream(track)
        view = SplicedBytes(source, [])
      case let other: throw .undecodable(path, codec: "\(DecodePlan.printable(other)) in an MPEG-4 file")
      }
    case .adts:
      guard let scan = try ADTSScan(from: signature.offset, reading: bytes) else {
        throw damaged("no packet with sound")
      }
      guard !scan.hasHiddenBlocks else { throw .undecodable(path, codec: "AAC with several checksums in a packet") }
      table = scan.table
      isCut = scan.isCut
      aac = AACStream(scan)
      view = SplicedBytes(source, [])
    case .wav, .rf64, .w64:
      wave = try WaveFormat(in: signature.container, reading: bytes)
      view = SplicedBytes(source, signature.container, from: signature.offset, chunk)
    case .ogg where signature.isVorbis:
      // libvorbis drops frames behind the position of the last page only if that page has the mark of the end, and
      // libsndfile always does. It finds no last page in front of other bytes, and then decodes every packet.
      let isMarked = try OggPage.endsStream(inFileOf: source.size, reading: bytes)
      let start = min(signature.offset, source.size)
      let headers = try OggPage.endOfHeaders(from: start, reading: bytes)
      let pieces: [SplicedBytes.Piece] =
        headers.map { [.file(start..<$0.range.lowerBound), .bytes($0.page), .file($0.range.upperBound..<source.size)] }
        ?? [.file(start..<source.size)]
      view = SplicedBytes(source, pieces + (isMarked ? [] : [.bytes([0])]))
    case .aiff, .flac, .ogg, .au:
      view = SplicedBytes(source, signature.container, from: signature.offset, chunk)
    }
  }

  /// A codec's four characters in a form for a sentence.
  private static func printable(_ name: String) -> String {
    name.unicodeScalars.allSatisfy { (0x20..<0x7F).contains($0.value) } ? "codec \(name)" : "a codec without a name"
  }
}
