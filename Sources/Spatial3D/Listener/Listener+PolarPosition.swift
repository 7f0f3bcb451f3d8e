extension Listener {
  /// The direction and distance of a position from the listener.
  ///
  /// A listener with an unusable orientation counts as unrotated. The rules of ``PolarPosition/init(_:)`` apply
  /// otherwise.
  public func polarPosition(of place: SIMD3<Float>) -> PolarPosition {
    let (right, up, forward) = axes
    let offset = SIMD3<Double>(place) - SIMD3<Double>(position)
    return PolarPosition(
      right: (offset * right).sum(),
      up: (offset * up).sum(),
      ahead: (offset * forward).sum()
    )
  }

  /// The position in a direction and distance from the listener.
  ///
  /// The inverse of ``polarPosition(of:)``. A listener with an unusable orientation counts as unrotated.
  public func position(at polarPosition: PolarPosition) -> SIMD3<Float> {
    let axes = axes
    let (right, up, ahead) = polarPosition.components
    return SIMD3<Float>(SIMD3<Double>(position) + right * axes.right + up * axes.up + ahead * axes.forward)
  }

  /// The axes in double precision: far from the origin only the result is rounded.
  private var axes: (right: SIMD3<Double>, up: SIMD3<Double>, forward: SIMD3<Double>) {
    let usable = orientation.isUsable ? orientation : .identity
    return (SIMD3<Double>(usable.right), SIMD3<Double>(usable.up), SIMD3<Double>(usable.forward))
  }
}
