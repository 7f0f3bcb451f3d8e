internal import AudioSupport
internal import Spatial3D

extension AudioWorld {
  /// Asks the game what is between the listener and the emitters, once a frame.
  ///
  /// ```swift
  /// world.castRays(limit: 64) { ray in
  ///   level.blocks(ray.origin, ray.target) ? .wall(-18) : .clear
  /// }
  /// ```
  ///
  /// The closure runs on the thread of the caller, without a lock, and may use the world. Emitters with a voice come
  /// first, by the time since their last question, then emitters that lack 6 dB or less for a voice. New sounds are
  /// asked about at once, and leave half of the limit to sounds that wait for longer than a round of all. An emitter
  /// takes one ray, and five with a ``Emitter/radius``: their powers are averaged, so that half hidden is half the
  /// power. With 64 voices and 64 rays each emitter is answered in each frame.
  ///
  /// The answer comes on top of ``Emitter/occlusion`` and ``Emitter/obstruction``. The first answer after the beginning
  /// is in force at once, if nothing of the emitter is mixed yet. Later answers move over 80 ms. A filter moves by at
  /// most 47 dB a second, up to OpenAL Soft 1.24 by 23: those versions change a filter at once, and a larger step would
  /// click. A wall of 18 dB is there after 0.37 s, or 0.74 s. An emitter that is not asked about keeps its last answer.
  /// An answer with a level above 0 dB, or with NaN, is left out. The last answer stays, and
  /// `AudioContext.onDiagnostic` reports that once. It reports a level below -100 dB once, too.
  ///
  /// - Parameters:
  ///   - limit: The largest number of rays. Range: 0 to 1,048,576, clamped.
  ///   - cast: The answer to a ray.
  public func castRays(limit: Int = 64, _ cast: (OcclusionRay) -> OcclusionResult) {
    // The default limit is the default number of voices: each emitter without a radius is answered in each frame.
    if let fault = ValueFault("limit", limit, in: RayQueue.limitRange) { report(fault, of: .kind("castRays")) }
    let limit = RayQueue.limitRange.nearest(to: limit)
    let physics = context.physics
    var questions = state.withLock { state in
      state.adopt(physics)
      return state.playback.scene.space.beginRays(
        limit: limit,
        state.playback.scene.emitters,
        state.playback.voices,
        state.selector
      )
    }
    var clamps: [ValueFault] = []
    for index in questions.indices {
      questions[index].ask { ray in
        let answer = cast(ray)
        if clamps.isEmpty, answer.isUsable { clamps = answer.clamps }
        return answer
      }
    }
    for clamp in clamps { report(clamp, of: .kind("an answer to castRays")) }
    let moment = momentOfCall
    state.withLock { state in
      if let moment { state.playback.log.setMoment(moment) }
      state.playback.endRays(&questions)
    }
    carryOut()
  }
}
