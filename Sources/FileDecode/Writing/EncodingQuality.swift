/// How closely a lossy codec keeps the sound, by a quality or by a bit rate.
public enum EncodingQuality: Hashable, Sendable {
  /// A quality from 0, the smallest file, to 1, the best sound; the bit rate follows the sound.
  ///
  /// For Vorbis it is a tenth of the quality that its own encoder takes. For MP3 it selects the presets V9 to V0 of
  /// LAME. For Opus it selects a target of 6 to 256 kbit/s per channel.
  case variable(Double)

  /// Bits per second of all channels together.
  ///
  /// Opus takes 6,000 to 256,000 per channel as a target. MP3 takes a constant rate, of which the encoder chooses the
  /// nearest that the standard has: up to 320,000 from 32 kHz on, up to 160,000 from 16 kHz on, and up to 64,000 below.
  /// The lowest is 64,000 at 48 kHz, and less at lower rates: with smaller frames the encoder would leave out the
  /// length of the sound, and its file would begin with silence. Vorbis takes none.
  case bitRate(Int)
}

extension EncodingQuality {
  /// The values that ``bitRate(_:)`` takes for a codec and a format, in bits per second; `nil` for a codec that takes
  /// none.
  public static func bitRates(of codec: AudioCodec, in format: PCMFormat) -> ClosedRange<Int>? {
    switch codec {
    case .opus: 6_000 * format.channelCount...256_000 * format.channelCount
    case .mp3: lowestMP3Rate(format)...encoderRates(format).upperBound
    default: nil
    }
  }

  /// The values of an encoder of libsndfile.
  struct Setting: Hashable {
    /// The compression from 0, the best sound, to 1.
    let level: Double
    /// Whether each part of the sound gets the same number of bits; MP3 alone has the choice.
    let isConstant: Bool
  }

  /// A reason why an encoder does not take the quality.
  enum Refusal: Error, Hashable {
    /// The codec keeps the sound as it is.
    case lossless
    case noBitRate
    /// The value is not a number, or out of the range.
    case variable
    case bitRate(ClosedRange<Int>)
  }

  /// The values for the encoder of a codec.
  func setting(_ codec: AudioCodec, _ format: PCMFormat) throws(Refusal) -> Setting {
    switch (self, codec) {
    case (.variable(let quality), .vorbis), (.variable(let quality), .opus), (.variable(let quality), .mp3):
      guard (0...1).contains(quality) else { throw .variable }
      // LAME counts from 0 to just below 10, and libsndfile multiplies the level by 10.
      return Setting(level: codec == .mp3 ? 0.999 * (1 - quality) : 1 - quality, isConstant: false)
    case (.bitRate(let rate), _):
      guard let range = EncodingQuality.bitRates(of: codec, in: format) else {
        throw codec == .vorbis ? .noBitRate : .lossless
      }
      guard range.contains(rate) else { throw .bitRate(range) }
      if codec == .opus { return Setting(level: EncodingQuality.level(of: rate, in: range), isConstant: false) }
      let rates = EncodingQuality.encoderRates(format)
      // libsndfile computes whole kbit/s, without the fraction.
      let level = EncodingQuality.level(of: rate / 1_000 * 1_000, in: rates)
      let half = 500 / Double(rates.upperBound - rates.lowerBound)
      return Setting(level: max(level - half, 0), isConstant: true)
    default: throw .lossless
    }
  }

  /// The bit rates of MP3 between which libsndfile counts the compression.
  private static func encoderRates(_ format: PCMFormat) -> ClosedRange<Int> {
    switch format.sampleRate {
    case 32_000...: 32_000...320_000
    case 16_000...: 8_000...160_000
    default: 8_000...64_000
    }
  }

  /// The lowest bit rate of the standard whose frames hold LAME's tag, which has the length of the sound.
  ///
  /// The tag lies in the first frame, behind its header of 4 bytes and its side information, and has 156 bytes. Without
  /// it a file reads back with the delay of the encoder.
  private static func lowestMP3Rate(_ format: PCMFormat) -> Int {
    let isFirstVersion = format.sampleRate >= 32_000
    let sideInformation = format.channelCount == 1 ? (isFirstVersion ? 17 : 9) : (isFirstVersion ? 32 : 17)
    let rates = isFirstVersion ? [32, 40, 48, 56, 64] : [8, 16, 24, 32, 40, 48, 56, 64]
    let samples = isFirstVersion ? 144 : 72
    let lowest = rates.first { $0 * 1_000 * samples / max(format.sampleRate, 1) >= 160 + sideInformation }
    return (lowest ?? 64) * 1_000
  }

  /// The compression from 0 at the highest bit rate to 1 at the lowest.
  private static func level(of rate: Int, in range: ClosedRange<Int>) -> Double {
    Double(range.upperBound - rate) / Double(range.upperBound - range.lowerBound)
  }
}
