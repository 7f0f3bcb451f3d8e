internal import Glibc

/// A distortion: a curve at four times the rate, then a low pass and a filter against a constant offset.
///
/// The loudness stays about the same: a sine of -12 dBFS keeps its root mean square. Aliases are 60 dB below the
/// sound. Numbers glide, and another curve counts at once. A sample that is not finite, or beyond ±1e25, counts as 0.
///
/// Pure: no call, no lock, and no allocation after `init`.
package struct Distortion: Sendable {
  package struct Settings: Hashable, Sendable {
    package var curve = ShapingCurve.soft
    /// The gain before the curve in decibels, 0 to 48.
    package var drive = 12.0
    /// The frequency of the low pass in hertz, 100 to 20,000.
    package var tone = 8_000.0
    /// The gain behind it in decibels, -48 to 24.
    package var level = 0.0

    package init() {}

    func limited() -> Settings {
      var result = self
      result.drive = drive.limited(to: 0...48, notANumber: 12)
      result.tone = tone.limited(to: 100...20_000, notANumber: 8_000)
      result.level = level.limited(to: -48...24, notANumber: 0)
      return result
    }
  }

  private struct Channel: Sendable {
    var oversampler: Oversampler
    // The low pass, the last sample behind it, and the filter against an offset.
    var tone: Float = 0
    var last: Float = 0
    var result: Float = 0
    var memory = ShapingTable.Memory()
  }

  package private(set) var settings: Settings
  /// The frames by which the sound is late.
  package let latency: Int
  /// The frames after which silence is exactly 0.
  package let tail: Int

  private let channelCount: Int
  private let sampleRate: Double
  private let tables = ShapingTable.all
  private var channels: [Channel]
  /// In decibels.
  private var (drive, level): (Glide, Glide)
  private var toneShare: Float
  private let offsetShare: Float
  private var scratch = [Float](repeating: 0, count: Oversampler.chunk)

  package init(_ settings: Settings = Settings(), channelCount: Int, sampleRate: Int) {
    let (settings, rate) = (settings.limited(), ProcessingLimits.sampleRate(sampleRate))
    (self.settings, self.sampleRate) = (settings, rate)
    self.channelCount = ProcessingLimits.channelCount(channelCount)
    let oversampler = Oversampler(sampleRate: rate)
    latency = oversampler.latency
    channels = Array(repeating: Channel(oversampler: oversampler), count: self.channelCount)
    drive = Glide(settings.drive)
    level = Glide(Self.level(settings))
    toneShare = Self.toneShare(settings, rate)
    // 10 Hz is below all audible frequencies. The filter decays to -300 dB in 0.55 s.
    offsetShare = Float(exp(-2 * .pi * 10 / rate))
    tail = 2 * latency + Int(0.6 * rate)
  }

  private static func level(_ settings: Settings) -> Double {
    let ratio = settings.curve.gain(ofSine: pow(10, -12 / 20), drive: pow(10, settings.drive / 20))
    return settings.level - 20 * log10(ratio)
  }

  private static func toneShare(_ settings: Settings, _ rate: Double) -> Float {
    Float(1 - exp(-2 * .pi * min(settings.tone, 0.45 * rate) / rate))
  }

  /// Begins to glide to other settings, over so many frames.
  ///
  /// It takes a few microseconds.
  package mutating func set(_ settings: Settings, over frames: Int) {
    let settings = settings.limited()
    // The area under another curve is another one.
    if settings.curve != self.settings.curve {
      for index in channels.indices { channels[index].memory = ShapingTable.Memory() }
    }
    drive.move(to: settings.drive, over: frames)
    level.move(to: Self.level(settings), over: frames)
    toneShare = Self.toneShare(settings, sampleRate)
    self.settings = settings
  }

  /// Processes whole frames.
  package mutating func process(_ samples: inout MutableSpan<Float>) {
    let (frameCount, stride) = (samples.count / channelCount, channelCount)
    // Reads and writes whole frames of the span.
    unsafe samples.withUnsafeMutableBufferPointer { samples in
      guard let start = samples.baseAddress else { return }
      var frame = 0
      while frame < frameCount {
        let count = min(Oversampler.chunk, frameCount - frame)
        let (before, levelBefore) = (gain(drive), gain(level))
        drive.advance(count)
        level.advance(count)
        let (after, levelAfter) = (gain(drive), gain(level))
        for channel in 0..<stride {
          unsafe process(
            start + (frame * stride + channel),
            count: count,
            channel: channel,
            drive: (before, (after - before) / Float(count)),
            level: (levelBefore, (levelAfter - levelBefore) / Float(count))
          )
        }
        frame += count
      }
    }
  }

  private func gain(_ glide: Glide) -> Float { Float(pow(10, glide.value / 20)) }

  /// Processes frames of a channel, at most a chunk, with gains that begin and move by a step each frame.
  @unsafe
  private mutating func process(
    _ samples: UnsafeMutablePointer<Float>,
    count: Int,
    channel index: Int,
    drive: (start: Float, step: Float),
    level: (start: Float, step: Float)
  ) {
    let (stride, largest, table) = (channelCount, ProcessingLimits.largestSample, tables[settings.curve.rawValue])
    let (toneShare, offsetShare, least) = (toneShare, offsetShare, Float(ProcessingLimits.smallestState))
    let step = Double(drive.step) / Double(channels[index].oversampler.factor)
    var memory = channels[index].memory
    var (tone, last, result) = (channels[index].tone, channels[index].last, channels[index].result)
    unsafe scratch.withUnsafeMutableBufferPointer { scratch in
      // Room for a chunk.
      guard let scratch = scratch.baseAddress else { return }
      for frame in 0..<count {
        let sample = unsafe samples[frame * stride]
        // False for what is not a number.
        unsafe scratch[frame] = sample.magnitude <= largest ? sample : 0
      }
      unsafe channels[index].oversampler.process(scratch, count: count) { samples, count in
        unsafe table.process(samples, count: count, gain: Double(drive.start), step: step, &memory)
      }
      var (frame, gain) = (0, level.start)
      while frame < count {
        gain += level.step
        unsafe tone += (scratch[frame] - tone) * toneShare
        result = tone - last + offsetShare * result
        last = tone
        unsafe samples[frame * stride] = result * gain
        frame &+= 1
      }
    }
    // Silence becomes exactly 0.
    if tone.magnitude < least { (tone, last) = (0, 0) }
    if result.magnitude < least { result = 0 }
    (channels[index].tone, channels[index].last, channels[index].result) = (tone, last, result)
    channels[index].memory = memory
  }

  /// Forgets the sound so far.
  package mutating func reset() {
    for index in channels.indices {
      channels[index].oversampler.reset()
      (channels[index].tone, channels[index].last, channels[index].result) = (0, 0, 0)
      channels[index].memory = ShapingTable.Memory()
    }
  }
}
