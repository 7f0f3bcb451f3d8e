internal import Glibc
package import PCM

/// A slow change of the gain towards a loudness, with one gain for all channels.
///
/// The short-term loudness of the input decides the gain. The gain rests while this loudness is below -50 LUFS or 20
/// LU under the target: silence and a soft scene stay soft. The gain has a new value each 10 ms, and a line in
/// between.
///
/// Without a change of the gain the samples stay equal to the bit. Unusable samples count as 0.
///
/// Pure: no system call, no lock, and no allocation after `init`.
package struct Leveler: SoundProcessor, ~Copyable {
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
  private var windows: LoudnessWindows
  private var phase = 0
  private var line: GainLine
  /// The gain in decibels, at the end of the present interval.
  private var gain = 0.0

  /// The loudness in LUFS below which the gain rests, and the distance to the target.
  ///
  /// Chosen: a room without speech, and twice the relative gate of BS.1770.
  private static let (floor, depth) = (-50.0, 20.0)

  package init(_ settings: Settings = Settings(), format: PCMFormat) {
    self.settings = settings.limited()
    channelCount = ProcessingLimits.channelCount(format.channelCount)
    interval = Int(ProcessingLimits.sampleRate(format.sampleRate)) / 100
    windows = LoudnessWindows(format: format)
    line = GainLine(from: 1, to: 1, length: interval)
  }

  /// The gain moves to the settings with their speed.
  package mutating func set(_ settings: Settings, over frameCount: Int) { self.settings = settings.limited() }

  package mutating func process(_ samples: inout MutableSpan<Float>, key: Span<Float>?) {
    let frameCount = samples.count / channelCount
    var frame = 0
    while frame < frameCount {
      let count = min(interval - phase, frameCount - frame)
      let places = frame * channelCount..<(frame + count) * channelCount
      windows.append(samples.span.extracting(places), channelCount: channelCount)
      line.multiply(&samples, from: frame, count: count, channelCount: channelCount, index: phase)
      frame += count
      phase += count
      if phase == interval { endInterval() }
    }
  }

  private mutating func endInterval() {
    var target = gain
    if let loudness = windows.shortTerm, loudness >= Self.floor, loudness >= settings.target - Self.depth {
      target = settings.target - loudness
    }
    // A smaller range counts in silence as well.
    target = min(max(target, -settings.range), settings.range)
    let step = settings.speed / 100
    gain += min(max(target - gain, -step), step)
    let factor = gain == 0 ? 1 : Float(pow(10, gain / 20))
    (line, phase) = (GainLine(from: line.end, to: factor, length: interval), 0)
  }

  /// The gain of the last sound stays: it is at rest when the loudness of 3 s has no sound left.
  package func isAtRest(afterSilence frameCount: Int) -> Bool {
    line.isConstant && gain.magnitude <= settings.range && windows.isSilent
  }

  package mutating func skipSilence(_ frameCount: Int) {
    windows.skipSilence(frameCount)
    phase = (phase + frameCount) % interval
  }

  package mutating func reset() {
    windows.reset()
    (phase, gain, line) = (0, 0, GainLine(from: 1, to: 1, length: interval))
  }

  package var gainChange: Double { gain }
}
