/// A gain that moves linearly to each new value, over a number of frames.
///
/// A gain of 1 keeps the samples to the bit, and a gain of 0 makes exact zeros. Unusable samples count as 0. The result
/// does not depend on the lengths of the blocks, to the bit.
///
/// Pure: no system call, no lock, and no allocation.
package struct Fader: Hashable, Sendable {
  /// The gains of the frames of the last move.
  private var line: GainLine
  /// The frames of the line so far.
  private var position: Int
  private let channelCount: Int

  /// A fader that rests at a gain, -1e6 to 1e6.
  package init(_ gain: Float = 1, channelCount: Int) {
    let gain = Self.limited(gain, otherwise: 1)
    line = GainLine(from: gain, to: gain, length: 1)
    position = line.length
    self.channelCount = ProcessingLimits.channelCount(channelCount)
  }

  private static func limited(_ gain: Float, otherwise: Float) -> Float {
    gain.isNaN ? otherwise : min(max(gain, -1e6), 1e6)
  }

  /// The gain that the fader has, or moves to.
  package var target: Float { line.end }

  /// Whether the fader rests at its target.
  package var isSettled: Bool { position == line.length }

  /// The gain of the last frame.
  private var present: Float { position == 0 ? line.start : isSettled ? line.end : line.gain(position - 1) }

  /// Begins to move to a gain over so many frames; at once for 0 frames.
  ///
  /// A gain that is not a number changes nothing.
  package mutating func move(to gain: Float, over frameCount: Int) {
    let target = Self.limited(gain, otherwise: line.end)
    line = GainLine(from: frameCount > 0 ? present : target, to: target, length: frameCount)
    position = frameCount > 0 ? 0 : line.length
  }

  /// Multiplies whole frames; it leaves samples behind the last whole frame.
  package mutating func process(_ samples: inout MutableSpan<Float>) {
    let frameCount = samples.count / channelCount
    let moving = min(line.length - position, frameCount)
    line.multiply(&samples, from: 0, count: moving, channelCount: channelCount, index: position)
    position += moving
    let rest = GainLine(from: line.end, to: line.end, length: 1)
    rest.multiply(&samples, from: moving, count: frameCount - moving, channelCount: channelCount)
  }
}
