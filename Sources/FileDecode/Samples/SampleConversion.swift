/// Conversions of samples from one type to another, a block at a time.
enum SampleConversion {
  /// The number of frames in a block: more is not faster, and fewer is slower.
  static let blockSize = 4_096

  /// Replaces values that are not finite numbers by silence.
  ///
  /// A float file may hold such values, and a single one would silence or blow up a mix. Reads each sample once, and
  /// writes nothing to a part of the memory whose samples are all between -2 and 2.
  static func silenceNonFinite(_ samples: inout MutableSpan<Float>) {
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      var start = 0
      while start < samples.count {
        let end = min(start + partSize, samples.count)
        // The index of each loop is below `end`, and so in bounds. The compiler vectorizes both loops.
        var union: UInt32 = 0
        for index in start..<end { unsafe union |= samples[index].bitPattern }
        // The highest bit of the exponent is set from 2 on, and in all values that are not finite numbers.
        if union & 0x4000_0000 != 0 {
          for index in start..<end {
            let bits = unsafe samples[index].bitPattern
            // All bits of the exponent are set in an infinite value and in what is not a number.
            unsafe samples[index] = Float(bitPattern: bits & 0x7F80_0000 == 0x7F80_0000 ? 0 : bits)
          }
        }
        start = end
      }
    }
  }

  /// The number of samples in a part that has a check of its own.
  private static let partSize = 1_024

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
