extension Listener {
  /// In which direction and how far away a place is heard.
  ///
  /// A listener whose orientation cannot be used is taken as unrotated. Else like ``PolarPosition/init(_:)``.
  public func polarPosition(of place: SIMD3<Float>) -> PolarPosition {
    let (right, up, forward) = axes
    let offset = SIMD3<Double>(place) - SIMD3<Double>(position)
    return PolarPosition(
      right: (offset * right).sum(),
      up: (offset * up).sum(),
      ahead: (offset * forward).sum()
    )
  }

  /// The place that is heard in a direction and distance.
  ///
  /// The inverse of ``polarPosition(of:)``. A listener whose orientation cannot be used is taken as unrotated.
  public func position(at polarPosition: PolarPosition) -> SIMD3<Float> {
    let axes = axes
    let (right, up, ahead) = polarPosition.components
    return SIMD3<Float>(SIMD3<Double>(position) + right * axes.right + up * axes.up + ahead * axes.forward)
  }

  /// In double precision, so that a long way from the origin costs nothing but the rounding of the result.
  private var axes: (right: SIMD3<Double>, up: SIMD3<Double>, forward: SIMD3<Double>) {
    let usable = orientation.isUsable ? orientation : .identity
    return (SIMD3<Double>(usable.right), SIMD3<Double>(usable.up), SIMD3<Double>(usable.forward))
  }
}
