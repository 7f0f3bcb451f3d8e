extension Orientation {
  /// A direction of the world in the coordinates of a listener with this orientation: x right, y up, z backwards.
  ///
  /// The length stays, so the direction may be a velocity. A source with ``SoundSource/isListenerRelative`` has the
  /// same coordinates. It moves along with the listener: subtract ``Listener/velocity`` from its velocity first. An
  /// unusable orientation counts as unrotated. A finite direction has a finite result.
  public func relativeDirection(of direction: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(nearest: ListenerAxes(self).relative(SIMD3(direction)))
  }

  /// The direction of the world that a listener with this orientation has in its own coordinates.
  ///
  /// The inverse of ``relativeDirection(of:)``.
  public func direction(ofRelative direction: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(nearest: ListenerAxes(self).world(SIMD3(direction)))
  }
}
