extension AudioContext {
  /// How distance becomes gain, for all sources without a model of their own.
  ///
  /// Heard at once, also inside ``withDeferredUpdates(_:)``. Default: ``DistanceModel/inverseClamped``.
  ///
  /// The OpenAL counterpart is `alDistanceModel`.
  public var distanceModel: DistanceModel {
    get { state.withLock { $0.scene.distanceModel } }
    set {
      state.withLock { state in
        let sources = state.scene.setDistanceModel(newValue)
        handle.apply(.attenuation, of: sources, in: &state.scene)
      }
    }
  }

  /// How strong the Doppler effect is: a factor of all velocities.
  ///
  /// Heard at once, also inside ``withDeferredUpdates(_:)``. Range: 0 (none) to 10⁹, clamped; a value that is not finite
  /// changes nothing. Default: 1.
  ///
  /// The OpenAL counterpart is `alDopplerFactor`.
  public var dopplerFactor: Float {
    get { state.withLock { $0.scene.dopplerFactor } }
    set {
      guard newValue.isFinite else { return complain(about: .dopplerFactor, "Doppler factor", newValue) }
      let factor = newValue.clamped(to: Ranges.dopplerFactor)
      state.withLock { state in
        if changingScene(&state, { $0.setDopplerFactor(factor) }) {
          handle.setDopplerFactor(state.scene.libraryDopplerFactor)
        }
      }
    }
  }

  /// How fast sound travels, in metres per second; for the Doppler effect alone, nothing is delayed by it.
  ///
  /// Heard at once, also inside ``withDeferredUpdates(_:)``. Range: 0.001 to 10⁹, clamped; a value that is not finite
  /// changes nothing. Default: 343.3, as in air at 20 °C.
  ///
  /// The OpenAL counterpart is `alSpeedOfSound`.
  public var speedOfSound: Float {
    get { state.withLock { $0.scene.speedOfSound } }
    set {
      guard newValue.isFinite else { return complain(about: .speedOfSound, "speed of sound", newValue) }
      let speed = newValue.clamped(to: Ranges.speedOfSound)
      state.withLock { state in
        if changingScene(&state, { $0.setSpeedOfSound(speed) }) {
          handle.setDopplerFactor(state.scene.libraryDopplerFactor)
        }
      }
    }
  }

  func complain(about property: PhysicsProperties, _ name: String, _ value: some Any) {
    guard state.withLock({ $0.scene.complain(about: property) }) else { return }
    report(.unusable(name, of: "a context", value: "\(value)"))
  }
}

/// Properties of a whole context that were complained about.
struct PhysicsProperties: OptionSet, Sendable {
  let rawValue: UInt8

  static let dopplerFactor = PhysicsProperties(rawValue: 1 << 0)
  static let speedOfSound = PhysicsProperties(rawValue: 1 << 1)
  static let reverb = PhysicsProperties(rawValue: 1 << 2)
}
