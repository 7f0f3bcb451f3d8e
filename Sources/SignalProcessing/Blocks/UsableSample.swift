/// The sample, or 0 for a sample that is not finite, or beyond ±1e25.
@inline(__always)
func usableSample(_ sample: Float) -> Float {
  // The comparison is false for what is not a number.
  sample.magnitude <= ProcessingLimits.largestSample ? sample : 0
}
