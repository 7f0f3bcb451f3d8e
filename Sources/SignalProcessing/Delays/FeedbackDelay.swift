internal import Glibc

/// A delay with repeats: the result is the delayed sound alone, without the sound itself.
///
/// The first repeat is the sound to the bit, at the exact frame; the later ones are softer, and duller by a low pass.
/// A new time fades from the old tap to a new one, so the pitch does not slide. Repeats below -300 dB are 0, so
/// silence becomes exact. A sample that is not finite, or beyond ±1e25, counts as 0.
///
/// Pure: no call, no lock, and no allocation after `init`.
package struct FeedbackDelay: Sendable {
  package struct Settings: Hashable, Sendable {
    /// In seconds, from one frame to the longest time; rounded to a frame.
    package var time = 0.375
    /// The gain from repeat to repeat, 0 to 0.98.
    package var feedback = 0.35
    /// The frequency of the low pass between repeats in hertz, 100 to 20,000.
    package var tone = 6_000.0
    /// Whether each repeat of a stereo sound changes its side.
    package var crossesOver = false

    package init() {}
  }

  private let channelCount: Int
  private let sampleRate: Double
  private let capacity: Int
  private var ring: [Float]
  private var tones: [Float]
  /// The next frame in the ring.
  private var place = 0
  /// The delays of the present tap, of the tap that the sound fades to, and of the tap that is asked for.
  private var (delay, nextDelay, target): (Int, Int, Int)
  private var fadeFrame = 0
  private let fadeLength: Int
  private var feedback: Glide
  private var toneShare: Float = 1
  private var crossesOver = false
  private var feedbackLimit = 0.0

  /// A delay by at most `longest` seconds, which are 10 ms to 10 s.
  package init(_ settings: Settings = Settings(), longest: Double = 2, channelCount: Int, sampleRate: Int) {
    let rate = ProcessingLimits.sampleRate(sampleRate)
    (self.channelCount, self.sampleRate) = (ProcessingLimits.channelCount(channelCount), rate)
    capacity = Int(longest.limited(to: 0.01...10, notANumber: 2) * rate) + 1
    ring = Array(repeating: 0, count: capacity * self.channelCount)
    tones = Array(repeating: 0, count: self.channelCount)
    // Chosen: 20 ms, short for an echo and long against a click.
    fadeLength = Int(0.02 * rate)
    (delay, nextDelay, target, feedback) = (1, 1, 1, Glide(0))
    set(settings, over: 0)
    (delay, nextDelay) = (target, target)
  }

  /// Begins to change to other settings.
  ///
  /// The feedback glides over so many frames, and a new time fades over 20 ms.
  package mutating func set(_ settings: Settings, over frames: Int) {
    let time = settings.time.limited(to: 0...10, notANumber: 0.375)
    target = min(max(Int((time * sampleRate).rounded()), 1), capacity - 1)
    feedbackLimit = settings.feedback.limited(to: 0...0.98, notANumber: 0.35)
    feedback.move(to: feedbackLimit, over: frames)
    let tone = settings.tone.limited(to: 100...20_000, notANumber: 6_000)
    toneShare = Float(1 - exp(-2 * .pi * min(tone, 0.45 * sampleRate) / sampleRate))
    crossesOver = settings.crossesOver && channelCount == 2
  }

  /// The frames after which silence is exactly 0, for the present settings.
  package var tail: Int {
    let repeats = feedbackLimit > 0 ? (log(1e-15) / log(feedbackLimit)).rounded(.up) : 0
    // The low pass of a repeat decays to -300 dB in so many frames.
    let decay = toneShare < 1 ? Int(35 / -log(1 - Double(toneShare))) + 1 : 1
    return max(target, delay) * (Int(repeats) + 2) + decay * 2 + fadeLength
  }

  /// Processes whole frames.
  package mutating func process(_ samples: inout MutableSpan<Float>) {
    let (frameCount, stride, capacity) = (samples.count / channelCount, channelCount, capacity)
    let (toneShare, fadeLength, target, crossesOver) = (toneShare, fadeLength, target, crossesOver)
    let (least, largest) = (Float(ProcessingLimits.smallestState), ProcessingLimits.largestSample)
    let start = Float(feedback.value)
    feedback.advance(frameCount)
    let step = (Float(feedback.value) - start) / Float(max(frameCount, 1))
    var (place, delay, nextDelay, fadeFrame) = (place, delay, nextDelay, fadeFrame)
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      unsafe ring.withUnsafeMutableBufferPointer { ring in
        unsafe tones.withUnsafeMutableBufferPointer { tones in
          guard let samples = samples.baseAddress, let ring = ring.baseAddress, let tones = tones.baseAddress else {
            return
          }
          var (frame, gain) = (0, start)
          while frame < frameCount {
            gain += step
            if delay == nextDelay, target != delay { (nextDelay, fadeFrame) = (target, 0) }
            // Delays are at least 1 and below the capacity: both taps are frames of the ring.
            var (tap, next) = (place &- delay, place &- nextDelay)
            if tap < 0 { tap &+= capacity }
            if next < 0 { next &+= capacity }
            let share = Float(fadeFrame) / Float(fadeLength)
            let isFading = delay != nextDelay
            for channel in 0..<stride {
              var value = unsafe ring[tap * stride + channel]
              if isFading { unsafe value += (ring[next * stride + channel] - value) * share }
              let index = frame * stride + channel
              let sample = unsafe samples[index]
              unsafe samples[index] = value
              unsafe tones[channel] += (value - tones[channel]) * toneShare
              // False for what is not a number.
              unsafe ring[place * stride + channel] = sample.magnitude <= largest ? sample : 0
            }
            for channel in 0..<stride {
              let other = crossesOver ? 1 - channel : channel
              let value = unsafe ring[place * stride + channel] + tones[other] * gain
              let isAudible = value.magnitude >= least && value.magnitude <= largest
              unsafe ring[place * stride + channel] = isAudible ? value : 0
            }
            if isFading {
              fadeFrame &+= 1
              if fadeFrame >= fadeLength { delay = nextDelay }
            }
            place = place &+ 1 == capacity ? 0 : place &+ 1
            frame &+= 1
          }
          for channel in 0..<stride where unsafe tones[channel].magnitude < least { unsafe tones[channel] = 0 }
        }
      }
    }
    (self.place, self.delay, self.nextDelay, self.fadeFrame) = (place, delay, nextDelay, fadeFrame)
  }

  /// Forgets the sound so far.
  package mutating func reset() {
    for index in ring.indices { ring[index] = 0 }
    for index in tones.indices { tones[index] = 0 }
    (place, delay, nextDelay) = (0, target, target)
  }
}
