internal import CSpatial3DSndFile

/// A container and an encoding that this library decodes, from libsndfile's format number.
///
/// libsndfile reads more. This list omits formats without a use in games, and decoders with little testing.
struct SubFormat: Hashable {
  let codec: AudioCodec

  /// The bits of a stored sample; `nil` where the encoding stores none.
  let bitDepth: Int?

  /// Whether the encoding stores, or decodes to, integers of 16 bits or fewer.
  let isExactAsInt16: Bool

  /// Whether libsndfile jumps to the exact frame.
  ///
  /// In Ogg it lands near the frame, or returns garbled frames. In MPEG audio it cannot determine the position of a
  /// packet.
  let hasExactJumps: Bool

  /// Whether samples can decode to a value that is not a finite number.
  let mayBeNonFinite: Bool

  /// The size limits of the encoding.
  let plausibility: SizePlausibility

  /// A supported combination; `nil` for any other, and for a combination that contradicts the file's first bytes.
  init?(libsndfile format: Int32, in container: Container) {
    let minor = Int(format) & SF_FORMAT_SUBMASK
    guard SubFormat.majors(of: container).contains(Int(format) & SF_FORMAT_TYPEMASK),
      let codec = SubFormat.codec(minor, in: container)
    else { return nil }
    self.codec = codec
    bitDepth = SubFormat.bitDepths[minor]
    isExactAsInt16 = SubFormat.int16Encodings.contains(minor)
    (hasExactJumps, mayBeNonFinite, plausibility) =
      switch codec.kind {
      case .int8, .int16, .int24, .int32, .aLaw, .muLaw, .imaADPCM, .msADPCM: (true, false, .fixed)
      case .float32, .float64: (true, true, .fixed)
      case .alac, .flac: (true, false, .packets)
      case .vorbis, .opus, .mp1, .mp2, .mp3, .aac: (false, true, .packets)
      }
  }

  private static let bitDepths = [
    SF_FORMAT_PCM_S8: 8, SF_FORMAT_PCM_U8: 8, SF_FORMAT_PCM_16: 16, SF_FORMAT_PCM_24: 24, SF_FORMAT_PCM_32: 32,
    SF_FORMAT_FLOAT: 32, SF_FORMAT_DOUBLE: 64, SF_FORMAT_ALAC_16: 16, SF_FORMAT_ALAC_20: 20, SF_FORMAT_ALAC_24: 24,
    SF_FORMAT_ALAC_32: 32,
  ]

  /// The encodings whose samples lose nothing as 16-bit integers.
  private static let int16Encodings = [
    SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8, SF_FORMAT_PCM_16, SF_FORMAT_ULAW, SF_FORMAT_ALAW, SF_FORMAT_IMA_ADPCM,
    SF_FORMAT_MS_ADPCM, SF_FORMAT_ALAC_16,
  ]

  /// The formats that libsndfile may report for a kind of file.
  private static func majors(of container: Container) -> [Int] {
    switch container {
    case .wav: [SF_FORMAT_WAV, SF_FORMAT_WAVEX]
    case .rf64: [SF_FORMAT_RF64]
    case .w64: [SF_FORMAT_W64]
    case .aiff: [SF_FORMAT_AIFF]
    case .caf: [SF_FORMAT_CAF]
    case .flac: [SF_FORMAT_FLAC]
    case .ogg: [SF_FORMAT_OGG]
    case .mpeg: [SF_FORMAT_MPEG]
    case .au: [SF_FORMAT_AU]
    case .mp4, .adts: []
    }
  }

  private static func codec(_ minor: Int, in container: Container) -> AudioCodec? {
    switch (container, minor) {
    case (.flac, SF_FORMAT_PCM_S8), (.flac, SF_FORMAT_PCM_16), (.flac, SF_FORMAT_PCM_24): .flac
    case (.ogg, SF_FORMAT_VORBIS): .vorbis
    case (.ogg, SF_FORMAT_OPUS): .opus
    case (.mpeg, SF_FORMAT_MPEG_LAYER_I): .mp1
    case (.mpeg, SF_FORMAT_MPEG_LAYER_II): .mp2
    case (.mpeg, SF_FORMAT_MPEG_LAYER_III): .mp3
    case (.flac, _), (.ogg, _), (.mpeg, _): nil
    case (_, SF_FORMAT_PCM_S8), (_, SF_FORMAT_PCM_U8): .int8
    case (_, SF_FORMAT_PCM_16): .int16
    case (_, SF_FORMAT_PCM_24): .int24
    case (_, SF_FORMAT_PCM_32): .int32
    case (_, SF_FORMAT_FLOAT): .float32
    case (_, SF_FORMAT_DOUBLE): .float64
    case (_, SF_FORMAT_ULAW): .muLaw
    case (_, SF_FORMAT_ALAW): .aLaw
    case (_, SF_FORMAT_IMA_ADPCM): .imaADPCM
    case (_, SF_FORMAT_MS_ADPCM): .msADPCM
    case (.caf, SF_FORMAT_ALAC_16), (.caf, SF_FORMAT_ALAC_20), (.caf, SF_FORMAT_ALAC_24), (.caf, SF_FORMAT_ALAC_32):
      .alac
    default: nil
    }
  }
}
