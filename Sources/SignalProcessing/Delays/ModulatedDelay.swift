internal import Glibc

/// A delay that a low-frequency oscillator (LFO) modulates: chorus, flanger and vibrato by their settings.
///
/// The result is the delayed sound alone.
///
/// It is the mean of up to four taps. The sines of the taps are spread over a turn, and the sines of the channels over
/// the turn between two taps, so that all channels differ. Values between samples come from a polynomial of third order
/// through four samples (Lagrange), so a constant stays constant. A sample that is not finite, or beyond ±1e25, counts
/// as 0.
///
/// Pure: no system call, no lock, and no allocation after `init`.
package struct ModulatedDelay: ~Copyable, SoundProcessor {
  package struct Settings: Hashable, Sendable {
    /// 1 to 4; another number needs a new processor.
    package var taps = 2
    /// The mean delay in seconds, 0.0005 to 0.05.
    package var delay = 0.012
    /// The distance of the shortest and of the longest delay from the mean delay, in seconds; at most the delay.
    package var depth = 0.003
    /// The frequency of the oscillator in hertz, 0.01 to 20.
    package var rate = 0.7
    /// -0.95 to 0.95.
    package var feedback = 0.0

    package init() {}

    func limited() -> Settings {
      var result = self
      result.taps = min(max(taps, 1), 4)
      result.delay = delay.limited(to: 0.0005...0.05, notANumber: 0.012)
      result.depth = depth.limited(to: 0...result.delay, notANumber: 0)
      result.rate = rate.limited(to: 0.01...20, notANumber: 0.7)
      result.feedback = feedback.limited(to: -0.95...0.95, notANumber: 0)
      return result
    }
  }

  package private(set) var settings: Settings

  private let channelCount: Int
  private let sampleRate: Double
  /// The frames of the ring, a power of two, less one.
  private let mask: Int
  /// The sound of each channel, one after the other.
  private var ring: [Float]
  /// The next frame in the ring, and the number of frames before it that came after the last reset.
  private var (place, filled) = (0, 0)
  private var (delay, depth, rate, feedback): (Glide, Glide, Glide, Glide)
  private var feedbackLine: GlideLine
  /// The phase of the oscillator in turns, at the last point of the grid and at the next one.
  private var (turn, nextTurn) = (0.0, 0.0)
  /// The frames since the last point of the grid.
  private var phase = 0
  /// The delays at the last point and at the next one, for each channel and tap, in frames times 2^32.
  ///
  /// Whole numbers: a line of them has no rounding, and the whole frames are the upper bits.
  private var (delays, nextDelays): ([Int64], [Int64])

  /// The frames from one point of the oscillator to the next, with a line between them.
  ///
  /// Chosen: a sine of 20 Hz has 150 points at 48 kHz.
  private static let grid = 1 << gridBits
  @inline(__always) private static var gridBits: Int { 4 }

  package init(_ settings: Settings = Settings(), channelCount: Int, sampleRate: Int) {
    let (settings, sampleRate) = (settings.limited(), ProcessingLimits.sampleRate(sampleRate))
    (self.settings, self.sampleRate) = (settings, sampleRate)
    self.channelCount = ProcessingLimits.channelCount(channelCount)
    var size = 64
    while Double(size) < 0.1 * sampleRate + 8 { size *= 2 }
    mask = size - 1
    ring = Array(repeating: 0, count: size * self.channelCount)
    (delay, depth) = (Glide(settings.delay), Glide(settings.depth))
    (rate, feedback) = (Glide(settings.rate), Glide(settings.feedback))
    feedbackLine = GlideLine(settings.feedback, grid: Self.grid)
    delays = Array(repeating: 0, count: self.channelCount * settings.taps)
    nextDelays = Array(repeating: 0, count: self.channelCount * settings.taps)
    begin()
  }

  /// Whether the number of taps stays.
  package func canGlide(to settings: Settings) -> Bool { settings.limited().taps == self.settings.taps }

  /// Begins to glide to other settings, over so many frames.
  package mutating func set(_ settings: Settings, over frameCount: Int) {
    guard canGlide(to: settings) else { return }
    self.settings = settings.limited()
    delay.move(to: self.settings.delay, over: frameCount)
    depth.move(to: self.settings.depth, over: frameCount)
    rate.move(to: self.settings.rate, over: frameCount)
    feedback.move(to: self.settings.feedback, over: frameCount)
    if frameCount <= 0 { jump() }
  }

  /// Begins at the first point of the oscillator.
  private mutating func begin() {
    (turn, nextTurn) = (0, rate.value * Double(Self.grid) / sampleRate)
    jump()
  }

  private mutating func jump() {
    feedbackLine.jump(to: feedback.value)
    computeDelays(at: turn)
    swap(&delays, &nextDelays)
    computeDelays(at: nextTurn)
  }

  /// Moves to the next point of the oscillator.
  private mutating func advance() {
    delay.advance(Self.grid)
    depth.advance(Self.grid)
    rate.advance(Self.grid)
    feedback.advance(Self.grid)
    feedbackLine.move(to: feedback.value)
    moveOscillator()
    swap(&delays, &nextDelays)
    computeDelays(at: nextTurn)
  }

  private mutating func moveOscillator() {
    turn = nextTurn
    nextTurn += rate.value * Double(Self.grid) / sampleRate
    nextTurn -= nextTurn.rounded(.down)
  }

  /// Computes the next delays.
  private mutating func computeDelays(at turn: Double) {
    let (taps, count) = (settings.taps, channelCount)
    for channel in 0..<count {
      for tap in 0..<taps {
        let angle = turn + (Double(tap) + Double(channel) / Double(count)) / Double(taps)
        let seconds = delay.value + depth.value * sin(2 * .pi * angle)
        // The polynomial needs a sample before and two behind the delay, one of which is the newest.
        let frames = min(max(seconds * sampleRate, 2), Double(mask - 3))
        nextDelays[channel * taps + tap] = Int64(frames * 0x1p32)
      }
    }
  }

  /// Replaces whole frames by the delayed sound.
  package mutating func process(_ samples: inout MutableSpan<Float>, key: Span<Float>?) {
    let (frameCount, stride) = (samples.count / channelCount, channelCount)
    // Reads and writes whole frames of the span.
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let start = samples.baseAddress else { return }
      var frame = 0
      while frame < frameCount {
        let count = min(Self.grid - phase, frameCount - frame)
        unsafe process(start + frame * stride, count: count)
        place = (place + count) & mask
        filled = min(filled + count, mask)
        phase += count
        frame += count
        guard phase == Self.grid else { continue }
        phase = 0
        advance()
      }
    }
  }

  /// Processes frames up to the next point of the oscillator at most.
  @unsafe
  private mutating func process(_ samples: UnsafeMutablePointer<Float>, count: Int) {
    let (stride, mask, taps, place, phase) = (channelCount, mask, settings.taps, place, phase)
    let (filled, line, step, share) = (filled, feedbackLine, feedbackLine.step, 1 / Float(taps))
    let (least, largest) = (Float(ProcessingLimits.smallestState), ProcessingLimits.largestSample)
    unsafe ring.withUnsafeMutableBufferPointer { ring in
      unsafe delays.withUnsafeBufferPointer { delays in
        unsafe nextDelays.withUnsafeBufferPointer { nextDelays in
          guard let base = ring.baseAddress, let delays = delays.baseAddress, let next = nextDelays.baseAddress else {
            return
          }
          for channel in 0..<stride {
            // The part of the channel has `mask + 1` frames, and there is a delay for each of its taps.
            let ring = unsafe base + channel * (mask + 1)
            let (starts, ends) = unsafe (delays + channel * taps, next + channel * taps)
            var index = 0
            while index < count {
              let (now, place) = (place &+ index, index &* stride &+ channel)
              let input = unsafe samples[place].usable
              // The present frame has no feedback yet: the delay is at least two frames.
              unsafe ring[now & mask] = input
              var (sum, tap) = (Float(0), 0)
              while tap < taps {
                let distance = unsafe (ends[tap] - starts[tap]) &* Int64(phase &+ index)
                let delay = unsafe starts[tap] &+ (distance >> Self.gridBits)
                let (frames, fraction) = (Int(delay >> 32), Float(delay & 0xFFFF_FFFF) * 0x1p-32)
                let first = (now &- frames &- 2) & mask
                if first &+ 3 <= mask, frames &+ 2 <= filled &+ index {
                  let (d, c) = unsafe (ring[first], ring[first &+ 1])
                  unsafe sum += Self.value(ring[first &+ 3], ring[first &+ 2], c, d, fraction)
                } else {
                  unsafe sum += Self.value(ring, now &- frames, fraction, mask, oldest: now &- filled &- index)
                }
                tap &+= 1
              }
              let result = sum * share
              let fed = input + result * (line.start + step * Float(phase &+ index &+ 1))
              let isAudible = fed.magnitude >= least && fed.magnitude <= largest
              unsafe ring[now & mask] = isAudible ? fed : 0
              unsafe samples[place] = result
              index &+= 1
            }
          }
        }
      }
    }
  }

  /// The value a fraction of a frame before a frame, anywhere in the ring.
  ///
  /// Samples before the oldest frame count as 0: they came before the last reset.
  @inline(never)
  @unsafe
  private static func value(
    _ ring: UnsafePointer<Float>,
    _ frame: Int,
    _ fraction: Float,
    _ mask: Int,
    oldest: Int
  ) -> Float {
    func sample(_ frame: Int) -> Float { unsafe frame >= oldest ? ring[frame & mask] : 0 }
    return value(sample(frame &+ 1), sample(frame), sample(frame &- 1), sample(frame &- 2), fraction)
  }

  /// The polynomial through the points -1, 0, 1 and 2, between the points 0 and 1.
  @inline(__always)
  private static func value(_ a: Float, _ b: Float, _ c: Float, _ d: Float, _ fraction: Float) -> Float {
    let sixth: Float = 1 / 6
    let first = c - a * (2 * sixth) - b * 0.5 - d * sixth
    let second = (a + c) * 0.5 - b
    let third = (d - a) * sixth + (b - c) * 0.5
    return ((third * fraction + second) * fraction + first) * fraction + b
  }

  /// The number of silent frames after which a sound of up to +40 dB, also a constant one, has left exact zeros.
  package var tail: Int {
    let gain = max(feedback.value.magnitude, feedback.target.magnitude, Double(feedbackLine.start.magnitude))
    // Repeats of a constant have added up to 1 / (1 - gain).
    let floor = ProcessingLimits.smallestState / 100
    let repeats = gain > 0 ? ((log(floor) + log(1 - gain)) / log(gain)).rounded(.up) : 0
    let seconds = max(delay.value, delay.target) + max(depth.value, depth.target)
    let gliding = max(delay.remaining, depth.remaining, feedback.remaining) + 2 * Self.grid
    return Int((seconds * sampleRate + 4) * (repeats + 2)) + gliding
  }

  package func isAtRest(afterSilence frameCount: Int) -> Bool {
    delay.isSettled && depth.isSettled && rate.isSettled && feedback.isSettled && feedbackLine.isSettled
      && frameCount >= max(tail, mask + 1)
  }

  package mutating func skipSilence(_ frameCount: Int) {
    // Frames that have not come count as 0, as the whole ring does.
    (phase, filled) = (phase + frameCount, 0)
    guard phase >= Self.grid else { return }
    while phase >= Self.grid {
      phase -= Self.grid
      moveOscillator()
    }
    jump()
  }

  /// Forgets the sound so far; it costs no more than a few frames.
  package mutating func reset() {
    (delay, depth) = (Glide(settings.delay), Glide(settings.depth))
    (rate, feedback) = (Glide(settings.rate), Glide(settings.feedback))
    (place, filled, phase) = (0, 0, 0)
    begin()
  }
}
