extension Effect {
  /// An overdriven loudspeaker.
  public struct Distortion: Hashable, Sendable {
    /// The strength of the distortion.
    ///
    /// Range: 0 to 1. Default: 0.2 (`AL_DISTORTION_EDGE`).
    public var edge: Float

    /// The gain of the result.
    ///
    /// Range: 0.01 to 1. Default: 0.05 (`AL_DISTORTION_GAIN`).
    public var gain: Gain

    /// The cutoff of the low-pass filter ahead of the distortion.
    ///
    /// Range: 80 to 24,000 hertz, and to 1.88 of the mix's rate. Default: 8,000
    /// (`AL_DISTORTION_LOWPASS_CUTOFF`).
    public var lowPassCutoff: Float

    /// The middle of the band-pass filter behind the distortion.
    ///
    /// Range: 80 to 24,000 hertz, and to 1.88 of the mix's rate. Default: 3,600 (`AL_DISTORTION_EQCENTER`).
    public var center: Float

    /// The width of the band-pass filter.
    ///
    /// Range: 80 to 24,000 hertz. Default: 3,600 (`AL_DISTORTION_EQBANDWIDTH`).
    ///
    /// The library's filter has NaN coefficients if the band is wider than about 150 times ``center``, or less near
    /// 1.88 of the mix's rate. The widest valid band replaces it, which sounds the same. A diagnostic with the code
    /// ``Diagnostic/Code/effectLimited`` reports this, and a frequency above its limit.
    public var bandwidth: Float

    /// A distortion; the defaults are OpenAL's own.
    public init(
      edge: Float = 0.2,
      gain: Gain = 0.05,
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
      distortion.gain = gain.clamped(to: Gain(0.01) ... .unity)
      for frequency in [\Self.lowPassCutoff, \.center, \.bandwidth] {
        distortion[keyPath: frequency] = self[keyPath: frequency].clamped(to: 80...24_000)
      }
      return distortion
    }
  }
}
