import FileDecode

/// The codec of an output, which keeps the samples of the input where the output can hold them.
struct OutputEncoding: Equatable {
  /// The codec, or in a FLAC file the sample type; `nil` for the only one of the kind of file.
  let codec: AudioCodec?
  /// The samples that the output holds instead of the input's; `nil` where nothing is lost.
  let loss: String?

  /// The encoding that the options ask for.
  enum Request: Equatable {
    case usual
    /// Integers or floats.
    case pcm
    case codec(AudioCodec)
  }

  /// The encoding for an input of a codec and a depth, in a file with an extension.
  init(of input: AudioCodec, bitDepth: Int?, in fileExtension: String, _ request: Request = .usual) {
    let isFloat = [AudioCodec.float32, .float64].contains(input)
    // A codec without samples, such as Vorbis, has no depth.
    let depth = bitDepth ?? 16
    /// The words for samples that an encoding of integers, up to a depth, does not hold.
    func loss(beyond held: Int) -> String? {
      guard isFloat || depth > held else { return nil }
      return "\(min(depth, held))-bit integers, and the input \(depth)-bit \(isFloat ? "floats" : "integers")"
    }
    switch request {
    case .usual where ["ogg", "opus", "mp3"].contains(fileExtension):
      (codec, self.loss) = (nil, nil)
    case .usual where fileExtension == "flac":
      (codec, self.loss) = (depth <= 16 ? .int16 : .int24, loss(beyond: 24))
    case .codec(.alac):
      (codec, self.loss) = (.alac, loss(beyond: 16))
    case .usual, .pcm:
      if isFloat {
        (codec, self.loss) = (.float32, depth > 32 ? "32-bit floats, and the input \(depth)-bit floats" : nil)
      } else {
        // Samples are floats of 32 bits in between, which hold integers of 24 bits.
        let lost = depth > 24 ? "the upper 24 bits of each sample, and the input \(depth)" : nil
        (codec, self.loss) = (depth <= 16 ? .int16 : depth <= 24 ? .int24 : .int32, lost)
      }
    // A sample type that was asked for is no loss to report.
    case .codec(let codec):
      (self.codec, self.loss) = (codec, nil)
    }
  }
}
