/// The choice of the listener that an emitter is rendered for.
///
/// Pure: no call and no lock.
enum ListenerChoice {
  /// The largest number of listeners: the players of a split screen.
  static let capacity = 4
  /// The factor by which another listener's score must be larger: 1.5 dB, as ``Audibility/hysteresis``.
  static let hysteresis: Float = 1.1885

  /// The listener with the highest score, or the present listener if it lacks less than 1.5 dB.
  ///
  /// - Parameters:
  ///   - scores: The score of the emitter at each listener, 0 and up.
  ///   - count: The number of listeners.
  ///   - current: The present listener of the emitter.
  /// - Returns: The index of the listener.
  static func listener(
    _ scores: InlineArray<4, Float>,
    count: Int,
    current: ListenerIndex
  ) -> ListenerIndex {
    let current = current.position
    var best = 0
    for index in 1..<max(count, 1) where scores[index] > scores[best] { best = index }
    guard current < count, best != current else { return ListenerIndex(best) }
    return ListenerIndex(scores[best] > scores[current] * hysteresis ? best : current)
  }
}
