/// A frame of the mix, and the number of frames a second.
struct MixTime: Sendable {
  /// The number of frames between two ticks of a world: 10.7 ms at 48,000 Hz.
  ///
  /// Chosen: half of the mix of a usual output, which has 1,024 frames, and less than a frame of a game.
  static let tick = 512

  let frame: Int
  let rate: Int
}
