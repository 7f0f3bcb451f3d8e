public import PCM
public import Spatial3D

extension PCMBuffer {
  /// How loud the buffer is over all its channels: the root mean square, relative to full scale.
  ///
  /// A sine at full scale is at -3.01 dB, silence at ``Spatial3D/Decibels/silence``.
  public var level: Decibels {
    rms(of: samples.indices, stride: 1)
  }

  /// How loud one channel is, counted from 0: its root mean square, relative to full scale.
  ///
  /// Silence for a channel that does not exist.
  public func level(ofChannel channel: Int) -> Decibels {
    guard (0..<format.channelCount).contains(channel) else { return .silence }
    return rms(of: channel..<max(samples.count, channel), stride: format.channelCount)
  }

  /// How loud one channel, counted from 0, is in each window of a number of frames, one after the other.
  ///
  /// The last window may be shorter. A length below 1 is taken as 1. There are no levels for a channel that does not exist.
  public func levels(ofChannel channel: Int, windowFrames: Int) -> [Decibels] {
    let channelCount = format.channelCount
    guard (0..<channelCount).contains(channel) else { return [] }
    let window = max(windowFrames, 1)
    return stride(from: 0, to: frameCount, by: window).map { start in
      let end = start + min(window, frameCount - start)
      return rms(of: (start * channelCount + channel)..<(end * channelCount), stride: channelCount)
    }
  }

  /// The largest distance from silence of any sample, relative to full scale.
  public var peak: Decibels {
    Decibels(gain: samples.reduce(0) { max($0, abs($1.signal)) })
  }

  private func rms(of range: Range<Int>, stride step: Int) -> Decibels {
    var sum = 0.0
    var count = 0
    for index in stride(from: range.lowerBound, to: range.upperBound, by: step) {
      let value = Double(samples[index].signal)
      sum += value * value
      count += 1
    }
    return count == 0 ? .silence : Decibels(gain: Float((sum / Double(count)).squareRoot()))
  }
}
