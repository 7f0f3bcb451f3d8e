public import Spatial3D

/// A step between two neighbouring samples of a channel that is larger than its sounds allow.
public struct Click: Hashable, Sendable {
  /// The frame after the step.
  public let frame: Int

  /// The channel of the step, counted from 0.
  public let channel: Int

  /// The difference of the samples, relative to full scale; infinite if one of them is not finite.
  public let step: Decibels

  /// The largest allowed difference at that frame, relative to full scale.
  public let limit: Decibels
}

extension Click: CustomStringConvertible {
  /// The click as a phrase, such as `"a step of -10.5 dB at frame 4800 of channel 0, where -35.2 dB is the most"`.
  public var description: String {
    "a step of \(text(step)) at frame \(frame) of channel \(channel), where \(text(limit)) is the most"
  }
}
