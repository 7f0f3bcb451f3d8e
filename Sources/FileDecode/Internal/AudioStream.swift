/// What can be told of a file before it is decoded.
struct AudioStream: Sendable {
  let signature: FileSignature
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
    _ handle: borrowing SoundHandle,
    _ signature: FileSignature,
    _ source: ByteSource,
    path: String
  ) throws(AudioFileError) {
    let container = signature.container
    guard let subFormat = SubFormat(libsndfile: handle.format, in: container) else {
      throw .undecodable(path, codec: "an encoding", in: container)
    }
    guard Gate.channelCounts.contains(handle.channelCount) else {
      throw .channelCount(handle.channelCount, path)
    }
    guard Gate.sampleRates.contains(handle.sampleRate) else {
      throw .sampleRate(handle.sampleRate, path)
    }
    self.signature = signature
    self.subFormat = subFormat
    let layout = ChannelLayout(channelCount: handle.channelCount)
    format = PCMFormat(sampleRate: handle.sampleRate, layout: layout)
    // libsndfile reports SF_COUNT_MAX, which is Int64.max, where it does not know.
    let isKnown = (0..<Int.max).contains(handle.frames)
    claim = isKnown && !signature.lacksFrameCount ? handle.frames : nil
    frameCount = subFormat.density.plausible(claim, byteCount: source.size)
    isCut = try AudioStream.isCut(container, isKnown: isKnown, source, path: path)
    let isVorbisOrder = subFormat.encoding == .vorbis || subFormat.encoding == .opus
    channelOrder = isVorbisOrder ? .waveFromVorbis(channelCount: handle.channelCount) : nil
  }

  /// libsndfile takes a WAV or AIFF file that ends early for a shorter one, and for Ogg it only no longer knows the
  /// length, so that these are looked at here.
  private static func isCut(
    _ container: Container,
    isKnown: Bool,
    _ source: ByteSource,
    path: String
  ) throws(AudioFileError) -> Bool {
    do {
      if container == .ogg {
        guard !isKnown else { return false }
        let start = max(source.size - OggPage.maximumSize, 0)
        return try !OggPage.endsStream(source.bytes(at: start, count: OggPage.maximumSize))
      }
      let chunk = try AudioChunk(in: container) { (offset, count) throws(SystemError) in
        try source.bytes(at: offset, count: count)
      }
      return chunk?.isCut(inFileOf: source.size) ?? false
    } catch {
      throw .reading(path, error)
    }
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
