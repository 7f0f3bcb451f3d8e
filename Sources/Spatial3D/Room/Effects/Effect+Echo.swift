extension Effect {
  /// Distinct repetitions to either side.
  public struct Echo: Hashable, Sendable {
    /// The delay of the first repetition.
    ///
    /// Range: 0 to 207 ms. Default: 100 ms (`AL_ECHO_DELAY`).
    public var delay: Duration

    /// The delay from there to the next repetition, on the other side.
    ///
    /// Range: 0 to 404 ms. Default: 100 ms (`AL_ECHO_LRDELAY`).
    public var otherSideDelay: Duration

    /// The loss of high frequencies in each repetition.
    ///
    /// Range: 0 to 0.99. Default: 0.5 (`AL_ECHO_DAMPING`).
    public var damping: Float

    /// The gain of each repetition.
    ///
    /// Range: 0 to 0.9999, at which each repetition loses 0.001 dB: with OpenAL's 1 an echo of steady sound grows
    /// without bound. Default: 0.5 (`AL_ECHO_FEEDBACK`).
    public var feedback: Float

    /// The distance between the two sides; a negative one exchanges them.
    ///
    /// Range: -1 to 1. Default: -1 (`AL_ECHO_SPREAD`).
    public var spread: Float

    /// An echo; the defaults are OpenAL's own.
    public init(
      delay: Duration = .milliseconds(100),
      otherSideDelay: Duration = .milliseconds(100),
      damping: Float = 0.5,
      feedback: Float = 0.5,
      spread: Float = -1
    ) {
      self.delay = delay
      self.otherSideDelay = otherSideDelay
      self.damping = damping
      self.feedback = feedback
      self.spread = spread
    }

    var clamped: Echo {
      var echo = self
      echo.delay = delay.clamped(to: .zero ... .milliseconds(207))
      echo.otherSideDelay = otherSideDelay.clamped(to: .zero ... .milliseconds(404))
      echo.damping = damping.clamped(to: 0...0.99)
      echo.feedback = feedback.clamped(to: 0...Effect.largestFeedback)
      echo.spread = spread.clamped(to: -1...1)
      return echo
    }
  }
}
