internal import AudioSupport
internal import CSpatial3DShim

/// The gains of the library's listener and effect slots, and whether they are muted.
struct Volume: Sendable {
  var isMuted = false
  /// The gains of slots that were given one.
  var slotGains: [UInt32: Float] = [:]
}

extension ContextHandle {
  /// Fades the whole mix out, including the tails of effects, or back in.
  func setMuted(_ isMuted: Bool, listenerGain: Float) {
    let slotGains = volume.withLock { volume -> [UInt32: Float]? in
      guard volume.isMuted != isMuted else { return nil }
      volume.isMuted = isMuted
      return volume.slotGains
    }
    guard let slotGains else { return }
    var update = s3d_listener_update()
    update.changed = ListenerProperties.gain.rawValue
    update.gain = isMuted ? 0 : listenerGain
    // The shim reads the update before it returns.
    unsafe s3d_listener_apply(pointer, &update)
    for (slot, gain) in slotGains {
      unsafe s3d_effect_slot_set_gain(pointer, s3d_effect_slot(id: slot), isMuted ? 0 : gain)
    }
  }

  /// The update for the shim from a listener.
  func update(of listener: Listener, changes: ListenerProperties) -> s3d_listener_update {
    var update = s3d_listener_update(listener, changes: changes)
    if changes.contains(.gain), volume.withLock({ $0.isMuted }) { update.gain = 0 }
    return update
  }

  func setGain(_ gain: Float, of slot: UInt32) {
    let isMuted = volume.withLock { volume in
      volume.slotGains[slot] = gain
      return volume.isMuted
    }
    unsafe s3d_effect_slot_set_gain(pointer, s3d_effect_slot(id: slot), isMuted ? 0 : gain)
  }
}
