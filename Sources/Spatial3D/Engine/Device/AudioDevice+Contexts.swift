internal import AudioSupport
internal import Synchronization

extension AudioDevice {
  /// Adds a new context to the device, and suspends it if the others are suspended.
  func join(_ context: AudioContext) {
    contexts.withLock { $0.append(Weak(context)) }
    context.applySuspension()
  }

  /// The contexts that are in use; the array retains them.
  var livingContexts: [AudioContext] {
    let references = contexts.withLock { $0 }
    var living: [AudioContext] = []
    // One allocation, however many there are: a piece of a mix has the contexts of all stems.
    living.reserveCapacity(references.count)
    for reference in references { if let context = reference.object { living.append(context) } }
    return living
  }

  /// Calls a closure with each context that is in use, without an array of them: a mixing thread does not allocate.
  func forEachContext(_ body: (AudioContext) -> Void) {
    for reference in contexts.withLock({ $0 }) {
      if let context = reference.object { body(context) }
    }
  }

  /// Removes a context that ends.
  func leave(_ context: AudioContext) {
    clockMixer?.leave()
    defer { outputMixer?.leave() }
    let id = ObjectIdentifier(context)
    contexts.withLock { $0.removeAll { $0.id == id } }
    tickLoop.signal()
    if !context.isStem { endMix() }
  }

  /// Removes the stems and the stages of a rendered mix that has no context left: they may keep the device.
  private func endMix() {
    guard isRendered, !livingContexts.contains(where: { !$0.isStem }) else { return }
    let stems = mixStems.withLock { stems in
      defer { stems = [] }
      return stems
    }
    let stages = mixStages.withLock { stages in
      defer { stages = [] }
      return stages
    }
    withExtendedLifetime((stems, stages)) {}
  }
}

// MARK: - Creating contexts

extension AudioDevice {
  /// Creates a context of the library, with what the device's other contexts have where the settings are silent.
  func makeContext(_ settings: OutputSettings) throws(AudioError) -> ContextHandle {
    do throws(AudioError) {
      return try negotiate(settings)
    } catch {
      // A lost output refuses a context, and its placeholder accepts one.
      guard error.code == .contextUnavailable, handle.survivesLoss, placeholder() else { throw error }
      return try negotiate(settings)
    }
  }

  private func negotiate(_ asked: OutputSettings) throws(AudioError) -> ContextHandle {
    try negotiatedSends.withLock { sends throws(AudioError) in
      let settings = clockMixer?.complete(asked, presentRate: handle.sampleRate) ?? completeRendered(asked)
      let (created, granted) = try atStableRate(settings) { settings throws(AudioError) in
        let created = try request(settings, sends)
        return created.hasStableFilters ? created : nil
      }
      sends = max(sends, created.sendLimit)
      clockMixer?.join(granted)
      return created
    }
  }

  /// Restarts the device with settings, at a rate at which the library's filters are stable.
  ///
  /// The closure returns `nil` where the device has an unstable rate, and is called once more then. Returns its result
  /// and the settings of the last call.
  func atStableRate<Result>(
    _ asked: OutputSettings,
    _ restart: (OutputSettings) throws(AudioError) -> Result?
  ) throws(AudioError) -> (Result, OutputSettings) {
    var settings = asked
    settings.sampleRate = settings.sampleRate?.clamped(to: Ranges.mixRate)
    if let version = libraryVersion, let rate = settings.sampleRate,
      !EffectLimits(version: version, rate: Double(rate)).hasStableFilters
    {
      settings.sampleRate = EffectLimits.lowestStableRate
    }
    // Settings restart the device. The library must not mix an effect at a rate at which its filters are unstable.
    let before = handle.sampleRate
    let lowered = settings.sampleRate.flatMap { $0 < before ? $0 : nil }
    if let lowered {
      handle.pendingRate.store(lowered, ordering: .sequentiallyConsistent)
      reloadEffects()
    }
    defer {
      handle.pendingRate.store(.max, ordering: .sequentiallyConsistent)
      if lowered != nil || handle.sampleRate != before { reloadEffects() }
    }
    // The first context reports the version. A headset with a microphone may have a rate of 8,000 Hz of its own.
    if let result = try restart(settings) { return (result, settings) }
    settings.sampleRate = EffectLimits.lowestStableRate
    guard let result = try restart(settings) else { throw .unstableRate(of: self) }
    return (result, settings)
  }

  private func request(_ asked: OutputSettings, _ sends: Int) throws(AudioError) -> ContextHandle {
    guard asked.requestsHRTF, asked.sampleRate == nil, mixRate == 0, handle.mayTakeRateOfHRTF else {
      return try create(completeHRTF(asked, in: libraryVersion), sends)
    }
    // The library reports the rate of an output, and its own version, from the first context on.
    var plain = asked
    plain.hrtf = .automatic
    let created = try create(plain, sends)
    try handle.reset(completeHRTF(asked, in: created.version), leastSendLimit: created.sendLimit, named: name)
    return created
  }

  /// Completes the settings of a restart where HRTF changes the rate of an output.
  func completeHRTF(_ asked: OutputSettings, in version: LibraryVersion?) -> OutputSettings {
    guard handle.mayTakeRateOfHRTF, asked != OutputSettings(), let version, version <= LibraryVersion(1, 20, 0) else {
      return asked
    }
    let (rate, names) = (handle.sampleRate, asked.requestsHRTF ? handle.hrtfNames : [])
    return hrtfRate.withLock { $0.complete(asked, presentRate: rate, names: names) }
  }

  private func create(_ settings: OutputSettings, _ sends: Int) throws(AudioError) -> ContextHandle {
    try ContextHandle(
      on: handle,
      named: name,
      settings: settings,
      leastSendLimit: sends,
      presentRate: mixRate,
      offlineFormat: renderedFormat
    )
  }

  /// The settings of a context of a rendered device, whose format is fixed; others stay as they are.
  private func completeRendered(_ asked: OutputSettings) -> OutputSettings {
    guard let format = renderedFormat else { return asked }
    var settings = asked
    (settings.sampleRate, settings.layout) = (format.sampleRate, format.layout)
    guard let present = livingContexts.last?.settings else { return settings }
    if settings.hrtf == .automatic { settings.hrtf = present.hrtf }
    if settings.limiter == .automatic { settings.limiter = present.limiter }
    return settings
  }

  /// The version of OpenAL Soft, which a context reports; `nil` without one.
  var libraryVersion: LibraryVersion? { livingContexts.first?.handle.version }

  /// The rate of the mix of the device's contexts, in hertz; 0 without a context.
  var mixRate: Int { contexts.withLock { $0.isEmpty } ? 0 : handle.sampleRate }

  /// Limits the effects of all contexts for the rate of the mix, or for a lower rate that a context asks for.
  func reloadEffects() {
    for context in livingContexts {
      context.state.withLock { _ in context.handle.reloadEffects(for: context.handle.effectRate) }
    }
  }
}

extension AudioError {
  /// The error of an output whose only rate is too low.
  fileprivate static func unstableRate(of device: AudioDevice) -> AudioError {
    AudioError(
      code: .contextUnavailable,
      operation: "use the output settings",
      message: "the device \"\(device.name)\" mixes at \(device.handle.sampleRate) Hz, and this version of OpenAL Soft"
        + " has no stable filters below \(EffectLimits.lowestStableRate) Hz. Use another output, or OpenAL Soft 1.25.2."
    )
  }
}
