import Spatial3D

/// The cost of setting and reading properties, against the same calls in C.
///
/// Each program has 1,000 sources that play. No two calls set the same value, since the library would skip the second.
enum PropertyCalls {
  static func comparisons() throws -> [Comparison] {
    let scene = try Scene(sourceCount: 1_000)
    let reference = try ReferenceScene(sourceCount: 1_000)
    let (sources, context) = (scene.sources, scene.context)

    var step: Float = 0
    func next() -> Float {
      step = step < 0.9 ? step + 0.0001 : 0.0001
      return step
    }
    func setGains(_ gain: Float) { for source in sources { source.gain = Gain(gain) } }
    func setPositions(_ x: Float) { for source in sources { source.position = [x, 0, -1] } }
    func setMotion(_ x: Float, _ gain: Float) {
      for source in sources {
        source.position = [x, 0, -1]
        source.velocity = [x, 0, 0]
        source.gain = Gain(gain)
      }
    }
    func deferred(_ body: @escaping () -> Void) -> () -> Void { { context.withDeferredUpdates(body) } }

    func row(
      _ what: String,
      atMost limit: Limit,
      _ body: @escaping () -> Void,
      against loop: @escaping () -> Void
    ) -> Comparison {
      Comparison(what, atMost: limit) { _ in
        withExtendedLifetime(scene) { Turns.ratios(of: body, to: loop) }
      }
    }
    return [
      row("gain set", atMost: Limit(1.85, direct: 1.3), { setGains(next()) }, against: { reference.setGains(next()) }),
      row(
        "position set",
        atMost: Limit(1.85, direct: 1.3),
        { setPositions(next()) },
        against: { reference.setPositions(next()) }
      ),
      row(
        "gain set, in a batch",
        atMost: 1.25,
        deferred { setGains(next()) },
        against: { reference.setGains(next(), isDeferred: true) }
      ),
      row(
        "position set, in a batch",
        atMost: 1.25,
        deferred { setPositions(next()) },
        against: { reference.setPositions(next(), isDeferred: true) }
      ),
      row(
        "position, velocity and gain set, in a batch",
        atMost: 1.05,
        deferred { setMotion(next(), next()) },
        against: { reference.setMotion(next(), next(), isDeferred: true) }
      ),
      row(
        "the same, against C without a batch",
        atMost: Limit(0.9, direct: 0.66),
        deferred { setMotion(next(), next()) },
        against: { reference.setMotion(next(), next()) }
      ),
      row(
        "gain set to what it is, against C that changes it",
        atMost: Limit(0.4, direct: 0.27),
        { setGains(0.5) },
        against: { reference.setGains(next()) }
      ),
      row(
        "state read",
        atMost: Limit(2.3, direct: 1.5),
        { _ = sources.count { $0.state == .playing } },
        against: { _ = reference.playingCount }
      ),
      row(
        "position in the sound read",
        atMost: Limit(2.3, direct: 1.5),
        { _ = sources.reduce(0) { $0 + $1.playbackFrame } },
        against: { _ = reference.frameSum }
      ),
    ]
  }
}
