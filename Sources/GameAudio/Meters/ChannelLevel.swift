public import Spatial3D

/// The measured level of a channel over the last 50 ms.
public struct ChannelLevel: Hashable, Sendable, Codable {
  /// The root mean square, re full scale: -3 dB for a sine of full scale.
  public let average: Decibels

  /// The largest sample, re full scale.
  public let peak: Decibels
}
