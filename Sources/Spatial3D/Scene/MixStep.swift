/// The rounding of the speed at which the mixer of a version goes through a sound.
package struct MixStep: Hashable, Sendable {
  /// The parts into which the version divides a frame.
  let parts: Float
  /// The most frames of a sound for one of the mix.
  let limit: Float

  init(version: LibraryVersion?) {
    func isSince(_ minor: Int) -> Bool { version.map { $0 >= LibraryVersion(1, minor, 0) } ?? false }
    parts = isSince(23) ? 65_536 : 4_096
    limit = isSince(21) ? 10 : 255
  }

  /// The frames of a sound for one of the mix: the rounded product of a pitch and the ratio of the rates.
  ///
  /// The arithmetic is the library's, in single precision. The result is at least one part, unless a rate is 0.
  package func frames(pitch: Float, soundRate: Int, mixRate: Int) -> Double {
    guard soundRate > 0, mixRate > 0 else { return 0 }
    let step = pitch * (Float(soundRate) / Float(mixRate))
    guard step <= limit else { return step.isNaN ? 0 : Double(limit) }
    return Double(max((step * parts).rounded(.toNearestOrEven), 1) / parts)
  }
}
