public import Spatial3D

/// The difference of a mix from the expected one, and a possible explanation.
public struct MixDifference: Hashable, Sendable {
  /// The largest difference of a sample from the expected one, relative to full scale; silence if all are equal.
  ///
  /// The further frames of the longer mix are compared with silence. Infinite if a sample is not a number.
  public let peak: Decibels

  /// The frame of that sample.
  public let frame: Int

  /// The channel of that sample, counted from 0.
  public let channel: Int

  /// The root mean square of all differences, relative to full scale.
  public let level: Decibels

  /// The first frame with a sample that differs; `nil` if all are equal.
  public let firstFrame: Int?

  /// The number of frames of the mix.
  public let frameCount: Int

  /// The number of frames of the expected mix.
  public let expectedFrameCount: Int

  /// The number of frames by which the mix is later than expected: the delay at which ``channel`` is most alike in
  /// both.
  ///
  /// It ranges from -4,096 to 4,096 frames. Like ``levelChange`` and ``likeness`` it is measured in 131,072 frames
  /// around the first difference.
  public let delay: Int

  /// The level of ``channel`` relative to the expected one: positive for a louder mix.
  public let levelChange: Decibels

  /// The likeness of ``channel`` in both mixes without their delay and level change: 1 for the same sound, 0 for
  /// another.
  public let likeness: Double
}

extension MixDifference: CustomStringConvertible {
  /// The difference in sentences, with its position and a possible explanation.
  public var description: String {
    var sentences: [String] = []
    if let firstFrame {
      sentences = [
        "The largest difference is \(text(peak)), at frame \(frame) of channel \(channel).",
        "The first is at frame \(firstFrame), and all together have \(text(level)).",
      ]
    }
    if frameCount != expectedFrameCount {
      sentences.append("The mix has \(frameCount) frames, and \(expectedFrameCount) were expected.")
    }
    if sentences.isEmpty { return "The mix is as expected, sample for sample." }
    if firstFrame != nil { sentences.append(explanation) }
    return sentences.joined(separator: " ")
  }

  private var explanation: String {
    if levelChange == .silence { return "Channel \(channel) is silent there." }
    if levelChange.rawValue == .infinity { return "Channel \(channel) was expected to be silent there." }
    guard likeness > 0.99 else {
      return "It is another sound: the likeness of channel \(channel) is \(rounded(likeness, places: 2))."
    }
    let shift = delay == 0 ? "at the same time" : "\(abs(delay)) frames \(delay > 0 ? "later" : "earlier")"
    let loudness =
      levelChange.rawValue.magnitude < 0.05
      ? "as loud" : "\(rounded(levelChange.rawValue.magnitude, places: 1)) dB \(levelChange > 0 ? "louder" : "softer")"
    return
      "Channel \(channel) has the expected sound, \(shift) and \(loudness) (likeness \(rounded(likeness, places: 4)))."
  }
}
