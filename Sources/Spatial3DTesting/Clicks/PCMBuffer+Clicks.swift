import Glibc
public import PCM
import Spatial3D

extension PCMBuffer {
  /// The clicks in a mix of sounds without frequencies above one, in hertz.
  ///
  /// A click is a step between two neighbouring samples that is larger than 1.5 times 2 A tan(π f / r), and above -80
  /// dB. f is the frequency, r the sample rate, and A the largest magnitude of any finite sample within two periods of f
  /// around the step; a sample that is not finite is a click. A sine at its steepest steps by 2 sin(π f / r) times its amplitude, and no signal of that band
  /// and amplitude is steeper (Bernstein's inequality, 1912; for samples: Boas, "Entire Functions", 1954); the samples
  /// may miss its crest by a factor of cos(π f / r). The half more is because A is taken nearby and not for all
  /// time. Steps within two periods of each other are one click, told by its worst.
  ///
  /// Play tones when looking for clicks, and pass the highest of their frequencies, with its Doppler shift; twice as
  /// much lets quick fades pass. Noise has steps everywhere, and hides a click from this measure as it does from the
  /// ear. Nothing is a click for a frequency of 0 or below, or of half the sample rate or above.
  public func clicks(highestFrequency: Double) -> [Click] {
    let cycles = highestFrequency / Double(max(format.sampleRate, 1))
    guard cycles > 0, cycles < 0.5 else { return [] }
    let slope = Float(1.5 * 2 * tan(Double.pi * cycles))
    let reach = Int(min(2 / cycles, 1_000_000).rounded(.up))
    var found: [Click] = []
    for channel in 0..<format.channelCount {
      for step in signal(ofChannel: channel).steepSteps(slope: slope, reach: reach, floor: 1e-4) {
        found.append(
          Click(
            frame: step.index,
            channel: channel,
            step: Decibels(gain: step.size),
            limit: Decibels(gain: step.limit)
          )
        )
      }
    }
    return found.sorted { ($0.frame, $0.channel) < ($1.frame, $1.channel) }
  }
}
