internal import AudioSupport

/// The fades of a context's sources that the game has asked for.
struct RunningFades: Sendable {
  struct Running: Sendable {
    let key: SourceKey
    let source: Weak<SoundSource>
    let fade: SourceFade
  }

  private var all: [Running] = []
  private var clock = ClockProgress()

  var isEmpty: Bool { all.isEmpty }

  /// The fade of a source; `nil` for none.
  subscript(key: SourceKey) -> SourceFade? { all.first { $0.key == key }?.fade }

  /// Begins a fade of a source, instead of the fade that the source has.
  mutating func begin(
    _ fade: SourceFade,
    of source: SoundSource,
    in records: inout SourceTable,
    _ scene: Scene,
    of device: AudioDevice,
    by handle: ContextHandle
  ) {
    remove(source.key)
    all.append(Running(key: source.key, source: Weak(source), fade: fade))
    if device.isRendered { return }
    _ = step(in: &records, scene, of: device, by: handle)
    device.wakeMonitor()
  }

  /// Removes the fade of a source, without its call.
  mutating func remove(_ key: SourceKey) {
    if !all.isEmpty { all.removeAll { $0.key == key } }
  }

  /// Removes all fades without their calls, and gives the sources their full gain.
  mutating func removeAll(in records: inout SourceTable, _ scene: Scene, by handle: ContextHandle) {
    let keys = all.map(\.key)
    all = []
    if !keys.isEmpty { records.setFadeGain(1, of: keys, in: scene, by: handle) }
  }

  /// The fades that end with a call.
  func ending(with verb: ContextHandle.Verb) -> [Running] { all.filter { $0.fade.call == verb } }

  /// The fades whose time is over, and that end with a call.
  func ended(of device: AudioDevice, by handle: ContextHandle) -> [Running] {
    guard !all.isEmpty, !device.isSuspended else { return [] }
    let now = handle.mixedFrames
    return all.filter { $0.fade.call != nil && handle.mixFrame(at: .nanoseconds($0.fade.end)) <= now }
  }
}

// MARK: - Time

extension RunningFades {
  /// Sets the gains of all fades for the next step; returns the number of frames until the next one, `nil` for none.
  mutating func step(
    in records: inout SourceTable,
    _ scene: Scene,
    of device: AudioDevice,
    by handle: ContextHandle
  ) -> Int? {
    guard !all.isEmpty, !device.isSuspended else { return nil }
    let rate = max(handle.sampleRate, 1)
    let clock = handle.clock
    let now = handle.mixFrame(at: .nanoseconds(clock))
    var next: Int?
    var changed: [SourceKey] = []
    for running in all {
      let (key, fade) = (running.key, running.fade)
      let end = handle.mixFrame(at: .nanoseconds(fade.end))
      let isOver = now >= end && fade.call == nil || records[key].hasEnded(in: scene, by: handle)
      // Before its begin a fade has one step, at its first gain.
      let begin = handle.mixFrame(at: .nanoseconds(fade.begin))
      let step = begin > now ? min(begin - now, rate) : min(fade.stepLength(at: rate), max(end - now, 1))
      let gain = isOver ? 1 : fade.gain(from: clock, to: clock + Int64(step) * 1_000_000_000 / Int64(rate))
      if isOver { remove(key) }
      // The last change of the gain has a step of its own.
      let length = isOver ? ShortFade.length : step
      next = min(next ?? length, length)
      guard records[key].scene.fadeGain != gain else { continue }
      records[key].scene.fadeGain = gain
      changed.append(key)
    }
    if !changed.isEmpty { records.apply([.gain, .gainLimits], of: changed, in: scene, by: handle) }
    return next
  }

  /// Nanoseconds until the next step of the fades on an output; `nil` for no fade.
  mutating func wait(
    at now: Int64,
    in records: inout SourceTable,
    _ scene: Scene,
    of device: AudioDevice,
    _ output: inout OutputState,
    by handle: ContextHandle
  ) -> Int64? {
    guard let frames = step(in: &records, scene, of: device, by: handle) else { return nil }
    if clock.read(handle.clock, now: now) == .standsStill { return ClockProgress.standstill }
    // An output applies one gain to a mix.
    let length = max(frames, output.framesPerMix(by: handle) / 2)
    return Int64(length) * 1_000_000_000 / Int64(max(handle.sampleRate, 1))
  }
}
