/// The rays to one emitter, and their mean.
struct RayQuestion: Sendable {
  let emitter: EmitterKey
  let origin: SIMD3<Float>
  let target: RayTarget
  let rays: Int
  private var mean = RayMean()
  /// Whether an answer was no level of 0 dB or below.
  private(set) var isWrong = false

  init(to emitter: EmitterKey, origin: SIMD3<Float>, target: RayTarget, rays: Int) {
    (self.emitter, self.origin, self.target, self.rays) = (emitter, origin, target, rays)
  }

  /// The mean of the answers; `nil` if one of them was wrong.
  var levels: (occlusion: Float, obstruction: Float)? { isWrong ? nil : mean.levels }

  /// Casts the rays, each by its end.
  mutating func cast(_ answer: (SIMD3<Float>) -> OcclusionResult) {
    for index in 0..<rays {
      let result = answer(RayDisc.target(index, of: target.center, radius: target.radius, from: origin))
      if result.isUsable { mean.add(result) } else { isWrong = true }
    }
  }
}
