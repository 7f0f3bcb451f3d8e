/// A frame of the mix, and the number of frames a second.
struct MixTime: Sendable {
  /// The number of frames between two ticks of a world: 10.7 ms at 48,000 Hz.
  static let tick = 512

  let frame: Int
  let rate: Int
}
