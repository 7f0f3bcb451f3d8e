extension Listener {
  /// The direction and distance of a position from the listener.
  ///
  /// A listener with an unusable orientation counts as unrotated. The rules of ``PolarPosition/init(_:)`` apply
  /// otherwise.
  public func polarPosition(of place: SIMD3<Float>) -> PolarPosition {
    let relative = ListenerAxes(orientation).relative(offset(of: place))
    return PolarPosition(right: relative.x, up: relative.y, ahead: -relative.z)
  }

  /// The position in a direction and distance from the listener.
  ///
  /// The inverse of ``polarPosition(of:)``. A listener with an unusable orientation counts as unrotated.
  public func position(at polarPosition: PolarPosition) -> SIMD3<Float> {
    let (right, up, ahead) = polarPosition.components
    return position(ofRelative: [right, up, -ahead])
  }

  /// A position of the world in the listener's coordinates: x to the right, y up, z backwards.
  ///
  /// A source with ``SoundSource/isListenerRelative`` at the result is at the position of the world, until the listener
  /// moves. A listener with an unusable orientation counts as unrotated. A finite position has a finite result.
  /// ``Orientation/relativeDirection(of:)`` converts directions and velocities.
  public func relativePosition(of place: SIMD3<Float>) -> SIMD3<Float> {
    SIMD3(nearest: ListenerAxes(orientation).relative(offset(of: place)))
  }

  /// The position of the world that has a position in the listener's coordinates.
  ///
  /// The inverse of ``relativePosition(of:)``.
  public func position(ofRelative place: SIMD3<Float>) -> SIMD3<Float> {
    position(ofRelative: SIMD3<Double>(place))
  }

  /// The distance of a position from the listener, in metres.
  ///
  /// It equals the distance of ``polarPosition(of:)``, at a lower cost. A finite position has a finite distance.
  public func distance(to place: SIMD3<Float>) -> Float {
    let offset = offset(of: place)
    return Float(nearest: (offset * offset).sum().squareRoot())
  }

  private func offset(of place: SIMD3<Float>) -> SIMD3<Double> { SIMD3(place) - SIMD3(position) }

  private func position(ofRelative place: SIMD3<Double>) -> SIMD3<Float> {
    SIMD3(nearest: SIMD3(position) + ListenerAxes(orientation).world(place))
  }
}
