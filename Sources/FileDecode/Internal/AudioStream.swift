/// What can be told of a file before it is decoded.
struct AudioStream: Sendable {
  let signature: FileSignature

  /// What libsndfile reported.
  let header: SoundHandle.Header

  let subFormat: SubFormat
  let format: PCMFormat

  /// How many frames the file claims to have; `nil` where it claims nothing.
  let claim: Int?

  /// The claim, if a file of this size can hold that much.
  let frameCount: Int?

  /// Whether the file ends before what its header promises does.
  let isCut: Bool

  /// How the decoder's channels become those of the format.
  let channelOrder: ChannelOrder?

  /// Checks what libsndfile reported, before a frame is decoded.
  init(
    _ header: SoundHandle.Header,
    _ signature: FileSignature,
    _ chunk: AudioChunk?,
    _ source: ByteSource,
    path: String
  ) throws(AudioFileError) {
    let container = signature.container
    guard let subFormat = SubFormat(libsndfile: header.format, in: container) else {
      throw .undecodable(path, codec: "an encoding", in: container)
    }
    guard Gate.channelCounts.contains(header.channelCount) else {
      throw .channelCount(header.channelCount, path)
    }
    guard Gate.sampleRates.contains(header.sampleRate) else {
      throw .sampleRate(header.sampleRate, path)
    }
    self.signature = signature
    self.header = header
    self.subFormat = subFormat
    // libsndfile reports SF_COUNT_MAX, which is Int64.max, where it does not know.
    let isKnown = (0..<Int.max).contains(header.frames)
    claim = isKnown && !signature.lacksFrameCount ? header.frames : nil
    frameCount = subFormat.density.plausible(claim, byteCount: source.size)
    let isVorbisOrder = subFormat.encoding == .vorbis || subFormat.encoding == .opus
    channelOrder = isVorbisOrder ? .waveFromVorbis(channelCount: header.channelCount) : nil
    do {
      let layout = try ChannelLayout(channelCount: header.channelCount, in: container) {
        (offset, count) throws(SystemError) in try source.bytes(at: offset, count: count)
      }
      format = PCMFormat(sampleRate: header.sampleRate, layout: layout)
      if let chunk {
        isCut = chunk.isCut(inFileOf: source.size)
      } else {
        isCut = try AudioStream.lacksLastPage(container, isKnown: isKnown, source)
      }
    } catch {
      throw .reading(path, error)
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
