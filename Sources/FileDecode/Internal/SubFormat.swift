internal import CSndFile

/// A container and an encoding that this library decodes, told from libsndfile's format number.
///
/// libsndfile reads more than this. What is left out has no place in a game and decoders that saw little testing.
struct SubFormat: Hashable {
  /// The kinds of encoding that are told apart.
  enum Encoding { case integer, float, adpcm, alac, flac, vorbis, opus, mpeg }

  let encoding: Encoding

  /// Whether the encoding stores, or decodes to, integers of 16 bits or fewer.
  let isExactAsInt16: Bool

  /// `nil` for a combination that is not decoded, and for one that does not fit what the file's first bytes said.
  init?(libsndfile format: Int32, in container: Container) {
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

  /// Those whose samples lose nothing as 16-bit integers.
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

  /// How many frames before the target libsndfile has to jump to, so that decoding up to it gives the right samples;
  /// `nil` where no jump can be trusted.
  ///
  /// In Ogg libsndfile lands near, or delivers garbled frames. An MP3 packet takes bits from those before it: at the
  /// lowest bit rates from two dozen, without which the decoder is silent.
  var seekPreRoll: Int? {
    switch encoding {
    case .integer, .float, .adpcm, .alac, .flac: 0
    case .mpeg: 32 * 1_152
    case .vorbis, .opus: nil
    }
  }

  /// How many frames must be decoded at once, for encodings where that makes a difference.
  ///
  /// Where an MPEG file breaks off, libsndfile drops all that it decoded in the same call: one packet at a time loses the
  /// least, and the same whatever is asked for.
  var packetSize: Int? { encoding == .mpeg ? 1_152 : nil }

  /// Whether samples can decode to something that is not a finite number.
  var mayBeNonFinite: Bool {
    switch encoding {
    case .integer, .adpcm, .alac, .flac: false
    case .float, .vorbis, .opus, .mpeg: true
    }
  }

  /// The size limits of the encoding.
  var density: FrameDensity {
    switch encoding {
    case .integer, .float, .adpcm: .fixed
    case .alac, .flac, .vorbis, .opus, .mpeg: .packets
    }
  }
}
