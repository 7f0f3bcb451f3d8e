import Spatial3D

/// How much dearer it is to move 64 sources one by one than in one deferred update, the flush included.
enum DeferredUpdates {
  static func ratios(rounds: Int = 25, frames: Int = 200) throws -> [Double] {
    let scene = try Scene(sourceCount: 64)
    let context = scene.renderer.context
    let clock = ContinuousClock()
    var step: Float = 0

    /// Moves every source; no two calls set the same value, which would do nothing.
    func moveAll() {
      step += 0.001
      for source in scene.sources { source.position = [step, 0, -1] }
    }

    // In turns, so that whatever slows the machine down slows both.
    return (0..<rounds).map { _ in
      let through = clock.measure { for _ in 0..<frames { moveAll() } }
      let deferred = clock.measure { for _ in 0..<frames { context.withDeferredUpdates { moveAll() } } }
      return through / deferred
    }
  }
}
