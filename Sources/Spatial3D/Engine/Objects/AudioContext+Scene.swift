internal import AudioSupport

extension AudioContext {
  /// The attenuation by distance of all sources without a model of their own.
  ///
  /// A change is audible at once, also inside ``withDeferredUpdates(_:)``. Default: ``DistanceModel/inverseClamped``.
  ///
  /// The OpenAL counterpart is `alDistanceModel`.
  public var distanceModel: DistanceModel {
    get { state.withLock { $0.scene.distanceModel } }
    set {
      state.withLock { state in
        guard state.scene.setDistanceModel(newValue) else { return }
        state.apply(.attenuation, of: state.records.keys { $0.scene.values.attenuation.model == nil })
      }
    }
  }

  /// The strength of the Doppler effect: a factor of all velocities.
  ///
  /// A change is audible at once, also inside ``withDeferredUpdates(_:)``. Range: 0 (none) to 10⁹, clamped; a value
  /// that is not finite changes nothing. Default: 1.
  ///
  /// The OpenAL counterpart is `alDopplerFactor`.
  public var dopplerFactor: Float {
    get { state.withLock { $0.scene.dopplerFactor } }
    set { set(.dopplerFactor, "Doppler factor", to: newValue, in: Ranges.dopplerFactor) { $0.setDopplerFactor($1) } }
  }

  /// The speed of sound, in metres per second.
  ///
  /// It affects only the Doppler effect: it delays no sound. A change is audible at once, also inside
  /// ``withDeferredUpdates(_:)``. Range: 0.001 to 10⁹, clamped; a value that is not finite changes nothing. Default:
  /// 343.3, as in air at 20 °C.
  ///
  /// The OpenAL counterpart is `alSpeedOfSound`.
  public var speedOfSound: Float {
    get { state.withLock { $0.scene.speedOfSound } }
    set { set(.speedOfSound, "speed of sound", to: newValue, in: Ranges.speedOfSound) { $0.setSpeedOfSound($1) } }
  }

  /// Sets a number that affects the Doppler effect; the closure returns whether the value changes.
  private func set(
    _ property: PhysicsProperties,
    _ name: String,
    to value: Float,
    in range: ClosedRange<Float>,
    _ change: (inout Scene, Float) -> Bool
  ) {
    guard value.isFinite else { return complain(about: property, name, value) }
    state.withLock { state in
      if state.changingScene({ change(&$0, value.clamped(to: range)) }) {
        handle.setDopplerFactor(state.scene.libraryDopplerFactor)
      }
    }
  }
}

// MARK: - The room

extension AudioContext {
  /// The room of the context; `nil`, the default, means no room.
  ///
  /// The ``SoundSource/reverbBlend`` of a source sets its share of the room, from 0 to 1. It is 0 by default: a source
  /// is dry. Sounds cross over from an old room to a new one without a click, within one mix, and the tail of the old
  /// room rings out: up to four rooms sound at once. A fifth cuts off one of two of them: the room that would be silent
  /// sooner. The change is audible at once, also inside ``withDeferredUpdates(_:)``. A changed equaliser may take some
  /// milliseconds to fit. A value that is not finite changes nothing. Without ``Capabilities/effects`` the reverb is
  /// silent. A room that has rung out costs processor time until the next change.
  ///
  /// Apple's counterparts are `ALC_ASA_REVERB_ON` and its like.
  public var reverb: Reverb? {
    get { state.withLock { $0.scene.room.reverb } }
    set {
      guard let newValue else { return state.withLock { $0.leaveRoom() } }
      guard newValue.isFinite else { return complain(about: .reverb, "reverb", newValue) }
      set(newValue.clamped)
    }
  }

  /// The actual reverb of the loaded library; `nil` without a ``reverb``, or if the library has no effects.
  public var reverbResolution: ReverbResolution? {
    let room = state.withLock { $0.scene.room }
    return room.resolution(handle.effectLimits)
  }

  private func set(_ reverb: Reverb) {
    guard !state.withLock({ $0.changeLevel(to: reverb) }) else { return }
    // The fit takes long and runs outside the lock.
    let plan = ReverbPlan(for: reverb, canChain: handle.canChainEffects, limits: handle.effectLimits)
    do throws(AudioError) {
      try state.withLock { state throws(AudioError) in try state.enter(reverb, by: plan) }
    } catch {
      if error.code != .notInLibrary { report(.reverbUnavailable(error)) }
    }
  }

  func complain(about property: PhysicsProperties, _ name: String, _ value: some Any) {
    guard state.withLock({ $0.scene.complain(about: property) }) else { return }
    let part = UnusablePart(of: value, named: name)
    report(.unusable(part.name, of: "a context", value: part.value))
  }
}
