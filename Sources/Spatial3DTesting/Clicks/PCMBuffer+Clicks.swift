import Glibc
public import PCM
import Spatial3D

extension PCMBuffer {
  /// The clicks in a mix of sounds without frequencies above a limit, in hertz.
  ///
  /// A click is a step between two neighbouring samples that is larger than 1.5 times 2 A tan(π f / r), and above -80
  /// dB. f is the frequency, r the sample rate, and A the largest magnitude of any finite sample within two periods of
  /// f around the step. A sample that is not finite is a click. Several steps within two periods of each other count as
  /// one click, and the result has the largest relative to its limit.
  ///
  /// A sine at its steepest steps by 2 sin(π f / r) times its amplitude, and no signal of that band and amplitude is
  /// steeper (Bernstein's inequality, 1912; for samples: Boas, "Entire Functions", 1954). The samples may miss its
  /// crest by a factor of cos(π f / r). The factor of 1.5 is a margin, because A is measured nearby and not over all
  /// time.
  ///
  /// Play tones to look for clicks, and pass the highest of their frequencies, including its Doppler shift. Twice that
  /// frequency lets short fades pass. Noise has steps everywhere, and masks a click for this measure and for the ear. A
  /// frequency of 0 or below, or of half the sample rate or above, gives no clicks.
  public func clicks(highestFrequency: Double) -> [Click] {
    let cycles = highestFrequency / Double(max(format.sampleRate, 1))
    guard cycles > 0, cycles < 0.5 else { return [] }
    let slope = Float(1.5 * 2 * tan(Double.pi * cycles))
    let reach = Int(min(2 / cycles, 1_000_000).rounded(.up))
    let found = (0..<format.channelCount).flatMap { channel in
      signal(ofChannel: channel).steepSteps(slope: slope, reach: reach, floor: 1e-4).map { step in
        Click(
          frame: step.index,
          channel: channel,
          step: Decibels(factor: step.size),
          limit: Decibels(factor: step.limit)
        )
      }
    }
    return found.sorted { ($0.frame, $0.channel) < ($1.frame, $1.channel) }
  }
}
