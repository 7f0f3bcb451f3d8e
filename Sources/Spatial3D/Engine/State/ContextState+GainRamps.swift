internal import AudioSupport

// The gains of sources in the short mixes of an offline context.

extension ContextState {
  /// Sets the gains for the next mix of an offline context, which has a number of frames.
  mutating func beginMix(of frames: Int) {
    beginStandIns(inMixOf: frames)
    fadeEndings(over: frames)
    // The library has the new gains already, unless the last mix was short.
    guard frames < ShortFade.length || isRamping, !device.isSuspended else { return }
    isRamping = false
    rampListener(over: frames)
    let (handle, now) = (handle, mixedFrames)
    let begun = handle.begun.withLock { $0.all }
    var transaction = SceneTransaction(handle, in: scene)
    records.withRecords { records in
      for index in records.indices where records[index].generation != 0 {
        let target = records[index].scene.gains
        let wasRunning = records[index].scene.ramp.isRunning
        var mixed = frames
        if let beginning = begun[records[index].id] {
          // A start that the library delays may lie in this mix, or behind it.
          mixed -= max(handle.mixFrame(at: .nanoseconds(max(beginning.time, 0))) - now, 0)
          let fadesIn = !beginning.isAbrupt && handle.position(records[index].id).frame > 0
          records[index].scene.ramp.end(at: fadesIn ? [0, 0, target.z] : target)
        }
        let gains = mixed > 0 ? records[index].scene.ramp.advance(by: mixed, to: target) : target
        if records[index].scene.ramp.isRunning { isRamping = true }
        if wasRunning || gains != target { transaction.apply(gains, of: &records[index].scene) }
      }
    }
    transaction.end(ofListenerIn: scene)
  }

  private mutating func rampListener(over frames: Int) {
    var listener = scene.listener
    let wasRunning = listenerRamp.isRunning
    listener.gain = listenerRamp.advance(by: frames, to: [listener.gain, 0, 0]).x
    if listenerRamp.isRunning { isRamping = true }
    if wasRunning || listenerRamp.isRunning { handle.apply(.gain, of: listener) }
  }

  /// Notes that the mix of an offline context is over.
  mutating func endMix(of frames: Int) {
    releaseFadedEndings()
    guard !device.isSuspended else { return }
    let clock = handle.clock
    handle.begun.withLock { $0.endMix(at: clock) }
    // A short mix has noted the gains already.
    guard frames >= ShortFade.length else { return }
    listenerRamp.end(at: [scene.listener.gain, 0, 0])
    records.withRecords { records in
      for index in records.indices { records[index].scene.ramp.end(at: records[index].scene.gains) }
    }
  }
}
