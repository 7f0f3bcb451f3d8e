// Heard at once, also inside `withDeferredUpdates`. Setting a value that is not finite leaves a property as it was.

extension AudioContext {
  /// How distance becomes gain, for all sources without a model of their own.
  ///
  /// Default: ``DistanceModel/inverseClamped``. The OpenAL counterpart is `alDistanceModel`.
  public var distanceModel: DistanceModel {
    get { state.withLock { $0.scene.distanceModel } }
    set {
      state.withLock { state in
        for key in state.scene.setDistanceModel(newValue) { handle.apply(.attenuation, of: key, in: state.scene) }
      }
    }
  }

  /// How strong the Doppler effect is: a factor of all velocities.
  ///
  /// Range: 0 (none) and up, clamped. Default: 1. The OpenAL counterpart is `alDopplerFactor`.
  public var dopplerFactor: Float {
    get { state.withLock { $0.scene.dopplerFactor } }
    set {
      guard newValue.isFinite else { return reportUnusable("Doppler factor", newValue) }
      let factor = newValue.clamped(to: Ranges.length)
      state.withLock { state in
        if state.scene.setDopplerFactor(factor) { handle.setDopplerFactor(factor) }
      }
    }
  }

  /// How fast sound travels, in metres per second; for the Doppler effect alone, nothing is delayed by it.
  ///
  /// Range: above 0, clamped. Default: 343.3, as in air at 20 °C. The OpenAL counterpart is `alSpeedOfSound`.
  public var speedOfSound: Float {
    get { state.withLock { $0.scene.speedOfSound } }
    set {
      guard newValue.isFinite else { return reportUnusable("speed of sound", newValue) }
      let speed = newValue.clamped(to: Ranges.speedOfSound)
      state.withLock { state in
        if state.scene.setSpeedOfSound(speed) { handle.setSpeedOfSound(speed) }
      }
    }
  }

  private func reportUnusable(_ property: String, _ value: Float) {
    report(.unusable(property, of: "a context", value: "\(value)"))
  }
}
