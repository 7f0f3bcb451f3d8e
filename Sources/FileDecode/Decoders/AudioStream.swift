/// The facts about a file that are known before decoding.
struct AudioStream: Sendable {
  let plan: DecodePlan

  /// The report of libsndfile; `nil` if another decoder reads the file.
  let header: SoundHandle.Header?

  /// The encoding according to libsndfile; `nil` if another decoder reads the file.
  let subFormat: SubFormat?

  let codec: AudioCodec
  let format: PCMFormat

  /// The number of decoded frames before the first delivered one.
  let lead: Int

  /// The decoded frame behind the sound's last; `nil` if it is unknown.
  let end: Int?

  /// The number of frames in the sound; `nil` if a file of this size cannot hold the claimed number.
  let frameCount: Int?

  /// Whether the file ends earlier than its header promises.
  let isCut: Bool

  /// The change from the decoder's channel order to the channel order of the format.
  let channelOrder: ChannelOrder?

  /// The packet table; `nil` if it takes a walk through the file.
  let table: PacketTable?

  /// The limits for the number of frames.
  let plausibility: SizePlausibility

  /// Checks the report of libsndfile, before the first frame is decoded.
  init(
    _ header: SoundHandle.Header,
    _ plan: DecodePlan,
    trimming: AudioTrimming,
    reading bytes: ByteReading<AudioFileError>,
    path: String
  ) throws(AudioFileError) {
    let container = plan.signature.container
    guard let subFormat = SubFormat(libsndfile: header.format, in: plan.decodedContainer) else {
      throw .undecodable(path, codec: "an encoding", in: container)
    }
    try FormatCheck.check(channelCount: header.channelCount, sampleRate: header.sampleRate, path: path)
    self.plan = plan
    self.header = header
    self.subFormat = subFormat
    codec = subFormat.codec
    plausibility = subFormat.plausibility
    // libsndfile reports SF_COUNT_MAX, which is Int64.max, for an unknown number.
    let isKnown = (0..<Int.max).contains(header.frames)
    let decoded = plan.totalFrames ?? (isKnown ? header.frames : nil)
    let table = AudioStream.table(plan, codec, decoded: decoded)
    self.table = table
    (lead, end) = AudioStream.sound(in: decoded, table, trimming)
    frameCount = plausibility.plausible(end.map { [lead] in $0 - lead }, byteCount: plan.source.size)
    channelOrder = ChannelOrder.wave(from: codec, channelCount: header.channelCount)
    // `channelOrder` changes the order of Apple Lossless, so the layout in the header no longer applies.
    let layout: ChannelLayout
    if codec == .alac {
      layout = .usual(channelCount: header.channelCount)
    } else if let wave = plan.wave {
      layout = ChannelLayout(channelCount: header.channelCount, mask: wave.channelMask)
    } else {
      layout = try ChannelLayout(channelCount: header.channelCount, in: container, reading: bytes)
    }
    format = PCMFormat(sampleRate: header.sampleRate, layout: layout)
    if container == .ogg, !isKnown {
      // libsndfile treats most files that end early as shorter files. For Ogg it only reports an unknown length.
      isCut = try !OggPage.endsStream(inFileOf: plan.source.size, reading: bytes)
    } else {
      isCut = plan.isCut
    }
  }

  /// The facts about a file of AAC.
  init(_ aac: AACStream, _ plan: DecodePlan, trimming: AudioTrimming, path: String) throws(AudioFileError) {
    try FormatCheck.check(channelCount: aac.format.channelCount, sampleRate: aac.format.sampleRate, path: path)
    self.plan = plan
    header = nil
    subFormat = nil
    codec = .aac
    format = aac.format
    table = plan.table
    (lead, end) = AudioStream.sound(in: plan.totalFrames ?? 0, table, trimming)
    frameCount = end.map { [lead] in $0 - lead }
    isCut = plan.isCut
    // FFmpeg's decoder returns channels in WAVE order.
    channelOrder = nil
    plausibility = .packets
  }

  /// The first decoded frame of the sound, and the decoded frame behind its last frame; `nil` if it is unknown.
  private static func sound(
    in decoded: Int?,
    _ table: PacketTable?,
    _ trimming: AudioTrimming
  ) -> (lead: Int, end: Int?) {
    guard trimming == .automatic else { return (0, decoded) }
    // The decoders of Ogg return nothing but the sound, so there is no table yet.
    let priming = min(table?.primingFrames ?? 0, decoded ?? 0)
    return (priming, table?.validFrames.map { priming + $0 } ?? decoded)
  }

  /// The packet table, as far as the decoded number of frames confirms it.
  private static func table(_ plan: DecodePlan, _ codec: AudioCodec, decoded: Int?) -> PacketTable? {
    if plan.mpeg != nil { return plan.table }
    if var table = plan.table {
      // The last packet of Apple Lossless may be a short one; its decoder is more reliable here than the table.
      if let decoded, let priming = table.primingFrames, let valid = table.validFrames, let total = table.totalFrames {
        let fitting = min(valid, max(decoded - priming, 0))
        table.validFrames = fitting
        table.remainderFrames = max(total - priming - fitting, 0)
      }
      return table
    }
    switch (codec.kind, plan.signature.container) {
    case (.vorbis, _), (.opus, _): return nil
    case (.imaADPCM, .aiff), (.msADPCM, .aiff):
      return PacketTable(packetCount: decoded.map { $0 / 64 }, framesPerPacket: 64, decoded: decoded)
    case (.imaADPCM, _), (.msADPCM, _):
      return decoded.flatMap { plan.wave?.table(decoded: $0) } ?? .plain(frames: decoded)
    case (.flac, _):
      return PacketTable(packetCount: nil, framesPerPacket: nil, decoded: decoded)
    default: return .plain(frames: decoded)
    }
  }
}
