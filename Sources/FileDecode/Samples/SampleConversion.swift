/// Conversions of samples from one type to another, a block at a time.
enum SampleConversion {
  /// The number of frames in a block: more is not faster, and fewer is slower.
  static let blockSize = 4_096

  /// Replaces values that are not finite numbers by silence.
  ///
  /// A float file may hold such values, and a single one would silence or blow up a mix.
  static func silenceNonFinite(_ samples: inout MutableSpan<Float>) {
    for index in samples.indices {
      let sample = samples[index]
      // A difference from itself that is not zero means an infinite value or not a number.
      samples[index] = sample - sample == 0 ? sample : 0
    }
  }

  /// Appends samples as another type, clipped to its range.
  @specialized(where From == Float, To == Int16)
  @specialized(where From == Float, To == Float)
  @specialized(where From == Int16, To == Int16)
  @specialized(where From == Int16, To == Float)
  static func append<From: PCMSample, To: PCMSample>(_ samples: Span<From>, to output: inout OutputSpan<To>) {
    for index in samples.indices {
      output.append(To(signal: samples[index].signal))
    }
  }

  /// Appends samples as integers of a number of bits in the upper bits of 32, rounded and clipped.
  @specialized(where From == Float)
  @specialized(where From == Int16)
  static func append<From: PCMSample>(_ samples: Span<From>, bits: Int, to output: inout OutputSpan<Int32>) {
    for index in samples.indices {
      output.append(integer(signal: samples[index].signal, bits: bits))
    }
  }

  /// The nearest step of an integer of 2 to 32 bits, clipped, in the upper bits of 32; silence for a value that is not
  /// a number.
  static func integer(signal: Float, bits: Int) -> Int32 {
    guard !signal.isNaN else { return 0 }
    let scale = Double(Int64(1) << (bits - 1))
    let step = min(max((Double(signal) * scale).rounded(), -scale), scale - 1)
    return Int32(truncatingIfNeeded: Int64(step) << (32 - bits))
  }
}
