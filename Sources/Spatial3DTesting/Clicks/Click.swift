public import Spatial3D

/// A jump in a channel: two neighbouring samples further apart than the channel's sounds can bring them.
public struct Click: Hashable, Sendable {
  /// The frame after the jump.
  public let frame: Int

  /// The channel that jumps, counted from 0.
  public let channel: Int

  /// How far the samples are apart, relative to full scale; infinite where one of them is not finite.
  public let step: Decibels

  /// How far they could be apart there, relative to full scale.
  public let limit: Decibels
}

extension Click: CustomStringConvertible {
  /// The jump in words, such as `"a step of -10.5 dB at frame 4800 of channel 0, where -35.2 dB is the most"`.
  public var description: String {
    "a step of \(text(step)) at frame \(frame) of channel \(channel), where \(text(limit)) is the most"
  }
}
