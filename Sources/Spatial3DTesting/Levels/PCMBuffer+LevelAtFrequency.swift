public import PCM
public import Spatial3D

extension PCMBuffer {
  /// The level of a tone of a frequency, in hertz, over all channels: its root mean square, relative to full scale.
  ///
  /// A sine of that frequency has the same level here as in ``PCM/PCMBuffer/level``; all other sound is left out. The
  /// measurement is meant for tones that are steady over the buffer, and its resolution grows with the duration of the
  /// buffer. A tone that is off by half the inverse of the duration reads 1.4 dB too low. A tone that is off by twice
  /// the inverse does not count at all. For a range of frequencies see ``Spectrum/level(in:)``. A frequency that is
  /// negative or above half the sample rate gives silence.
  ///
  /// One bin of a discrete Fourier transform under Hann's window (Harris, "On the use of windows for harmonic analysis
  /// with the discrete Fourier transform", 1978).
  public func level(at frequency: Double) -> Decibels {
    let powers = (0..<format.channelCount).map { power(at: frequency, ofChannel: $0) }
    return Decibels(power: powers.reduce(0, +) / Double(powers.count))
  }

  /// The level of a tone of a frequency, in hertz, in one channel, counted from 0.
  ///
  /// Otherwise like ``PCM/PCMBuffer/level(at:)``. Silence for a channel that does not exist.
  public func level(at frequency: Double, ofChannel channel: Int) -> Decibels {
    Decibels(power: power(at: frequency, ofChannel: channel))
  }

  private func power(at frequency: Double, ofChannel channel: Int) -> Double {
    let cycles = frequency / Double(format.sampleRate)
    guard (0...0.5).contains(cycles) else { return 0 }
    return signal(ofChannel: channel).power(atCyclesPerElement: cycles)
  }
}
