/// A question to the game about the things between a listener and an emitter.
public struct OcclusionRay: Hashable, Sendable {
  /// The position of the listener.
  public let origin: SIMD3<Float>
  /// The position of the emitter, or a point on the disc of its ``Emitter/radius`` that faces the listener.
  public let target: SIMD3<Float>
  /// The identity of the emitter, as ``Emitter/id``.
  public let emitter: Emitter.ID
}

/// The rays to one emitter, and their mean.
struct RayQuestion: Sendable {
  let emitter: Emitter.ID
  let origin: SIMD3<Float>
  let center: SIMD3<Float>
  let radius: Float
  let rays: Int
  private(set) var mean = RayMean()
  /// Whether an answer was no level of 0 dB or below.
  private(set) var isWrong = false

  init(emitter: Emitter.ID, origin: SIMD3<Float>, center: SIMD3<Float>, radius: Float, rays: Int) {
    (self.emitter, self.origin, self.center, self.radius, self.rays) = (emitter, origin, center, radius, rays)
  }

  /// The mean of the answers; `nil` if one of them was wrong.
  var answer: EmitterRays? {
    guard !isWrong else { return nil }
    let levels = mean.levels
    return EmitterRays(emitter: emitter, occlusion: levels.occlusion, obstruction: levels.obstruction)
  }

  /// Casts the rays.
  mutating func ask(_ cast: (OcclusionRay) -> OcclusionResult) {
    for index in 0..<rays {
      let target = RayDisc.target(index, of: center, radius: radius, from: origin)
      let result = cast(OcclusionRay(origin: origin, target: target, emitter: emitter))
      if result.isUsable { mean.add(result) } else { isWrong = true }
    }
  }
}
