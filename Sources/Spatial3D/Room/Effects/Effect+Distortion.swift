extension Effect {
  /// An overdriven loudspeaker.
  public struct Distortion: Hashable, Sendable {
    /// How hard it is overdriven.
    ///
    /// Range: 0 to 1. Default: 0.2 (`AL_DISTORTION_EDGE`).
    public var edge: Float

    /// The gain of the result.
    ///
    /// Range: 0.01 to 1. Default: 0.05 (`AL_DISTORTION_GAIN`).
    public var gain: Float

    /// Above which frequency the sound is dull before.
    ///
    /// Range: 80 to 24,000 hertz, and to 1.88 of the mix's rate. Default: 8,000
    /// (`AL_DISTORTION_LOWPASS_CUTOFF`).
    public var lowPassCutoff: Float

    /// The middle of what is kept afterwards.
    ///
    /// Range: 80 to 24,000 hertz, and to 1.88 of the mix's rate. Default: 3,600 (`AL_DISTORTION_EQCENTER`).
    public var center: Float

    /// How wide that is.
    ///
    /// Range: 80 to 24,000 hertz. Default: 3,600 (`AL_DISTORTION_EQBANDWIDTH`).
    ///
    /// The library's filter is not a number where the band is wider than about 150 times ``center``, or less near 1.88
    /// of the mix's rate. The widest band of which it is one is used instead, which sounds the same, and reported with
    /// the code ``Diagnostic/Code/effectLimited``, as is a frequency above its limit.
    public var bandwidth: Float

    /// A distortion; what is left out is OpenAL's own.
    public init(
      edge: Float = 0.2,
      gain: Float = 0.05,
      lowPassCutoff: Float = 8_000,
      center: Float = 3_600,
      bandwidth: Float = 3_600
    ) {
      self.edge = edge
      self.gain = gain
      self.lowPassCutoff = lowPassCutoff
      self.center = center
      self.bandwidth = bandwidth
    }

    var clamped: Distortion {
      var distortion = self
      distortion.edge = edge.clamped(to: 0...1)
      distortion.gain = gain.clamped(to: 0.01...1)
      for frequency in [\Self.lowPassCutoff, \.center, \.bandwidth] {
        distortion[keyPath: frequency] = self[keyPath: frequency].clamped(to: 80...24_000)
      }
      return distortion
    }
  }
}
