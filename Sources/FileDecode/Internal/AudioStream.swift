/// What can be told of a file before it is decoded.
struct AudioStream: Sendable {
  let plan: FilePlan

  /// What libsndfile reported; `nil` where another decoder is to read the file.
  let header: SoundHandle.Header?

  /// How libsndfile calls what it decodes; `nil` where another decoder is to read the file.
  let subFormat: SubFormat?

  let codec: AudioCodec
  let format: PCMFormat

  /// How many of the decoded frames come before the first that is delivered.
  let lead: Int

  /// The decoded frame that the sound ends before; `nil` where nothing says.
  let end: Int?

  /// How many frames the sound has, if a file of this size can hold that much.
  let frameCount: Int?

  /// Whether the file ends before what its header promises does.
  let isCut: Bool

  /// How the decoder's channels become those of the format.
  let channelOrder: ChannelOrder?

  /// The numbers of the packets; `nil` where the file has to be walked for them.
  let table: PacketTable?

  /// How many frames there can be.
  let density: FrameDensity

  /// Checks what libsndfile reported, before a frame is decoded.
  init(
    _ header: SoundHandle.Header,
    _ plan: FilePlan,
    _ source: ByteSource,
    trimming: AudioTrimming,
    path: String
  ) throws(AudioFileError) {
    let container = plan.signature.container
    guard let subFormat = SubFormat(libsndfile: header.format, in: plan.decodedContainer) else {
      throw .undecodable(path, codec: "an encoding", in: container)
    }
    try Gate.check(channelCount: header.channelCount, sampleRate: header.sampleRate, path: path)
    self.plan = plan
    self.header = header
    self.subFormat = subFormat
    codec = subFormat.codec
    density = subFormat.density
    // libsndfile reports SF_COUNT_MAX, which is Int64.max, where it does not know.
    let isKnown = (0..<Int.max).contains(header.frames)
    let decoded = plan.totalFrames ?? (isKnown ? header.frames : nil)
    let table = AudioStream.table(plan, subFormat, decoded: decoded)
    self.table = table
    let trims = trimming == .automatic
    // The decoders of Ogg deliver nothing but the sound, so that there is no table yet.
    let priming = trims ? min(table?.primingFrames ?? 0, decoded ?? 0) : 0
    let valid = trims ? table?.validFrames ?? decoded.map { $0 - priming } : decoded
    lead = priming
    end = valid.map { priming + $0 }
    frameCount = density.plausible(valid, byteCount: source.size)
    channelOrder = ChannelOrder.wave(from: subFormat.encoding, channelCount: header.channelCount)
    do throws(SystemError) {
      // What a header says of Apple Lossless' own order no longer holds.
      let layout =
        subFormat.encoding == .alac
        ? ChannelLayout.usual(channelCount: header.channelCount)
        : try ChannelLayout(channelCount: header.channelCount, in: container) {
          (offset, count) throws(SystemError) in try source.bytes(at: offset, count: count)
        }
      format = PCMFormat(sampleRate: header.sampleRate, layout: layout)
      let lacksLastPage = try AudioStream.lacksLastPage(container, isKnown: isKnown, source)
      isCut = plan.isCut || lacksLastPage
    } catch {
      throw .reading(path, error)
    }
  }

  /// What is known of a file of AAC.
  init(_ aac: AACStream, _ plan: FilePlan, trimming: AudioTrimming, path: String) throws(AudioFileError) {
    try Gate.check(channelCount: aac.format.channelCount, sampleRate: aac.format.sampleRate, path: path)
    self.plan = plan
    header = nil
    subFormat = nil
    codec = .aac
    format = aac.format
    table = plan.table
    let total = plan.totalFrames ?? 0
    let trims = trimming == .automatic
    let priming = trims ? min(table?.primingFrames ?? 0, total) : 0
    let valid = trims ? table?.validFrames ?? total - priming : total
    lead = priming
    end = priming + valid
    frameCount = valid
    isCut = plan.isCut
    // ffmpeg's decoder delivers the order of WAVE.
    channelOrder = nil
    density = .packets
  }

  /// The numbers of the packets, as far as what is decoded bears them out.
  private static func table(_ plan: FilePlan, _ subFormat: SubFormat, decoded: Int?) -> PacketTable? {
    if plan.mpeg != nil { return plan.table }
    if var table = plan.table {
      // The last packet of Apple Lossless may be a short one, which its decoder knows better than the table.
      if let decoded, let priming = table.primingFrames, let valid = table.validFrames, let total = table.totalFrames {
        let fitting = min(valid, max(decoded - priming, 0))
        table.validFrames = fitting
        table.remainderFrames = max(total - priming - fitting, 0)
      }
      return table
    }
    switch (subFormat.encoding, plan.signature.container) {
    case (.vorbis, _), (.opus, _): return nil
    case (.adpcm, .aiff):
      return PacketTable(
        packetCount: decoded.map { $0 / 64 },
        framesPerPacket: 64,
        primingFrames: 0,
        validFrames: decoded,
        remainderFrames: 0,
        totalFrames: decoded
      )
    case (.adpcm, _): return decoded.flatMap { plan.wave?.table(decoded: $0) } ?? .plain(frames: decoded)
    case (.flac, _):
      return PacketTable(primingFrames: 0, validFrames: decoded, remainderFrames: 0, totalFrames: decoded)
    default: return .plain(frames: decoded)
    }
  }

  /// libsndfile takes most files that end early for shorter ones, and for Ogg it only no longer knows the length, so
  /// that the end is looked at here.
  private static func lacksLastPage(
    _ container: Container,
    isKnown: Bool,
    _ source: ByteSource
  ) throws(SystemError) -> Bool {
    guard container == .ogg, !isKnown else { return false }
    let start = max(source.size - OggPage.maximumSize, 0)
    return try !OggPage.endsStream(source.bytes(at: start, count: OggPage.maximumSize))
  }
}

extension Gate {
  /// Throws the sentence that says that a file has too many channels, or a rate that nothing plays.
  static func check(channelCount: Int, sampleRate: Int, path: String) throws(AudioFileError) {
    guard channelCounts.contains(channelCount) else { throw .channelCount(channelCount, path) }
    guard sampleRates.contains(sampleRate) else { throw .sampleRate(sampleRate, path) }
  }
}

extension AudioFileError {
  fileprivate static func channelCount(_ count: Int, _ path: String) -> AudioFileError {
    AudioFileError(
      .unsupportedFormat,
      path: path,
      message: "\(path) has \(count) channels. Files with \(Gate.channelCounts.lowerBound) to"
        + " \(Gate.channelCounts.upperBound) channels can be read: split or mix it down."
    )
  }

  fileprivate static func sampleRate(_ rate: Int, _ path: String) -> AudioFileError {
    AudioFileError(
      .unsupportedFormat,
      path: path,
      message: "\(path) has a sample rate of \(rate) Hz. Files of \(Gate.sampleRates.lowerBound) to"
        + " \(Gate.sampleRates.upperBound) Hz can be read: resample it."
    )
  }
}
