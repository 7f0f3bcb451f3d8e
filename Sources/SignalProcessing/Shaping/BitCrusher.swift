internal import Glibc

/// A sample-and-hold at a lower rate, and a rounding to fewer bits: the sound of old samplers, with its aliases.
///
/// New settings count from one held sample to the next: the rate glides as its logarithm. A sample that is not finite,
/// or beyond ±1e25, counts as 0. Pure: no system call, no lock, and no allocation after `init`.
package struct BitCrusher: ~Copyable, SoundProcessor {
  package struct Settings: Hashable, Sendable {
    /// 1 to 24; a fraction of a bit counts.
    ///
    /// With 24 bits a sample changes by at most half of a step, -144 dB.
    package var bits = 8.0
    /// In hertz, from 100 on; at the rate of the sound, nothing is held.
    package var sampleRate = 11_025.0

    package init() {}

    func limited(_ highest: Double) -> Settings {
      var result = self
      result.bits = bits.limited(to: 1...24, notANumber: 8)
      result.sampleRate = sampleRate.limited(to: 100...highest, notANumber: min(11_025, highest))
      return result
    }
  }

  package private(set) var settings: Settings

  private let channelCount: Int
  private let sampleRate: Double
  private var held: [Float]
  /// The part of a held sample that has passed, in 1/1, and the frames of it.
  private var (phase, heldFrames) = (1.0, 0)
  /// The number of bits, and the natural logarithm of the rate of the held samples.
  private var (bits, rate): (Glide, Glide)
  private var (step, scale, width): (Double, Float, Float)

  package init(_ settings: Settings = Settings(), channelCount: Int, sampleRate: Int) {
    self.channelCount = ProcessingLimits.channelCount(channelCount)
    self.sampleRate = ProcessingLimits.sampleRate(sampleRate)
    self.settings = settings.limited(self.sampleRate)
    held = Array(repeating: 0, count: self.channelCount)
    (bits, rate) = (Glide(self.settings.bits), Glide(log(self.settings.sampleRate)))
    (step, scale, width) = (1, 1, 1)
    computeSteps()
  }

  private mutating func computeSteps() {
    step = rate.isSettled ? settings.sampleRate / sampleRate : min(exp(rate.value) / sampleRate, 1)
    scale = Float(pow(2, bits.value - 1))
    width = 1 / scale
  }

  /// Begins to glide to other settings, over so many frames.
  package mutating func set(_ settings: Settings, over frameCount: Int) {
    self.settings = settings.limited(sampleRate)
    bits.move(to: self.settings.bits, over: frameCount)
    rate.move(to: log(self.settings.sampleRate), over: frameCount)
    if frameCount <= 0 { computeSteps() }
  }

  /// Processes whole frames.
  package mutating func process(_ samples: inout MutableSpan<Float>, key: Span<Float>?) {
    let end = samples.count / channelCount * channelCount
    var place = 0
    while place < end {
      if phase >= 1 {
        phase -= 1
        if !bits.isSettled || !rate.isSettled {
          bits.advance(heldFrames)
          rate.advance(heldFrames)
          computeSteps()
        }
        heldFrames = 0
        for channel in 0..<channelCount {
          held[channel] = (samples[place + channel].usable * scale).rounded() * width
        }
      }
      for channel in 0..<channelCount { samples[place + channel] = held[channel] }
      phase += step
      heldFrames &+= 1
      place += channelCount
    }
  }

  /// The frames of the longest held sample.
  package var tail: Int {
    Int((sampleRate / min(exp(min(rate.value, rate.target)), step * sampleRate)).rounded(.up)) + 1
  }

  package func isAtRest(afterSilence frameCount: Int) -> Bool {
    bits.isSettled && rate.isSettled && held.allSatisfy { $0 == 0 }
  }

  package mutating func skipSilence(_ frameCount: Int) {
    // The sum has to have the roundings of `process`.
    var left = frameCount
    while left > 0 {
      if phase >= 1 { (phase, heldFrames) = (phase - 1, 0) }
      phase += step
      heldFrames &+= 1
      left &-= 1
    }
  }

  /// Forgets the sound so far.
  package mutating func reset() {
    (phase, heldFrames) = (1, 0)
    (bits, rate) = (Glide(settings.bits), Glide(log(settings.sampleRate)))
    computeSteps()
    for channel in held.indices { held[channel] = 0 }
  }
}
