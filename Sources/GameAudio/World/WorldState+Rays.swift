internal import Spatial3D

// The emitters that the game is asked about, and the answers.

extension RayQuestion {
  /// The mean of the answers; `nil` if one of them was wrong.
  var answer: EmitterRays? {
    levels.map { EmitterRays(subject: emitter, occlusion: $0.occlusion, obstruction: $0.obstruction) }
  }

  /// Casts the rays.
  mutating func ask(_ answer: (OcclusionRay) -> OcclusionResult) {
    let (origin, emitter) = (origin, Emitter.ID(emitter))
    cast { answer(OcclusionRay(origin: origin, target: $0, emitter: emitter)) }
  }
}
