internal import Glibc

/// A delay with repeats: the result is the delayed sound alone, without the sound itself.
///
/// The first repeat is the sound to the bit, at the exact frame; later repeats are softer, and duller by a low pass.
/// The delay is a whole number of frames: it serves for echoes, whose pitch must not slide. A new time fades from the
/// old tap to a new one. Repeats below the smallest state are 0, so silence becomes exact. A sample that is not finite,
/// or beyond ±1e25, counts as 0.
///
/// Pure: no system call, no lock, and no allocation after `init`.
package struct FeedbackDelay: ~Copyable, SoundProcessor {
  package struct Settings: Hashable, Sendable {
    /// In seconds, from one frame to the longest time; rounded to a frame.
    package var time = 0.375
    /// The gain from repeat to repeat, 0 to 0.98.
    package var feedback = 0.35
    /// The cutoff frequency of the low pass between repeats in hertz, 100 to 20,000.
    package var tone = 6_000.0
    /// Whether the repeats of a sound with two channels begin on the left as its mean, and then change their side.
    ///
    /// A sound with another number of channels stays as it is.
    package var crossesOver = false

    package init() {}

    func limited() -> Settings {
      var result = self
      result.time = time.limited(to: 0...10, notANumber: 0.375)
      result.feedback = feedback.limited(to: 0...0.98, notANumber: 0.35)
      result.tone = tone.limited(to: 100...20_000, notANumber: 6_000)
      return result
    }
  }

  package private(set) var settings: Settings

  private let channelCount: Int
  private let sampleRate: Double
  private let capacity: Int
  private var ring: [Float]
  /// The states of the low passes between repeats.
  private var tones: [Float]
  /// The next frame in the ring, and the number of frames before it that came after the last reset.
  private var (place, filled) = (0, 0)
  /// The delays of the present tap, of the tap that the sound fades to, and of the tap that is asked for.
  private var (delay, nextDelay, target): (Int, Int, Int)
  private var fadeFrame = 0
  private let fadeLength: Int

  private var (feedback, crossing): (Glide, Glide)
  private var tone: ToneGlide
  private var (feedbackLine, crossingLine, toneLine): (GlideLine, GlideLine, GlideLine)
  /// The frames since the last point of the grid.
  private var phase = 0

  /// The frames from one point of the glides to the next.
  ///
  /// Chosen: 0.7 ms at 48 kHz, and 32 frames cost more than the exponential function of a point.
  private static let grid = 32

  /// A delay by at most `longest` seconds, which are 10 ms to 10 s.
  package init(_ settings: Settings = Settings(), longest: Double = 2, channelCount: Int, sampleRate: Int) {
    let (settings, rate) = (settings.limited(), ProcessingLimits.sampleRate(sampleRate))
    (self.settings, self.sampleRate) = (settings, rate)
    self.channelCount = ProcessingLimits.channelCount(channelCount)
    capacity = Int(longest.limited(to: 0.01...10, notANumber: 2) * rate) + 1
    ring = Array(repeating: 0, count: capacity * self.channelCount)
    tones = Array(repeating: 0, count: self.channelCount)
    // Chosen: 20 ms, short for an echo and long against a click.
    fadeLength = Int(0.02 * rate)
    target = Self.frames(settings, rate, capacity)
    (delay, nextDelay) = (target, target)
    let share = settings.crossesOver && channelCount == 2 ? 1.0 : 0
    (feedback, crossing) = (Glide(settings.feedback), Glide(share))
    tone = ToneGlide(settings.tone, sampleRate: rate)
    feedbackLine = GlideLine(settings.feedback, grid: Self.grid)
    crossingLine = GlideLine(share, grid: Self.grid)
    toneLine = GlideLine(tone.coefficient, grid: Self.grid)
  }

  private static func frames(_ settings: Settings, _ rate: Double, _ capacity: Int) -> Int {
    min(max(Int((settings.time * rate).rounded()), 1), capacity - 1)
  }

  /// Whether the delay is within the longest delay.
  package func canGlide(to settings: Settings) -> Bool {
    Int((settings.limited().time * sampleRate).rounded()) < capacity
  }

  /// Begins to change to other settings.
  ///
  /// Feedback, tone and crossing glide over so many frames, and a new time fades over 20 ms. With 0 frames all of them
  /// change at once.
  package mutating func set(_ settings: Settings, over frameCount: Int) {
    guard canGlide(to: settings) else { return }
    self.settings = settings.limited()
    target = Self.frames(self.settings, sampleRate, capacity)
    feedback.move(to: self.settings.feedback, over: frameCount)
    crossing.move(to: self.settings.crossesOver && channelCount == 2 ? 1 : 0, over: frameCount)
    tone.move(to: self.settings.tone, over: frameCount)
    if frameCount <= 0 { jump() }
  }

  private mutating func jump() {
    (delay, nextDelay, fadeFrame) = (target, target, 0)
    feedbackLine.jump(to: feedback.value)
    crossingLine.jump(to: crossing.value)
    toneLine.jump(to: tone.coefficient)
  }

  /// The number of silent frames after which a sound of up to +40 dB, also a constant one, has left exact zeros.
  package var tail: Int {
    let gain = max(feedback.value, feedback.target, Double(feedbackLine.start))
    let coefficient = tone.smallestCoefficient
    // A low pass delays what repeats by so many frames. Repeats of a constant have added up to 1 / (1 - gain).
    let perRepeat = Double(max(target, delay, nextDelay)) + (1 - coefficient) / coefficient
    let floor = ProcessingLimits.smallestState / 100
    let repeats = gain > 0 ? ((log(floor) + log(1 - gain)) / log(gain)).rounded(.up) : 0
    let gliding = max(feedback.remaining, crossing.remaining) + 2 * Self.grid
    return Int(perRepeat * (repeats + 2)) + tone.decay * 2 + 2 * fadeLength + gliding
  }

  /// Replaces whole frames by the repeats.
  package mutating func process(_ samples: inout MutableSpan<Float>, key: Span<Float>?) {
    let (frameCount, stride) = (samples.count / channelCount, channelCount)
    // Reads and writes whole frames of the span.
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let start = samples.baseAddress else { return }
      var frame = 0
      while frame < frameCount {
        if phase == 0 { beginLines() }
        let count = min(Self.grid - phase, frameCount - frame)
        unsafe process(start + frame * stride, count: count)
        phase += count
        frame += count
        if phase == Self.grid { endLines() }
      }
    }
  }

  private mutating func beginLines() {
    feedback.advance(Self.grid)
    crossing.advance(Self.grid)
    feedbackLine.move(to: feedback.value)
    crossingLine.move(to: crossing.value)
    if tone.isSettled {
      toneLine.move(to: Double(toneLine.end))
    } else {
      tone.advance(Self.grid)
      toneLine.move(to: tone.coefficient)
    }
  }

  private mutating func endLines() {
    phase = 0
    let least = Float(ProcessingLimits.smallestState)
    for channel in tones.indices where tones[channel].magnitude < least { tones[channel] = 0 }
  }

  /// Processes frames up to the next point of the grid at most.
  @unsafe
  private mutating func process(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    let (stride, capacity, target, fadeLength, phase) = (channelCount, capacity, target, fadeLength, phase)
    let (least, largest) = (Float(ProcessingLimits.smallestState), ProcessingLimits.largestSample)
    let (gains, crossings, coefficients) = (feedbackLine, crossingLine, toneLine)
    let (gainStep, crossingStep, coefficientStep) = (gains.step, crossings.step, coefficients.step)
    let (fadeStep, crosses) = (1 / Float(fadeLength), crossings.start != 0 || crossings.end != 0)
    var (place, filled, delay, nextDelay, fadeFrame) = (place, filled, delay, nextDelay, fadeFrame)
    if delay == nextDelay, target != delay { (nextDelay, fadeFrame) = (target, 0) }
    unsafe ring.withUnsafeMutableBufferPointer { ring in
      unsafe tones.withUnsafeMutableBufferPointer { tones in
        guard let ring = ring.baseAddress, let tones = tones.baseAddress else { return }
        var frame = 0
        while frame < count {
          // Delays are at least 1 and below the capacity: both taps are frames of the ring.
          var (tap, next) = (place &- delay, place &- nextDelay)
          if tap < 0 { tap &+= capacity }
          if next < 0 { next &+= capacity }
          let (old, new) = unsafe (ring + tap * stride, ring + next * stride)
          let (output, input) = unsafe (samples + frame * stride, ring + place * stride)
          let coefficient = coefficients.start + coefficientStep * Float(phase &+ frame &+ 1)
          // Older frames came before the last reset.
          let (hasOld, hasNew, isFading) = (delay <= filled, nextDelay <= filled, delay != nextDelay)
          let share = isFading ? Float(fadeFrame) * fadeStep : 0
          var channel = 0
          while channel < stride {
            var value = unsafe hasOld ? old[channel] : 0
            if isFading { unsafe value += ((hasNew ? new[channel] : 0) - value) * share }
            let sample = unsafe output[channel]
            unsafe output[channel] = value
            unsafe tones[channel] += (value - tones[channel]) * coefficient
            unsafe input[channel] = sample.magnitude <= largest ? sample : 0
            channel &+= 1
          }
          let gain = gains.start + gainStep * Float(phase &+ frame &+ 1)
          if crosses {
            // Two channels: what comes in moves to the left, and what repeats changes its side.
            let crossing = crossings.start + crossingStep * Float(phase &+ frame &+ 1)
            let (left, right) = unsafe (input[0], input[1])
            let (leftTone, rightTone) = unsafe (tones[0], tones[1])
            let kept = 1 - crossing
            unsafe input[0] = kept * left + crossing * (0.5 * left + 0.5 * right)
            unsafe input[0] += (leftTone * kept + rightTone * crossing) * gain
            unsafe input[1] = kept * right + (rightTone * kept + leftTone * crossing) * gain
          } else {
            channel = 0
            while channel < stride {
              unsafe input[channel] += tones[channel] * gain
              channel &+= 1
            }
          }
          channel = 0
          while channel < stride {
            let magnitude = unsafe input[channel].magnitude
            if !(magnitude >= least && magnitude <= largest) { unsafe input[channel] = 0 }
            channel &+= 1
          }
          if isFading {
            fadeFrame &+= 1
            if fadeFrame >= fadeLength { (delay, nextDelay, fadeFrame) = (nextDelay, target, 0) }
          }
          if filled < capacity { filled &+= 1 }
          place = place &+ 1 == capacity ? 0 : place &+ 1
          frame &+= 1
        }
      }
    }
    (self.place, self.filled) = (place, filled)
    (self.delay, self.nextDelay, self.fadeFrame) = (delay, nextDelay, fadeFrame)
  }

  package func isAtRest(afterSilence frameCount: Int) -> Bool {
    delay == target && nextDelay == target && feedback.isSettled && crossing.isSettled && tone.isSettled
      && feedbackLine.isSettled && crossingLine.isSettled && toneLine.isSettled && tones.allSatisfy { $0 == 0 }
      && frameCount >= max(tail, capacity)
  }

  package mutating func skipSilence(_ frameCount: Int) {
    // Frames that have not come count as 0, as the whole ring does.
    (phase, filled) = ((phase + frameCount) % Self.grid, 0)
  }

  /// Forgets the sound so far; it costs no more than a few frames.
  package mutating func reset() {
    for index in tones.indices { tones[index] = 0 }
    (place, filled, phase) = (0, 0, 0)
    (feedback, tone) = (Glide(settings.feedback), ToneGlide(settings.tone, sampleRate: sampleRate))
    crossing = Glide(crossing.target)
    jump()
  }
}
