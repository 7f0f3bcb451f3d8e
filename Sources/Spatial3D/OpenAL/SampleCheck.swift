/// Finds samples that no mix can take.
///
/// It reads the samples without a copy. A cast of a generic array to `[Float]` copies the array, sample by sample,
/// unless the surrounding function is specialised. A call from another module is never specialised.
@safe package enum SampleCheck {
  /// The first sample that is not finite or beyond the limit; `nil` where all are usable, as every `Int16` is.
  package static func firstUnusable<Sample: PCMSample>(in samples: [Sample]) -> (index: Int, value: Float)? {
    guard Sample.self == Float.self else { return nil }
    // The array keeps the address of its samples valid until the closure returns, and the guard has checked their type.
    return unsafe samples.withUnsafeBytes { unsafe firstUnusable(in: $0.assumingMemoryBound(to: Float.self)) }
  }

  /// The first unusable sample in memory that the caller holds.
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
