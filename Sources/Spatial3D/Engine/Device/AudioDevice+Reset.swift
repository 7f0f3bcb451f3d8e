internal import AudioSupport

extension AudioDevice {
  /// Changes the settings of a device that has contexts, such as its HRTF, its rate or its loudspeakers.
  ///
  /// The settings replace the settings of all contexts of the device: ``AudioContext/settings`` returns them, and
  /// ``AudioContext/output`` what the device grants. A default asks for the device's own value, but OpenAL Soft 1.19
  /// keeps the rate and the limiter of an earlier request. Sources go on at their position after a gap of a few mixes,
  /// and the tails of reverbs end: the change is audible, and may click. Each context posts
  /// ``ContextEvent/Kind/outputChanged``. A later output gets the same request.
  ///
  /// ``OutputSettings/auxiliarySendLimit`` has no effect, and ``OutputSettings/sourceLimit`` only raises the number. An
  /// offline or a ``processed`` device keeps its rate and its layout: the settings change HRTF and limiter of its mix.
  ///
  /// - Throws: ``AudioError`` with the code `hrtfUnavailable` for an HRTF by an unknown name, `formatUnsupported` for a
  ///   layout that no output has, `notInLibrary` if the library lacks `ALC_SOFT_HRTF`, `deviceUnavailable` while the
  ///   device has no output, `contextUnavailable` if the device refuses. Nothing changes then, with one exception: a
  ///   refusing device may be lost, which the package handles as a loss.
  ///
  /// The OpenAL counterpart is `alcResetDeviceSOFT`.
  public func reset(_ settings: OutputSettings) throws(AudioError) {
    let contexts = try negotiatedSends.withLock { sends throws(AudioError) in
      try migrationLock.withLock { _ throws(AudioError) in try restart(settings, leastSendLimit: sends) }
    }
    // Handlers of an offline device run here, without a lock.
    for context in contexts { context.withState { state in state.postMove() } }
    wakeMonitor()
  }

  /// Returns the contexts of the device.
  private func restart(_ asked: OutputSettings, leastSendLimit: Int) throws(AudioError) -> [AudioContext] {
    // Without a context there is nothing to restart: the next one brings its own settings.
    let contexts = livingContexts
    guard !contexts.isEmpty else { return [] }
    var complete = clockMixer?.complete(asked) ?? asked
    if let format = renderedFormat { (complete.sampleRate, complete.layout) = (format.sampleRate, format.layout) }
    let (_, granted) = try atStableRate(completeHRTF(complete, in: libraryVersion)) { settings throws(AudioError) in
      try handle.reset(settings, leastSendLimit: leastSendLimit, named: name)
      for stem in mixStems.withLock({ $0 }) { try stem.reset(settings, leastSendLimit: leastSendLimit, named: name) }
      return contexts.allSatisfy { $0.handle.hasStableFilters } ? () : nil
    }
    clockMixer?.adopt(granted)
    for context in contexts { context.requestedSettings.withLock { $0 = asked } }
    return contexts
  }
}
