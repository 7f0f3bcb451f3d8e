internal import CSpatial3DSndFile

/// The encoder of a codec: libsndfile's number for it, and the samples that it takes.
struct EncoderSetup: Hashable {
  enum Samples: Hashable { case integer(bits: Int), float }

  let codec: AudioCodec
  let libsndfile: Int
  let samples: Samples

  /// The encoder of a codec; `nil` if this library only decodes it.
  init?(_ codec: AudioCodec) {
    let setup: (libsndfile: Int, samples: Samples)? =
      switch codec.kind {
      case .int16, .flac: (SF_FORMAT_PCM_16, .integer(bits: 16))
      case .int24: (SF_FORMAT_PCM_24, .integer(bits: 24))
      case .int32: (SF_FORMAT_PCM_32, .integer(bits: 32))
      case .float32: (SF_FORMAT_FLOAT, .float)
      case .alac: (SF_FORMAT_ALAC_16, .integer(bits: 16))
      case .vorbis: (SF_FORMAT_VORBIS, .float)
      case .opus: (SF_FORMAT_OPUS, .float)
      case .mp3: (SF_FORMAT_MPEG_LAYER_III, .float)
      case .int8, .float64, .aLaw, .muLaw, .imaADPCM, .msADPCM, .mp1, .mp2, .aac: nil
      }
    guard let setup else { return nil }
    self.codec = codec
    libsndfile = setup.libsndfile
    samples = setup.samples
  }
}
