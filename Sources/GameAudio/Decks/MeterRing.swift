internal import PCM
internal import Spatial3D

/// The levels of the frames that a player's reader has delivered last, in windows of 20 ms of the tape.
///
/// The reader is ahead of the mix, so that the window of the present position is there. The memory does not grow. Pure: no
/// call and no lock.
struct MeterRing: Sendable {
  private struct Window: Sendable {
    var number = -1
    var frames = 0
    var power: [Float]
    var peak: [Float]
  }

  /// The windows that are kept: 2.56 s, more than a stream reads ahead.
  private static let count = 128

  private let windowFrames: Int
  private let channelCount: Int
  private var windows: [Window]

  init(_ format: PCMFormat) {
    windowFrames = max(format.sampleRate / 50, 1)
    channelCount = max(format.channelCount, 1)
    let silent = Array(repeating: Float(0), count: channelCount)
    windows = Array(repeating: Window(power: silent, peak: silent), count: Self.count)
  }

  /// Adds frames that the tape has from a position on.
  mutating func add(_ pcm: PCMBuffer<Float>, at position: Int) {
    var start = 0
    while start < pcm.frameCount {
      let (number, offset) = (position + start).quotientAndRemainder(dividingBy: windowFrames)
      let end = min(start + windowFrames - offset, pcm.frameCount)
      let index = number % Self.count
      let isNew = windows[index].number != number || offset == 0
      windows[index].number = number
      windows[index].frames = (isNew ? 0 : windows[index].frames) + end - start
      for channel in 0..<channelCount {
        let (power, peak) = levels(of: pcm, channel, start..<end)
        windows[index].power[channel] = (isNew ? 0 : windows[index].power[channel]) + power
        windows[index].peak[channel] = max(isNew ? 0 : windows[index].peak[channel], peak)
      }
      start = end
    }
  }

  /// The sum of the squares and the largest value of one channel; what is not a number is silence.
  private func levels(of pcm: PCMBuffer<Float>, _ channel: Int, _ frames: Range<Int>) -> (power: Float, peak: Float) {
    var (power, peak): (Float, Float) = (0, 0)
    let samples = pcm.samples
    for index in stride(
      from: frames.lowerBound * channelCount + channel,
      to: frames.upperBound * channelCount,
      by: channelCount
    ) {
      let sample = samples[index]
      guard sample.isFinite else { continue }
      power += sample * sample
      peak = max(peak, abs(sample))
    }
    return (power, peak)
  }

  /// The window of a position; `nil` if it was not read, or was too long ago.
  private func window(at position: Int) -> Window? {
    let number = max(position, 0) / windowFrames
    let window = windows[number % Self.count]
    return window.number == number && window.frames > 0 ? window : nil
  }

  /// The root of the mean power of all channels at a position; 0 for a position that was not read.
  func level(at position: Int) -> Float {
    guard let window = window(at: position) else { return 0 }
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
