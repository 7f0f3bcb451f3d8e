import Spatial3D

/// How many seconds of 64 sources are mixed in one second.
enum OfflineRendering {
  static func ratios(rounds: Int = 25) throws -> [Double] {
    var scene = try Scene(sourceCount: 64)
    let clock = ContinuousClock()
    let length = Duration.milliseconds(500)
    var mix = scene.renderer.render(length)

    var ratios: [Double] = []
    for _ in 0..<rounds {
      let taken = clock.measure { scene.renderer.render(into: &mix, frameCount: 24_000) }
      ratios.append(length / taken)
    }
    return ratios
  }
}
