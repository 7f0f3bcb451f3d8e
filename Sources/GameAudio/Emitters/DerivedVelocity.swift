/// The velocity of something whose positions are known.
enum DerivedVelocity {
  /// The speed, in metres a second, above which a change of the position is a teleport.
  ///
  /// Chosen: 540 km/h is faster than cars and trains. A faster thing has its velocity set by the game.
  static let fastest: Float = 150
  /// The seconds over which the velocity is smoothed.
  ///
  /// Chosen: a game moves its things once or twice between two choices, which are 21 ms apart, and five choices smooth
  /// the difference. A velocity that jumps is a pitch that jumps.
  private static let smoothing: Float = 0.1

  /// The velocity after a change of the position.
  static func next(_ velocity: SIMD3<Float>, from: SIMD3<Float>, to: SIMD3<Float>, in seconds: Float) -> SIMD3<Float> {
    let raw = (to - from) / seconds
    guard (raw * raw).sum() <= fastest * fastest else { return velocity }
    return velocity + (raw - velocity) * (seconds / (seconds + smoothing))
  }
}
