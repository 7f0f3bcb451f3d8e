/// Finds samples that no mix can take.
///
/// It reads the samples where they are. A cast of a generic array to `[Float]` copies the array, sample by sample, wherever the
/// function around it is not specialised: in every call from another module.
@safe enum SampleCheck {
  /// The first sample that is not finite or beyond the limit; `nil` where all are usable, as every `Int16` is.
  static func firstUnusable<Sample: PCMSample>(in samples: [Sample]) -> (index: Int, value: Float)? {
    guard Sample.self == Float.self else { return nil }
    // The array keeps its samples in place until the closure returns, and they are of the type that was asked about.
    return unsafe samples.withUnsafeBytes { unsafe firstUnusable(in: $0.assumingMemoryBound(to: Float.self)) }
  }

  /// The same for samples in memory that the caller holds.
  static func firstUnusable(in samples: UnsafeBufferPointer<Float>) -> (index: Int, value: Float)? {
    for index in samples.indices {
      // The index is one of the samples'.
      let value = unsafe samples[index]
      // A sample that is not a number is not below the limit either.
      if !(abs(value) <= Ranges.sample) { return (index, value) }
    }
    return nil
  }
}
