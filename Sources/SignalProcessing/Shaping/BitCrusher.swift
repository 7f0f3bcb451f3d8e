internal import Glibc

/// A sample-and-hold at a lower rate, and a rounding to fewer bits: the sound of old samplers, with its aliases.
///
/// A sample that is not finite, or beyond ±1e25, counts as 0. Pure: no call, no lock, and no allocation after `init`.
package struct BitCrusher: Sendable {
  package struct Settings: Hashable, Sendable {
    /// 1 to 24; a fraction of a bit counts.
    package var bits = 8.0
    /// In hertz, from 100 on; at the rate of the sound, nothing is held.
    package var sampleRate = 11_025.0

    package init() {}
  }

  private let channelCount: Int
  private let sampleRate: Double
  private var held: [Float]
  /// The part of a held sample that has passed, in 1/1.
  private var phase = 1.0
  private var (step, scale): (Double, Float) = (1, 128)

  package init(_ settings: Settings = Settings(), channelCount: Int, sampleRate: Int) {
    self.channelCount = ProcessingLimits.channelCount(channelCount)
    self.sampleRate = ProcessingLimits.sampleRate(sampleRate)
    held = Array(repeating: 0, count: self.channelCount)
    set(settings)
  }

  /// Changes the settings at once: the sound is made of steps anyway.
  package mutating func set(_ settings: Settings) {
    let rate = settings.sampleRate.limited(to: 100...sampleRate, notANumber: 11_025)
    step = min(rate / sampleRate, 1)
    scale = Float(pow(2, settings.bits.limited(to: 1...24, notANumber: 8) - 1))
  }

  /// Processes whole frames.
  package mutating func process(_ samples: inout MutableSpan<Float>) {
    let end = samples.count / channelCount * channelCount
    var place = 0
    while place < end {
      if phase >= 1 {
        phase -= 1
        for channel in 0..<channelCount {
          let sample = samples[place + channel]
          // False for what is not a number.
          let isUsable = sample.magnitude <= ProcessingLimits.largestSample
          held[channel] = isUsable ? (sample * scale).rounded() / scale : 0
        }
      }
      for channel in 0..<channelCount { samples[place + channel] = held[channel] }
      phase += step
      place += channelCount
    }
  }

  /// Forgets the sound so far.
  package mutating func reset() {
    phase = 1
    for channel in held.indices { held[channel] = 0 }
  }
}
