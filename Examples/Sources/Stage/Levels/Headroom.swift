/// How loud sources may be so that their sum cannot clip.
public enum Headroom {
  /// The gain for all sources with which the sum of their peaks stays below full scale all along a walk; at most 1.
  ///
  /// Reckons with OpenAL's default distance law, by which a source is at full level within a metre and loses 6 dB with
  /// every doubling of the distance, and with all peaks falling together on one ear.
  public static func gain(for sounds: [(peak: Float, place: SIMD3<Float>)], along walk: Walk) -> Float {
    let moments = stride(from: 0, through: walk.seconds, by: walk.seconds / 1_000)
    let loudest = moments.map { moment in
      let listener = walk.listener(at: moment)
      return sounds.reduce(0) { $0 + $1.peak / Float(max(listener.distance(to: $1.place), 1)) }
    }
    return min(1, 0.95 / max(loudest.max() ?? 0, .leastNormalMagnitude))
  }
}
