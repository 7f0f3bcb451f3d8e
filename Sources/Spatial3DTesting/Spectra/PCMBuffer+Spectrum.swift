import Glibc
public import PCM

extension PCMBuffer {
  /// The spectrum of one channel, counted from 0.
  ///
  /// A longer window has finer bins, and requires a sound that is steady for longer. The number of frames is rounded up
  /// to a power of two, from 16 to 1,048,576. Default: 4,096, bins of 11.7 Hz at 48 kHz. A channel that is shorter than
  /// a window is one window by itself. Frames after the last whole window are left out. A channel that does not exist
  /// is silent.
  public func spectrum(ofChannel channel: Int, windowFrames: Int = 4_096) -> Spectrum {
    let transform = FourierTransform(ofAtLeast: min(max(windowFrames, 16), 1 << 20))
    let signal = signal(ofChannel: channel)
    let length = min(signal.count, transform.count)
    let window = hannWindow(length)
    var sums = [Double](repeating: 0, count: transform.count / 2 + 1)
    var windowCount = 0
    let hop = max(transform.count / 2, 1)
    // Transforms two windows at a time, as the real and the imaginary parts of complex numbers.
    var start = 0
    while length > 0, start + length <= signal.count {
      let next = start + hop
      var real = windowed(signal, from: start, window, count: transform.count)
      var imaginary =
        next + length <= signal.count
        ? windowed(signal, from: next, window, count: transform.count)
        : [Double](repeating: 0, count: transform.count)
      windowCount += next + length <= signal.count ? 2 : 1
      transform.forward(&real, &imaginary)
      addPowers(real, imaginary, to: &sums)
      start = next + hop
    }
    let windowEnergy = window.reduce(0) { $0 + $1 * $1 }
    let scale = windowCount == 0 ? 0 : 1 / (Double(windowCount) * windowEnergy * Double(transform.count))
    return Spectrum(
      binWidth: Double(format.sampleRate) / Double(transform.count),
      powers: sums.map { $0 * scale }
    )
  }
}

/// Hann's window, periodic; a window of length 1 is 1.
private func hannWindow(_ length: Int) -> [Double] {
  (0..<length).map { length == 1 ? 1 : 0.5 - 0.5 * cos(2 * Double.pi * (Double($0) + 0.5) / Double(length)) }
}
