internal import CSpatial3DSndFile

/// A container and an encoding that this library decodes, from libsndfile's format number.
///
/// libsndfile reads more. This list omits formats without a use in games, and decoders with little testing.
struct SubFormat: Hashable {
  /// The kinds of encoding that need different treatment.
  enum Encoding { case integer, float, adpcm, alac, flac, vorbis, opus, mpeg }

  let encoding: Encoding

  /// The public name of the codec.
  let codec: AudioCodec

  /// Whether the encoding stores, or decodes to, integers of 16 bits or fewer.
  let isExactAsInt16: Bool

  /// A supported combination; `nil` for any other, and for one that contradicts the file's first bytes.
  init?(libsndfile format: Int32, in container: Container) {
    codec = SubFormat.codec(Int(format) & SF_FORMAT_SUBMASK, in: container)
    isExactAsInt16 = SubFormat.int16Encodings.contains(Int(format) & SF_FORMAT_SUBMASK)
    guard SubFormat.majors(of: container).contains(Int(format) & SF_FORMAT_TYPEMASK) else { return nil }
    switch (container, Int(format) & SF_FORMAT_SUBMASK) {
    case (.flac, SF_FORMAT_PCM_S8), (.flac, SF_FORMAT_PCM_16), (.flac, SF_FORMAT_PCM_24): encoding = .flac
    case (.ogg, SF_FORMAT_VORBIS): encoding = .vorbis
    case (.ogg, SF_FORMAT_OPUS): encoding = .opus
    case (.mpeg, SF_FORMAT_MPEG_LAYER_I), (.mpeg, SF_FORMAT_MPEG_LAYER_II), (.mpeg, SF_FORMAT_MPEG_LAYER_III):
      encoding = .mpeg
    case (.flac, _), (.ogg, _), (.mpeg, _): return nil
    case (_, SF_FORMAT_PCM_S8), (_, SF_FORMAT_PCM_U8), (_, SF_FORMAT_PCM_16), (_, SF_FORMAT_PCM_24),
      (_, SF_FORMAT_PCM_32), (_, SF_FORMAT_ULAW), (_, SF_FORMAT_ALAW):
      encoding = .integer
    case (_, SF_FORMAT_FLOAT), (_, SF_FORMAT_DOUBLE): encoding = .float
    case (_, SF_FORMAT_IMA_ADPCM), (_, SF_FORMAT_MS_ADPCM): encoding = .adpcm
    case (.caf, SF_FORMAT_ALAC_16), (.caf, SF_FORMAT_ALAC_20), (.caf, SF_FORMAT_ALAC_24), (.caf, SF_FORMAT_ALAC_32):
      encoding = .alac
    default: return nil
    }
  }

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

  /// Whether libsndfile jumps to the exact frame.
  ///
  /// In Ogg it lands near the frame, or returns garbled frames. In MPEG audio it cannot determine the position of a
  /// packet.
  var hasExactJumps: Bool {
    switch encoding {
    case .integer, .float, .adpcm, .alac, .flac: true
    case .mpeg, .vorbis, .opus: false
    }
  }

  private static func codec(_ minor: Int, in container: Container) -> AudioCodec {
    switch (container, minor) {
    case (.flac, _): .flac
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
    case (_, SF_FORMAT_VORBIS): .vorbis
    case (_, SF_FORMAT_OPUS): .opus
    case (_, SF_FORMAT_MPEG_LAYER_I): .mp1
    case (_, SF_FORMAT_MPEG_LAYER_II): .mp2
    case (_, SF_FORMAT_MPEG_LAYER_III): .mp3
    default: .alac
    }
  }

  /// Whether samples can decode to a value that is not a finite number.
  var mayBeNonFinite: Bool {
    switch encoding {
    case .integer, .adpcm, .alac, .flac: false
    case .float, .vorbis, .opus, .mpeg: true
    }
  }

  /// The size limits of the encoding.
  var plausibility: SizePlausibility {
    switch encoding {
    case .integer, .float, .adpcm: .fixed
    case .alac, .flac, .vorbis, .opus, .mpeg: .packets
    }
  }
}
