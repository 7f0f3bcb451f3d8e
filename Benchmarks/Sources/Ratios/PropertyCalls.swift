internal import OpenALLoops
import Spatial3D

/// What setting and reading properties costs, against the same calls in C.
///
/// Each program has 1,000 sources that play. No two calls set the same value, which here would do nothing.
enum PropertyCalls {
  static func rows() throws -> [Row] {
    let scene = try Scene(sourceCount: 1_000)
    let reference = try ReferenceScene(sourceCount: 1_000)
    let (sources, context) = (scene.sources, scene.renderer.context)

    var step: Float = 0
    func next() -> Float {
      step = step < 0.9 ? step + 0.0001 : 0.0001
      return step
    }
    func setGains(_ gain: Float) { for source in sources { source.gain = gain } }
    func setPositions(_ x: Float) { for source in sources { source.position = [x, 0, -1] } }
    func setMotion(_ x: Float, _ gain: Float) {
      for source in sources {
        source.position = [x, 0, -1]
        source.velocity = [x, 0, 0]
        source.gain = gain
      }
    }
    func deferred(_ body: @escaping () -> Void) -> () -> Void { { context.withDeferredUpdates(body) } }

    func row(_ what: String, limit: Double, _ body: () -> Void, against loop: () -> Void) -> Row {
      Row(what: what, values: Turns.ratios(of: body, to: loop), limit: limit)
    }
    return [
      row("gain set", limit: 2, { setGains(next()) }, against: { reference.setGains(next()) }),
      row("position set", limit: 2, { setPositions(next()) }, against: { reference.setPositions(next()) }),
      row(
        "gain set, deferred",
        limit: 1.15,
        deferred { setGains(next()) },
        against: { reference.setGains(next(), isDeferred: true) }
      ),
      row(
        "position set, deferred",
        limit: 1.15,
        deferred { setPositions(next()) },
        against: { reference.setPositions(next(), isDeferred: true) }
      ),
      row(
        "position, velocity and gain set, deferred",
        limit: 1.15,
        deferred { setMotion(next(), next()) },
        against: { reference.setMotion(next(), next(), isDeferred: true) }
      ),
      row(
        "the same, against C without deferral",
        limit: 1,
        deferred { setMotion(next(), next()) },
        against: { reference.setMotion(next(), next()) }
      ),
      row(
        "gain set to what it is, against C that changes it",
        limit: 1,
        { setGains(0.5) },
        against: { reference.setGains(next()) }
      ),
      row(
        "state read",
        limit: 2,
        { _ = sources.count { $0.state == .playing } },
        against: { _ = reference.playingCount }
      ),
    ]
  }
}
