internal import Glibc
package import PCM

/// A slow change of the gain towards a loudness, with one gain for all channels.
///
/// The short-term loudness of the input decides the gain. The gain rests while this loudness is below -50 LUFS or 20
/// LU under the target: silence and a soft scene stay soft. The gain has a new value each 10 ms, and a line in
/// between.
///
/// Without a change of the gain the samples stay equal to the bit. Samples that are not finite count as silence.
///
/// Pure: no call, no lock, and no allocation after `init`.
package struct Leveler: Sendable {
  package struct Settings: Hashable, Sendable {
    /// In LUFS, -60 to 0.
    package var target = -23.0
    /// The largest gain in decibels, up and down, 0 to 24.
    package var range = 9.0
    /// In decibels a second, 0.01 to 20.
    package var speed = 1.0

    package init() {}

    func limited() -> Settings {
      var result = self
      result.target = target.limited(to: -60...0, notANumber: -23)
      result.range = range.limited(to: 0...24, notANumber: 9)
      result.speed = speed.limited(to: 0.01...20, notANumber: 1)
      return result
    }
  }

  package private(set) var settings: Settings
  private let channelCount: Int
  private let interval: Int
  private var blocks: LoudnessBlocks
  private var phase = 0
  private var (start, end): (Float, Float) = (1, 1)
  /// The gain in decibels, at the end of the present interval.
  package private(set) var gain = 0.0

  /// The loudness in LUFS below which the gain rests, and the distance to the target.
  ///
  /// Chosen: a room without speech, and twice the relative gate of BS.1770.
  private static let (floor, depth) = (-50.0, 20.0)

  package init(_ settings: Settings = Settings(), format: PCMFormat) {
    self.settings = settings.limited()
    channelCount = ProcessingLimits.channelCount(format.channelCount)
    interval = Int(ProcessingLimits.sampleRate(format.sampleRate)) / 100
    blocks = LoudnessBlocks(format: format)
  }

  /// Changes the settings; the gain moves to them with the speed.
  package mutating func set(_ settings: Settings) { self.settings = settings.limited() }

  /// Processes whole frames.
  package mutating func process(_ samples: inout MutableSpan<Float>) {
    let frameCount = samples.count / channelCount
    var frame = 0
    while frame < frameCount {
      let count = min(interval - phase, frameCount - frame)
      let places = frame * channelCount..<(frame + count) * channelCount
      blocks.append(samples.span.extracting(places), channelCount: channelCount)
      apply(to: &samples, from: frame, count: count)
      frame += count
      phase += count
      if phase == interval { endInterval() }
    }
  }

  private func apply(to samples: inout MutableSpan<Float>, from frame: Int, count: Int) {
    if start == 1, end == 1 { return }
    let step = (end - start) / Float(interval)
    var place = frame * channelCount
    for index in 0..<count {
      let gain = start + step * Float(phase &+ index &+ 1)
      for _ in 0..<channelCount {
        samples[place] *= gain
        place &+= 1
      }
    }
  }

  private mutating func endInterval() {
    if let loudness = blocks.shortTerm, loudness >= Self.floor, loudness >= settings.target - Self.depth {
      let target = min(max(settings.target - loudness, -settings.range), settings.range)
      let step = settings.speed / 100
      gain += min(max(target - gain, -step), step)
    }
    (start, end, phase) = (end, gain == 0 ? 1 : Float(pow(10, gain / 20)), 0)
  }

  /// Forgets the sound so far.
  package mutating func reset() {
    blocks.reset()
    (phase, start, end, gain) = (0, 1, 1, 0)
  }
}
