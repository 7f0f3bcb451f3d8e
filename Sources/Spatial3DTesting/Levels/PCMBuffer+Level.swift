public import PCM
public import Spatial3D

extension PCMBuffer {
  /// The level of the buffer over all its channels: the root mean square, relative to full scale.
  ///
  /// A sine at full scale has -3.01 dB, silence has `Decibels.silence`.
  public var level: Decibels {
    Decibels(power: signal.sumOfSquares(in: samples.indices) / Double(max(samples.count, 1)))
  }

  /// The level of one channel, counted from 0: its root mean square, relative to full scale.
  ///
  /// Silence for a channel that does not exist.
  public func level(ofChannel channel: Int) -> Decibels {
    let signal = signal(ofChannel: channel)
    return Decibels(power: signal.sumOfSquares(in: signal.indices) / Double(max(signal.count, 1)))
  }

  /// The levels of one channel, counted from 0, in consecutive windows of a number of frames.
  ///
  /// The last window may be shorter. A length below 1 counts as 1. A channel that does not exist has no levels.
  public func levels(ofChannel channel: Int, windowFrames: Int) -> [Decibels] {
    let signal = signal(ofChannel: channel)
    let window = max(windowFrames, 1)
    return stride(from: 0, to: signal.count, by: window).map { start in
      let count = min(window, signal.count - start)
      return Decibels(power: signal.sumOfSquares(in: start..<(start + count)) / Double(count))
    }
  }

  /// The largest magnitude of any sample, relative to full scale.
  public var peak: Decibels {
    Decibels(factor: signal.largestMagnitude(in: samples.indices))
  }

  /// The largest magnitude of any sample of one channel, counted from 0, relative to full scale.
  ///
  /// Silence for a channel that does not exist.
  public func peak(ofChannel channel: Int) -> Decibels {
    let signal = signal(ofChannel: channel)
    return Decibels(factor: signal.largestMagnitude(in: signal.indices))
  }
}

extension Decibels {
  /// The level of a mean square.
  init(power: Double) {
    self.init(factor: Float(power.squareRoot()))
  }
}
