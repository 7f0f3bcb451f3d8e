/// The change of a sound's frequency by the motion of source and listener, by OpenAL 1.1's formula.
package struct DopplerEffect: Hashable, Sendable {
  /// The Doppler factor at the library's own speed of sound; 0 turns the effect off.
  package var factor: Float

  /// The factor of the frequency of a source.
  ///
  /// A relative source has its position and velocity in the head's coordinates, on top of the listener's own motion.
  package func shift(
    of position: SIMD3<Float>,
    movingAt velocity: SIMD3<Float>,
    isRelative: Bool = false,
    heardBy listener: Listener
  ) -> Double {
    guard factor > 0 else { return 1 }
    let way = isRelative ? -position : listener.position - position
    let distance = (way * way).sum().squareRoot()
    guard distance > 0 else { return 1 }
    let direction = way / distance
    let moving = isRelative ? listener.velocity.seen(by: listener.orientation) : listener.velocity
    let ofListener = (moving * direction).sum() * factor
    let ofSource = (velocity * direction).sum() * factor + (isRelative ? ofListener : 0)
    guard ofListener < Scene.librarySpeedOfSound else { return 0 }
    guard ofSource < Scene.librarySpeedOfSound else { return .infinity }
    return Double(Scene.librarySpeedOfSound - ofListener) / Double(Scene.librarySpeedOfSound - ofSource)
  }
}

extension SIMD3<Float> {
  /// Converts a direction of the scene to a listener's own coordinates.
  fileprivate func seen(by head: Orientation) -> SIMD3<Float> {
    [(self * head.right).sum(), (self * head.up).sum(), -(self * head.forward).sum()]
  }
}
