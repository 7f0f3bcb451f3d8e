import Spatial3D

/// What it costs that sources are observed, on the thread that mixes and sets.
enum ObservedMixes {
  static func comparisons() throws -> [Comparison] {
    let observed = try Scene(sourceCount: count)
    let tokens = observed.sources.map { $0.observe { _ in } }
    let plain = try Scene(sourceCount: count)
    let reference = try ReferenceScene(sourceCount: count)
    func mix(_ scene: Scene) { for step in 0..<4 { scene.moveAndMix(Float(step) * 0.1) } }

    var step: Float = 0
    func setGains(_ scene: Scene) {
      step = step < 0.9 ? step + 0.0001 : 0.0001
      for source in scene.sources { source.gain = step }
    }
    func row(
      _ what: String,
      atMost limit: Double,
      brief briefLimit: Double? = nil,
      _ body: @escaping () -> Void,
      against other: @escaping () -> Void
    ) -> Comparison {
      Comparison(what, atMost: limit, brief: briefLimit) { effort in
        withExtendedLifetime(tokens) {
          Turns.ratios(rounds: effort(full: 25, brief: 15), runs: 10, of: body, to: other)
        }
      }
    }
    return [
      row(
        "256 sources mixed and observed, against mixed",
        atMost: 1.5,
        brief: 1.7,
        { mix(observed) },
        against: { mix(plain) }
      ),
      row(
        "the same, against C that mixes and reads all states",
        atMost: 1.5,
        brief: 1.7,
        { mix(observed) },
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
}
