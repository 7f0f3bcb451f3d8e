import Spatial3D
import Synchronization

/// The cost of observing sources, on the thread that mixes and sets.
enum ObservedMixes {
  static func comparisons() throws -> [Comparison] {
    // Some of the sources loop in each mix, and the observed sources notify.
    let observed = try Scene(sourceCount: count, isSpread: true)
    let plain = try Scene(sourceCount: count, isSpread: true)
    let reference = try ReferenceScene(sourceCount: count, isSpread: true)
    let notifications = NotificationCounter()
    let tokens = observed.sources.map { $0.observe { _ in notifications.count() } }
    func mix(_ scene: Scene) { for step in 0..<4 { scene.moveAndMix(Float(step) * 0.1) } }
    /// Mixes a turn, in which handlers have to be called.
    func mixObserved() throws { try notifications.check(atLeast: notificationsPerTurn) { mix(observed) } }

    var step: Float = 0
    func setGains(_ scene: Scene) {
      step = step < 0.9 ? step + 0.0001 : 0.0001
      for source in scene.sources { source.gain = Gain(step) }
    }
    func row(
      _ what: String,
      atMost limit: Limit,
      brief briefLimit: Limit? = nil,
      _ body: @escaping () throws -> Void,
      against other: @escaping () -> Void
    ) -> Comparison {
      Comparison(what, atMost: limit, brief: briefLimit) { effort in
        try withExtendedLifetime(tokens) {
          try Turns.ratios(rounds: effort(full: 25, brief: 15), runs: 10, of: body, to: other)
        }
      }
    }
    return [
      row(
        "256 sources mixed and observed, against mixed",
        atMost: Limit(1.5, direct: 1.35),
        brief: 1.7,
        mixObserved,
        against: { mix(plain) }
      ),
      row(
        "the same, against C that mixes and reads all states",
        atMost: Limit(1.5, direct: 1.35),
        brief: 1.7,
        mixObserved,
        against: {
          for step in 0..<4 {
            reference.moveAndMix(Float(step) * 0.1)
            _ = reference.playingCount
          }
        }
      ),
      row(
        "gain set of an observed source, against one that is not",
        atMost: 1.5,
        { setGains(observed) },
        against: { setGains(plain) }
      ),
    ]
  }

  private static let count = 256

  /// The least number of notifications of a turn.
  ///
  /// Each source loops once a second, and a turn is four mixes: about 22 notifications, of which some may fall into the
  /// neighbouring turns.
  private static let notificationsPerTurn = 4 * count * Scene.framesPerMix / 48_000 - 4
}
