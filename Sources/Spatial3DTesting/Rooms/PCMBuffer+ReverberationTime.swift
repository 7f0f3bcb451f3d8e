public import PCM

extension PCMBuffer {
  /// The time in which the impulse response of a room falls by 60 dB (RT60).
  ///
  /// The buffer is a room's response to ``TestSignal/impulse(duration:format:amplitude:)``, rendered until it has
  /// decayed far enough: 35 dB for `t20`, 45 dB for `t30`. A loud direct sound shortens the result; play the source
  /// through the reverb alone.
  ///
  /// - Parameters:
  ///   - range: The part of the decay to fit a line to. Default: `t20`.
  ///   - channel: The channel to measure, counted from 0. Default: 0.
  ///   - octaveBand: The centre of an octave band in hertz, such as 1,000; `nil`, the default, measures all
  ///     frequencies. The filter has zero phase and the slopes of a third-order Butterworth filter.
  /// - Returns: The time to fall by 60 dB, extrapolated from the part of the decay in `range`.
  /// - Throws: ``MeasurementError`` with the code `silent` for a silent channel, `channels` for a channel that does not
  ///   exist, `frequencyOutOfRange` for an octave band outside of 0 to half the sample rate, and `decayTooShort` if the
  ///   sound does not decay far enough before the end of the buffer.
  ///
  /// Schroeder, "New method of measuring reverberation time" (1965): the squared response is integrated backwards from
  /// its end, and a least-squares line is fitted to its level; ISO 3382-2:2008.
  public func reverberationTime(
    _ range: DecayRange = .t20,
    ofChannel channel: Int = 0,
    octaveBand: Double? = nil
  ) throws(MeasurementError) -> Duration {
    guard (0..<format.channelCount).contains(channel) else {
      throw MeasurementError(
        code: .channels,
        message: "There is no channel \(channel) in a mix that is \(format). Channels are counted from 0."
      )
    }
    var answer = signal(ofChannel: channel)
    if let octaveBand {
      let cycles = octaveBand / Double(max(format.sampleRate, 1))
      guard cycles > 0, cycles < 0.5 else {
        throw MeasurementError(
          code: .frequencyOutOfRange,
          message:
            "There is no octave about \(rounded(octaveBand, places: 0)) Hz in a mix that is \(format). Ask for one above 0 "
            + "and below \(format.sampleRate / 2) Hz."
        )
      }
      answer = answer.octaveBand(atCyclesPerElement: cycles)
    }
    guard let decay = EnergyDecay(of: answer) else {
      throw .silent("Channel \(channel) is silent, and a silent room has no reverberation time")
    }
    let needed = 10 - range.bounds.lower
    guard decay.fall >= needed else {
      throw MeasurementError(
        code: .decayTooShort,
        message:
          "The sound falls by about \(rounded(decay.fall, places: 0)) dB in the \(frameCount) frames of the mix, and "
          + "\(range) needs \(rounded(needed, places: 0)) dB. Render for longer, and let no other sound play on."
      )
    }
    let levels = range.bounds
    guard let frames = decay.framesPerSixtyDecibels(from: levels.upper, to: levels.lower) else {
      throw MeasurementError(
        code: .decayTooShort,
        message:
          "The sound is over within two frames, which is no decay. Check that the source sends to a room."
      )
    }
    return .seconds(frames / Double(max(format.sampleRate, 1)))
  }
}
