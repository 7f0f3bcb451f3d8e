internal import Glibc
internal import Spatial3D

/// The mean of the answers to the rays of one emitter.
///
/// It is the mean of their powers, so that half hidden is half the power.
struct RayMean: Sendable {
  private var occlusion: Float = 0
  private var obstruction: Float = 0
  private var count: Float = 0

  mutating func add(_ result: OcclusionResult) {
    occlusion += Self.power(result.occlusion)
    obstruction += Self.power(result.obstruction)
    count += 1
  }

  /// The mean levels, in decibels of -100 to 0.
  var levels: (occlusion: Float, obstruction: Float) { (level(of: occlusion), level(of: obstruction)) }

  private static func power(_ level: Decibels) -> Float { pow(10, max(level.rawValue, -100) / 10) }

  private func level(of sum: Float) -> Float { min(max(10 * log10(sum / max(count, 1)), -100), 0) }
}
