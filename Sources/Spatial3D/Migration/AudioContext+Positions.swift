internal import AudioSupport

// Positions of sources, for a library that forgets them when its device is lost. Everything here runs under the
// context's lock.

/// The last known playback of a source on a device that may be lost.
struct RecordedPlayback: Sendable {
  var sound: QueuedSound
  var isStream = false
  /// The position of the source; `nil` if it neither plays nor is paused.
  var position: PlaybackPosition?
  /// The frame of the next start, if it was set while the device was lost.
  var nextStart: Int?

  var extent: PlaybackPosition.Extent { .init(frameCount: isStream ? Int.max / 2 : sound.frameCount) }
}

extension AudioContext {
  /// Whether positions of sources have to be recorded.
  var recordsPositions: Bool { device.survivesLoss && !handle.holdsSources }

  /// Whether the device is lost, and the library has stopped its sources and forgotten their positions.
  var isLost: Bool { recordsPositions && !device.handle.isPlaceholder && !handle.isConnected }

  /// Records the position of a source after a call; returns false if the device is lost.
  @discardableResult
  func recordPosition(_ key: SourceKey, _ id: UInt32, _ state: inout State) -> Bool {
    guard recordsPositions, state.positions[key] != nil else { return true }
    let position = handle.position(id)
    let recorded = playback(of: key, at: position, handle.state(id), state)
    // The check follows the read: the library reports the loss before it stops the sources.
    guard !isLost else { return false }
    state.positions[key]?.position = recorded
    if let recorded, recorded.isPlaying, state.observation.nextRecord == nil {
      state.observation.nextRecord = 0
      device.wakeMonitor()
    }
    return true
  }

  /// The record of a source from its position and its state, which is read after the position.
  ///
  /// A source that ended in between has no record.
  private func playback(
    of key: SourceKey,
    at position: ContextHandle.Position,
    _ found: SourceState,
    _ state: State
  ) -> PlaybackPosition? {
    guard found == .playing || found == .paused else { return nil }
    var clock = position.clock ?? handle.clock ?? 0
    // A source that waits in the library plays from its start time on.
    if handle.canDelay, let start = state.observation.starts[key] {
      clock = max(clock, Int64(clamping: start.attoseconds / 1_000_000_000))
    }
    return PlaybackPosition(frame: position.frame, clock: clock, isPlaying: found == .playing)
  }

  /// Records the position of a source after a call; on a lost device, the position that the call would have led to.
  func recordPosition(_ source: SoundSource, after verb: ContextHandle.Verb, _ state: inout State) {
    guard recordsPositions, isLost || !recordPosition(source.key, source.id, &state) else { return }
    let clock = handle.clock ?? 0
    let before = lostPosition(of: source.key, at: clock, state)
    let after: PlaybackPosition? =
      switch verb {
      case .play where before?.isPlaying == false:
        PlaybackPosition(frame: before?.frame ?? 0, clock: clock, isPlaying: true)
      case .play:
        PlaybackPosition(frame: Double(state.positions[source.key]?.nextStart ?? 0), clock: clock, isPlaying: true)
      case .pause: before.map { PlaybackPosition(frame: $0.frame, clock: clock, isPlaying: false) }
      case .stop, .rewind: nil
      }
    state.positions[source.key]?.position = after
    if verb != .pause { state.positions[source.key]?.nextStart = nil }
  }

  /// Moves the recorded position of a source on a lost device; returns whether the source plays or is paused.
  func recordSeek(of key: SourceKey, to frame: Int, _ state: inout State) -> Bool {
    guard let recorded = state.positions[key]?.position else {
      state.positions[key]?.nextStart = frame
      return false
    }
    let position = Double(frame + state.schedule.silence(of: key))
    state.positions[key]?.position = PlaybackPosition(
      frame: position,
      clock: handle.clock ?? 0,
      isPlaying: recorded.isPlaying
    )
    return true
  }

  /// Records a source's new sound.
  func recordPosition(_ source: SoundSource, playing sound: @autoclosure () -> QueuedSound, _ state: inout State) {
    guard recordsPositions else { return }
    let sound = sound()
    state.positions[source.key, default: RecordedPlayback(sound: sound)].sound = sound
    recordPosition(source.key, source.id, &state)
  }

  /// Records all positions if this is due; returns the nanoseconds until the next time, `nil` where no source plays.
  func recordAllPositions(at now: Int64, _ state: inout State) -> Int64? {
    guard let next = state.observation.nextRecord else { return nil }
    guard next <= now else { return next - now }
    guard !device.isSuspended else { return Self.recordPeriod }
    let isAnyPlaying = recordAllPositions(&state)
    state.observation.nextRecord = isAnyPlaying ? now + Self.recordPeriod : nil
    return isAnyPlaying ? Self.recordPeriod : nil
  }

  /// Records all positions; returns whether any source plays, and true on a lost device.
  @discardableResult
  func recordAllPositions(_ state: inout State) -> Bool {
    guard recordsPositions else { return false }
    let sources = state.scene.sources.filter { state.positions[$0.key] != nil }
    var states: [UInt8] = []
    func readStates(_ sources: [(key: SourceKey, id: UInt32, startFrame: Int32)]) -> [SourceState] {
      handle.readStates(of: sources.map(\.id), into: &states)
      return states.map { SourceState(shimNumber: $0) }
    }
    let heard = zip(sources, readStates(sources)).filter { $1 == .playing || $1 == .paused }.map(\.0)
    let found = heard.map { handle.position($0.id) }
    let positions = zip(zip(heard, found), readStates(heard)).map { playback(of: $0.0.key, at: $0.1, $1, state) }
    // The check follows the read, as above.
    guard !isLost else { return true }
    for source in sources { state.positions[source.key]?.position = nil }
    for (source, position) in zip(heard, positions) { state.positions[source.key]?.position = position }
    return positions.contains { $0?.isPlaying == true }
  }

  /// Nanoseconds between two records: for as long a change of speed may be miscounted after a loss.
  private static let recordPeriod: Int64 = 100_000_000

  /// The position of a source in its sound on a lost device; `nil` if it neither plays nor is paused.
  ///
  /// Takes the lock.
  func lostPosition(of source: SoundSource) -> (frame: Double, isPlaying: Bool)? {
    state.withLock { state in
      guard let position = lostPosition(of: source.key, at: handle.clock ?? 0, state) else { return nil }
      return (max(position.frame - Double(state.schedule.silence(of: source.key)), 0), position.isPlaying)
    }
  }

  /// The position on a lost device including the silence ahead of the sound, under the lock.
  func lostPosition(of key: SourceKey, at clock: Int64, _ state: State) -> (frame: Double, isPlaying: Bool)? {
    extrapolation(of: key, state)?.position(at: clock)
  }

  /// The last recorded position of a source, and its extrapolation; `nil` if it neither played nor was paused.
  func extrapolation(of key: SourceKey, _ state: State) -> Extrapolation? {
    guard let source = state.positions[key], let recorded = source.position else { return nil }
    let values = state.scene.read(key) { $0 }
    var extent = source.extent
    // The library may have silence ahead of the sound.
    let silence = source.isStream ? 0 : state.schedule.silence(of: key)
    extent.frameCount += silence
    if values.isLooping, !source.isStream {
      let range = source.sound.loopRange
      extent.loopRange = range.lowerBound + silence..<range.upperBound + silence
    }
    let step = state.scene.step(
      of: values,
      soundRate: source.sound.sampleRate,
      mixRate: sampleRate,
      isPlaced: source.sound.isPlaced(values.spatialization),
      limit: stepLimit
    )
    return Extrapolation(position: recorded, framesPerSecond: step * Double(sampleRate), extent: extent)
  }
}
