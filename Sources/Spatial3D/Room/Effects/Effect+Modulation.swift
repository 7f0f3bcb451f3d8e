extension Effect {
  /// A delay with a length that oscillates: the basis of a chorus and a flanger.
  public struct Modulation: Hashable, Sendable {
    /// The shape of the oscillation.
    public enum Waveform: String, Hashable, Sendable, CaseIterable, Codable {
      /// Round.
      case sine

      /// Even.
      case triangle
    }

    /// The shape of the oscillation.
    ///
    /// Default: ``Waveform/triangle``.
    public var waveform = Waveform.triangle

    /// The lead of the right side over the left, in degrees of the oscillation.
    ///
    /// Range: -180 to 180, in whole degrees.
    public var phase: Float

    /// The frequency of the oscillation, in hertz.
    ///
    /// Range: 0 to 10.
    public var rate: Float

    /// The part of the delay that oscillates.
    ///
    /// Range: 0 to 1.
    public var depth: Float

    /// The part of the result that is fed back; a negative one with its sign inverted.
    ///
    /// Range: -0.9999 to 0.9999: with OpenAL's -1 and 1 the effect of steady sound grows without bound.
    public var feedback: Float

    /// The middle of the oscillation.
    ///
    /// Range: 0 to 16 ms of a chorus, 0 to 4 ms of a flanger.
    public var delay: Duration

    /// OpenAL's own chorus (`AL_EFFECT_CHORUS`); change what differs.
    public static let chorus = Modulation(phase: 90, rate: 1.1, depth: 0.1, feedback: 0.25, delay: .milliseconds(16))

    /// OpenAL's own flanger (`AL_EFFECT_FLANGER`); change what differs.
    public static let flanger = Modulation(phase: 0, rate: 0.27, depth: 1, feedback: -0.5, delay: .milliseconds(2))

    func clamped(longestDelay: Duration) -> Modulation {
      var modulation = self
      modulation.phase = phase.clamped(to: -180...180).rounded()
      modulation.rate = rate.clamped(to: 0...10)
      modulation.depth = depth.clamped(to: 0...1)
      modulation.feedback = feedback.clamped(to: -Effect.largestFeedback...Effect.largestFeedback)
      modulation.delay = delay.clamped(to: .zero...longestDelay)
      return modulation
    }
  }
}
