public import PCM

import Glibc

/// Sounds with known properties, to be played in a scene and found again in its mix.
///
/// All are `Float`, on every channel of the format alike, and the same each time.
public enum TestSignal: Sendable {
  /// A sine of a frequency in hertz that starts at phase 0; an amplitude of 1 is full scale.
  public static func sine(
    frequency: Double,
    duration: Duration,
    format: PCMFormat,
    amplitude: Float = 0.5
  ) -> PCMBuffer<Float> {
    let step = 2 * Double.pi * frequency / Double(max(format.sampleRate, 1))
    return signal(duration, format) { frame in amplitude * Float(sin(step * Double(frame))) }
  }

  /// One frame of the amplitude, then silence.
  public static func impulse(duration: Duration, format: PCMFormat, amplitude: Float = 1) -> PCMBuffer<Float> {
    signal(duration, format) { frame in frame == 0 ? amplitude : 0 }
  }

  /// White noise, evenly distributed between minus and plus the amplitude.
  ///
  /// The same seed gives the same noise.
  public static func noise(
    seed: UInt64 = 1,
    duration: Duration,
    format: PCMFormat,
    amplitude: Float = 0.5
  ) -> PCMBuffer<Float> {
    var state = seed
    return signal(duration, format) { _ in
      // Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
      state &+= 0x9E37_79B9_7F4A_7C15
      var bits = state
      bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
      bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
      bits ^= bits >> 31
      return amplitude * (Float(bits >> 40) / Float(1 << 23) - 1)
    }
  }

  private static func signal(
    _ duration: Duration,
    _ format: PCMFormat,
    value: (Int) -> Float
  ) -> PCMBuffer<Float> {
    var buffer = PCMBuffer<Float>(format: format)
    let frameCount = format.frameCount(in: duration)
    buffer.append(frames: frameCount) { span in
      for frame in 0..<frameCount {
        let sample = value(frame)
        for _ in 0..<format.channelCount { span.append(sample) }
      }
    }
    return buffer
  }
}
