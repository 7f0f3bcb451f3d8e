internal import PCM
internal import Spatial3D

/// The levels of the frames that a player's reader has delivered last, in windows of 20 ms of the timeline.
///
/// The reader is ahead of the mix, so that the window of the present position is there. The memory does not grow. Pure:
/// no call and no lock.
struct MeterRing: Sendable {
  private struct Window: Sendable {
    var number = -1
    var frames = 0
    /// The sum of the squares, and the largest magnitude, of each channel.
    var power: [Float]
    var peak: [Float]

    mutating func clear(as number: Int) {
      (self.number, frames) = (number, 0)
      for channel in power.indices { (power[channel], peak[channel]) = (0, 0) }
    }

    /// Adds whole frames of interleaved samples.
    ///
    /// An addition to a sum waits for the addition before. Four sums, of every fourth sample, are four times as fast;
    /// each belongs to one channel if the number of channels divides four.
    mutating func add(_ samples: UnsafeBufferPointer<Float>, _ channelCount: Int) {
      var index = 0
      if 4 % channelCount == 0 {
        var (p0, p1, p2, p3): (Float, Float, Float, Float) = (0, 0, 0, 0)
        var (m0, m1, m2, m3): (Float, Float, Float, Float) = (0, 0, 0, 0)
        while index + 4 <= samples.count {
          // The indices are below the count.
          let (a, b) = unsafe (samples[index], samples[index + 1])
          let (c, d) = unsafe (samples[index + 2], samples[index + 3])
          (p0, p1, p2, p3) = (p0 + a * a, p1 + b * b, p2 + c * c, p3 + d * d)
          (m0, m1, m2, m3) = (max(m0, abs(a)), max(m1, abs(b)), max(m2, abs(c)), max(m3, abs(d)))
          index += 4
        }
        add(p0, m0, to: 0)
        add(p1, m1, to: 1 % channelCount)
        add(p2, m2, to: 2 % channelCount)
        add(p3, m3, to: 3 % channelCount)
      }
      while index < samples.count {
        let sample = unsafe samples[index]
        add(sample * sample, abs(sample), to: index % channelCount)
        index += 1
      }
    }

    private mutating func add(_ square: Float, _ magnitude: Float, to channel: Int) {
      power[channel] += square
      peak[channel] = max(peak[channel], magnitude)
    }
  }

  /// The windows that are kept: 2.56 s.
  ///
  /// Chosen: a stream reads 0.4 s ahead, and four times as much of the timeline at the highest pitch of a player.
  private static let count = 128

  private let windowFrames: Int
  private let channelCount: Int
  /// No windows before the first frames: a player may never play.
  private var windows: [Window] = []
  /// The number of the window that was read last; `nil` before the first one.
  private var newest: Int?

  init(_ format: PCMFormat) {
    // The windows have the length of the windows of an ``Envelope``, so that both predict the same level of a bus.
    windowFrames = max(format.sampleRate / 50, 1)
    channelCount = max(format.channelCount, 1)
  }

  /// Adds frames that the timeline has from a position on.
  ///
  /// The `TimelineReader` has checked that all samples are finite.
  mutating func add(_ pcm: PCMBuffer<Float>, at position: Int) {
    if windows.isEmpty {
      let silent = Array(repeating: Float(0), count: channelCount)
      windows = Array(repeating: Window(power: silent, peak: silent), count: Self.count)
    }
    // The array does not move its samples until the closure returns.
    unsafe pcm.samples.withUnsafeBufferPointer { samples in
      var start = 0
      while start < pcm.frameCount {
        let (number, offset) = (position + start).quotientAndRemainder(dividingBy: windowFrames)
        let end = min(start + windowFrames - offset, pcm.frameCount)
        let index = number % Self.count
        if windows[index].number != number || offset == 0 { windows[index].clear(as: number) }
        windows[index].frames += end - start
        newest = number
        unsafe windows[index].add(samples.extracting(start * channelCount..<end * channelCount), channelCount)
        start = end
      }
    }
  }

  /// The window of a position; `nil` if it was not read, or was too long ago.
  private func window(at position: Int) -> Window? {
    guard !windows.isEmpty else { return nil }
    let number = max(position, 0) / windowFrames
    let window = windows[number % Self.count]
    return window.number == number && window.frames > 0 ? window : nil
  }

  /// The root of the mean power of all channels at a position; 0 for a position that was read too long ago.
  ///
  /// A position behind the last window has the level of that window: the clock of a player runs ahead of its source
  /// after an output that did not mix in time, and a ducker still follows the sound.
  func level(at position: Int) -> Float {
    var known = window(at: position)
    if known == nil, let newest, position / windowFrames > newest { known = windows[newest % Self.count] }
    guard let window = known else { return 0 }
    return (window.power.reduce(0, +) / Float(window.frames * channelCount)).squareRoot()
  }

  /// The readings of all channels at a position, for a gain.
  func readings(at position: Int, gain: Float) -> [MeterReading] {
    guard let window = window(at: position) else { return Array(repeating: .silence, count: channelCount) }
    return (0..<channelCount).map { channel in
      let average = (window.power[channel] / Float(window.frames)).squareRoot()
      return MeterReading(average: average * gain, peak: window.peak[channel] * gain)
    }
  }
}
