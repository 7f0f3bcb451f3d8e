public import PCM

import Glibc

/// Sounds with known properties, to play in a scene and to measure in its mix.
///
/// The samples are `Float`. They are equal on all channels of the format, and in each run.
public enum TestSignal: Sendable {
  /// A silent buffer.
  public static func silence(duration: Duration, format: PCMFormat) -> PCMBuffer<Float> {
    signal(duration, format) { _ in 0 }
  }

  /// A sine of a frequency in hertz that starts at phase 0; an amplitude of 1 is full scale.
  ///
  /// Fades in and out as half a period of a cosine, for `fade` each, so that neither its start nor its end clicks.
  /// Default: no fade.
  public static func sine(
    frequency: Double,
    duration: Duration,
    format: PCMFormat,
    amplitude: Float = 0.5,
    fade: Duration = .zero
  ) -> PCMBuffer<Float> {
    let step = 2 * Double.pi * frequency / Double(max(format.sampleRate, 1))
    let (length, fadeLength) = (format.frameCount(in: duration), format.frameCount(in: fade))
    return signal(duration, format) { frame in
      let value = amplitude * Float(sin(step * Double(frame)))
      let distance = min(frame, length - 1 - frame)
      guard distance < fadeLength else { return value }
      return value * Float(0.5 - 0.5 * cos(Double.pi * Double(distance) / Double(fadeLength)))
    }
  }

  /// A sine whose frequency moves from one to another in hertz, by the same musical interval in each second.
  ///
  /// Both frequencies are above 0. Farina, "Simultaneous measurement of impulse response and distortion with a
  /// swept-sine technique" (2000).
  public static func sweep(
    from start: Double,
    to end: Double,
    duration: Duration,
    format: PCMFormat,
    amplitude: Float = 0.5
  ) -> PCMBuffer<Float> {
    let length = Double(max(format.frameCount(in: duration), 1))
    let (low, high) = (max(start, .leastNormalMagnitude), max(end, .leastNormalMagnitude))
    let rise = log(high / low)
    let step = 2 * Double.pi * low / Double(max(format.sampleRate, 1))
    return signal(duration, format) { frame in
      let part = Double(frame) / length
      let cycles = rise == 0 ? Double(frame) : length / rise * (exp(part * rise) - 1)
      return amplitude * Float(sin(step * cycles))
    }
  }

  /// An impulse: one frame of the amplitude, then silence.
  public static func impulse(duration: Duration, format: PCMFormat, amplitude: Float = 1) -> PCMBuffer<Float> {
    signal(duration, format) { frame in frame == 0 ? amplitude : 0 }
  }

  /// White noise, uniformly distributed between minus and plus the amplitude.
  ///
  /// The same seed gives the same noise.
  public static func noise(
    seed: UInt64 = 1,
    duration: Duration,
    format: PCMFormat,
    amplitude: Float = 0.5
  ) -> PCMBuffer<Float> {
    var noise = Noise(seed: seed)
    return signal(duration, format) { _ in amplitude * noise.next() }
  }

  /// White noise that falls by 60 dB in a reverberation time, as the impulse response of a room does.
  ///
  /// The same seed gives the same noise. With a time of zero or below, all frames but the first are silent.
  public static func decayingNoise(
    reverberationTime: Duration,
    seed: UInt64 = 1,
    duration: Duration,
    format: PCMFormat,
    amplitude: Float = 0.5
  ) -> PCMBuffer<Float> {
    var noise = Noise(seed: seed)
    let seconds = max(reverberationTime / .seconds(1), .leastNormalMagnitude)
    let rate = log(1_000) / (seconds * Double(max(format.sampleRate, 1)))
    return signal(duration, format) { frame in amplitude * noise.next() * Float(exp(-rate * Double(frame))) }
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

/// Random numbers that are uniformly distributed between -1 and 1.
///
/// Steele, Lea and Flood, "Fast splittable pseudorandom number generators" (2014).
private struct Noise {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> Float {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    bits ^= bits >> 31
    return Float(bits >> 40) / Float(1 << 23) - 1
  }
}
