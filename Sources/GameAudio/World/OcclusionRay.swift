/// A question to the game about the things between a listener and an emitter.
public struct OcclusionRay: Hashable, Sendable {
  /// The position of the listener.
  public let origin: SIMD3<Float>
  /// The position of the emitter, or a point on the disc of its ``Emitter/radius`` that faces the listener.
  public let target: SIMD3<Float>
  /// The identity of the emitter, as ``Emitter/id``.
  public let emitter: Emitter.ID
}

extension RayQuestion {
  /// Casts the rays.
  mutating func ask(_ answer: (OcclusionRay) -> OcclusionResult) {
    let (origin, emitter) = (origin, Emitter.ID(emitter))
    cast { answer(OcclusionRay(origin: origin, target: $0, emitter: emitter)) }
  }
}
