import Spatial3D

/// The gain of sources whose sum cannot clip.
public enum Headroom {
  /// The gain for all sources that keeps the sum of their peaks below full scale all along a walk; at most 1.
  ///
  /// The calculation uses OpenAL's default distance law: full level within a metre, and 6 dB less with every doubling
  /// of the distance. It assumes that all peaks arrive at one ear at the same time.
  public static func gain(for sounds: [(peak: Float, place: SIMD3<Float>)], along walk: Walk) -> Float {
    let moments = stride(from: 0, through: walk.seconds, by: walk.seconds / 1_000)
    let loudest = moments.map { moment in
      let listener = walk.listener(at: moment)
      return sounds.reduce(0) { $0 + $1.peak / max(listener.distance(to: $1.place), 1) }
    }
    return min(1, 0.95 / max(loudest.max() ?? 0, .leastNormalMagnitude))
  }
}
