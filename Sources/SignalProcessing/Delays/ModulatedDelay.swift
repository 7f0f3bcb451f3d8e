internal import Glibc

/// A delay that moves like a sine: chorus, flanger and vibrato by their numbers.
///
/// The result is the delayed sound alone.
///
/// It is the mean of up to four taps, whose sines are spread over a turn; the sines of neighbouring channels are a
/// quarter of a turn apart. Values between samples come from a polynomial of third order through four samples
/// (Lagrange), so a constant stays constant. A sample that is not finite, or beyond ±1e25, counts as 0.
///
/// Pure: no call, no lock, and no allocation after `init`.
package struct ModulatedDelay: Sendable {
  package struct Settings: Hashable, Sendable {
    /// 1 to 4; it counts at once.
    package var voices = 2
    /// The mean delay in seconds, 0.0005 to 0.05.
    package var delay = 0.012
    /// The way from the mean delay to the shortest and the longest, in seconds; at most the delay.
    package var depth = 0.003
    /// In hertz, 0.01 to 20.
    package var rate = 0.7
    /// -0.95 to 0.95.
    package var feedback = 0.0

    package init() {}

    func limited() -> Settings {
      var result = self
      result.voices = min(max(voices, 1), 4)
      result.delay = delay.limited(to: 0.0005...0.05, notANumber: 0.012)
      result.depth = depth.limited(to: 0...result.delay, notANumber: 0)
      result.rate = rate.limited(to: 0.01...20, notANumber: 0.7)
      result.feedback = feedback.limited(to: -0.95...0.95, notANumber: 0)
      return result
    }
  }

  private let channelCount: Int
  private let sampleRate: Double
  /// The frames of the ring, a power of two, less one.
  private let mask: Int
  /// The sound of each channel, one after the other.
  private var ring: [Float]
  private var place = 0
  private var voices: Int
  private var (delay, depth, rate, feedback): (Glide, Glide, Glide, Glide)
  /// The sine's part of a turn.
  private var turn = 0.0
  /// The frames since the last point of the sine.
  private var phase = 0
  /// The delays at the last point and at the next one, for each channel and voice.
  private var (delays, nextDelays): ([Float], [Float])

  /// The frames from one point of the sine to the next, with a line between them.
  ///
  /// Chosen: a sine of 20 Hz has 150 points at 48 kHz.
  private static let grid = 16
  private static let mostVoices = 4

  package init(_ settings: Settings = Settings(), channelCount: Int, sampleRate: Int) {
    let (settings, rate) = (settings.limited(), ProcessingLimits.sampleRate(sampleRate))
    (self.channelCount, self.sampleRate) = (ProcessingLimits.channelCount(channelCount), rate)
    var size = 64
    while Double(size) < 0.1 * rate + 8 { size *= 2 }
    mask = size - 1
    ring = Array(repeating: 0, count: size * self.channelCount)
    voices = settings.voices
    (delay, depth) = (Glide(settings.delay), Glide(settings.depth))
    (self.rate, feedback) = (Glide(settings.rate), Glide(settings.feedback))
    delays = Array(repeating: 2, count: self.channelCount * Self.mostVoices)
    nextDelays = delays
    computeDelays()
    computeDelays()
  }

  /// Begins to glide to other settings, over so many frames.
  package mutating func set(_ settings: Settings, over frames: Int) {
    let settings = settings.limited()
    voices = settings.voices
    delay.move(to: settings.delay, over: frames)
    depth.move(to: settings.depth, over: frames)
    rate.move(to: settings.rate, over: frames)
    feedback.move(to: settings.feedback, over: frames)
  }

  /// Moves to the next point of the sine.
  private mutating func computeDelays() {
    swap(&delays, &nextDelays)
    turn += rate.value * Double(Self.grid) / sampleRate
    turn -= turn.rounded(.down)
    for channel in 0..<channelCount {
      for voice in 0..<voices {
        let angle = turn + Double(voice) / Double(voices) + 0.25 * Double(channel)
        let seconds = delay.value + depth.value * sin(2 * .pi * angle)
        // The polynomial needs a sample before and two behind the delay, one of which is the newest.
        let frames = min(max(seconds * sampleRate, 2), Double(mask - 3))
        nextDelays[channel * Self.mostVoices + voice] = Float(frames)
      }
    }
  }

  /// Processes whole frames.
  package mutating func process(_ samples: inout MutableSpan<Float>) {
    let (frameCount, stride) = (samples.count / channelCount, channelCount)
    // Reads and writes whole frames of the span.
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let start = samples.baseAddress else { return }
      var frame = 0
      while frame < frameCount {
        let count = min(Self.grid - phase, frameCount - frame)
        for channel in 0..<stride {
          unsafe process(start + (frame * stride + channel), count: count, channel: channel)
        }
        place = (place + count) & mask
        phase += count
        frame += count
        guard phase == Self.grid else { continue }
        phase = 0
        delay.advance(Self.grid)
        depth.advance(Self.grid)
        rate.advance(Self.grid)
        feedback.advance(Self.grid)
        computeDelays()
      }
    }
  }

  /// Processes frames of a channel up to the next point of the sine.
  @unsafe
  private mutating func process(_ samples: UnsafeMutablePointer<Float>, count: Int, channel: Int) {
    let (stride, mask, voices, place, phase) = (channelCount, mask, voices, place, phase)
    let (feedback, share, delays, nextDelays) = (Float(feedback.value), 1 / Float(voices), delays, nextDelays)
    let (least, largest) = (Float(ProcessingLimits.smallestState), ProcessingLimits.largestSample)
    let first = channel * Self.mostVoices
    unsafe ring.withUnsafeMutableBufferPointer { whole in
      guard let base = whole.baseAddress else { return }
      // The part of the channel has `mask + 1` frames.
      let ring = unsafe base + channel * (mask + 1)
      var index = 0
      while index < count {
        let now = place &+ index
        let part = Float(phase &+ index) / Float(Self.grid)
        let sample = unsafe samples[index &* stride]
        // False for what is not a number. The present frame has no feedback yet: the delay is at least two frames.
        let input = sample.magnitude <= largest ? sample : 0
        unsafe ring[now & mask] = input
        var (sum, voice) = (Float(0), 0)
        while voice < voices {
          let (from, to) = (delays[first &+ voice], nextDelays[first &+ voice])
          let delay = from + (to - from) * part
          let frames = Int(delay)
          unsafe sum += Self.value(ring, now &- frames, delay - Float(frames), mask)
          voice &+= 1
        }
        let result = sum * share
        let fed = input + result * feedback
        let isAudible = fed.magnitude >= least && fed.magnitude <= largest
        unsafe ring[now & mask] = isAudible ? fed : 0
        unsafe samples[index &* stride] = result
        index &+= 1
      }
    }
  }

  /// The value a fraction of a frame before a frame, by the polynomial through four samples.
  @inline(__always)
  @unsafe
  private static func value(_ ring: UnsafePointer<Float>, _ frame: Int, _ fraction: Float, _ mask: Int) -> Float {
    let (a, b) = unsafe (ring[(frame &+ 1) & mask], ring[frame & mask])
    let (c, d) = unsafe (ring[(frame &- 1) & mask], ring[(frame &- 2) & mask])
    let sixth: Float = 1 / 6
    let first = c - a * (2 * sixth) - b * 0.5 - d * sixth
    let second = (a + c) * 0.5 - b
    let third = (d - a) * sixth + (b - c) * 0.5
    return ((third * fraction + second) * fraction + first) * fraction + b
  }

  /// The frames after which silence is exactly 0, for the present settings.
  package var tail: Int {
    let feedback = feedback.target.magnitude
    let repeats = feedback > 0 ? (log(1e-15) / log(feedback)).rounded(.up) : 0
    return Int(((delay.target + depth.target) * sampleRate + 4) * (repeats + 2))
  }

  /// Forgets the sound so far.
  package mutating func reset() {
    for index in ring.indices { ring[index] = 0 }
    place = 0
  }
}
