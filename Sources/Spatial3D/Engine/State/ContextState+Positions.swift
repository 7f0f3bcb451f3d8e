// Positions of sources, for a library that forgets them when its device is lost.

extension ContextState {
  /// Records the position of a source after a call; returns false if the device is lost.
  @discardableResult
  mutating func recordPosition(_ key: SourceKey) -> Bool {
    guard handle.recordsPositions, records[key].recorded != nil else { return true }
    let id = records[key].id
    let position = handle.position(id)
    let recorded = playback(of: key, at: position, handle.state(id))
    // The check follows the read: the library reports the loss before it stops the sources.
    guard !handle.isLost else { return false }
    records[key].recorded?.position = recorded
    if let recorded, recorded.isPlaying, observation.nextRecord == nil {
      observation.nextRecord = 0
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
    _ found: SourceState
  ) -> PlaybackPosition? {
    guard found == .playing || found == .paused else { return nil }
    var clock = position.clock
    // A source that waits in the library plays from its start time on.
    if handle.canDelay, let start = records[key].start.time {
      clock = max(clock, Int64(clamping: start.attoseconds / 1_000_000_000))
    }
    return PlaybackPosition(frame: position.frame, clock: clock, isPlaying: found == .playing)
  }

  /// Records the position of a source after a call; on a lost device, the position that the call would have led to.
  mutating func recordPosition(_ source: SoundSource, after verb: ContextHandle.Verb) {
    guard handle.recordsPositions, handle.isLost || !recordPosition(source.key) else { return }
    let clock = handle.clock
    let before = lostPosition(of: source.key, at: clock)
    let after: PlaybackPosition? =
      switch verb {
      case .play where before?.isPlaying == false:
        PlaybackPosition(frame: before?.frame ?? 0, clock: clock, isPlaying: true)
      case .play:
        PlaybackPosition(frame: records[source.key].recorded?.nextStart ?? 0, clock: clock, isPlaying: true)
      case .pause: before.map { PlaybackPosition(frame: $0.frame, clock: clock, isPlaying: false) }
      case .stop, .rewind: nil
      }
    records[source.key].recorded?.position = after
    if verb != .pause { records[source.key].recorded?.nextStart = nil }
  }

  /// Moves the recorded position of a source on a lost device; returns whether the source plays or is paused.
  mutating func recordSeek(of key: SourceKey, to frame: Double) -> Bool {
    guard let recorded = records[key].recorded?.position else {
      records[key].recorded?.nextStart = frame
      return false
    }
    let position = frame + Double(records[key].start.silence)
    records[key].recorded?.position = PlaybackPosition(
      frame: position,
      clock: handle.clock,
      isPlaying: recorded.isPlaying
    )
    return true
  }

  /// Records a source's new sound.
  mutating func recordPosition(_ source: SoundSource, playing sound: @autoclosure () -> QueuedSound) {
    guard handle.recordsPositions else { return }
    let sound = sound()
    if records[source.key].recorded == nil { records[source.key].recorded = RecordedPlayback(sound: sound) }
    records[source.key].recorded?.sound = sound
    recordPosition(source.key)
  }

  /// Nanoseconds between two records: for as long a change of speed may be miscounted after a loss.
  private static let recordPeriod: Int64 = 100_000_000

  /// Records all positions if this is due; returns the nanoseconds until the next time, `nil` where no source plays.
  mutating func recordAllPositions(at now: Int64) -> Int64? {
    guard let next = observation.nextRecord else { return nil }
    guard next <= now else { return next - now }
    guard !device.isSuspended else { return Self.recordPeriod }
    let isAnyPlaying = recordAllPositions()
    observation.nextRecord = isAnyPlaying ? now + Self.recordPeriod : nil
    return isAnyPlaying ? Self.recordPeriod : nil
  }

  /// Records all positions; returns whether any source plays, and true on a lost device.
  @discardableResult
  mutating func recordAllPositions() -> Bool {
    guard handle.recordsPositions else { return false }
    let sources = records.keys { $0.recorded != nil }
    var states: [UInt8] = []
    func readStates(_ keys: [SourceKey]) -> [SourceState] {
      handle.readStates(of: keys.map { records[$0].id }, into: &states)
      return states.map { SourceState(shimNumber: $0) }
    }
    let heard = zip(sources, readStates(sources)).filter { $1 == .playing || $1 == .paused }.map(\.0)
    let found = heard.map { handle.position(records[$0].id) }
    let recorded = zip(zip(heard, found), readStates(heard)).map { playback(of: $0.0, at: $0.1, $1) }
    // The check follows the read, as above.
    guard !handle.isLost else { return true }
    for key in sources { records[key].recorded?.position = nil }
    for (key, position) in zip(heard, recorded) { records[key].recorded?.position = position }
    return recorded.contains { $0?.isPlaying == true }
  }

  /// The position of a source in its sound on a lost device; `nil` if it neither plays nor is paused.
  func lostSoundPosition(of key: SourceKey) -> (frame: Double, isPlaying: Bool)? {
    lostPosition(of: key, at: handle.clock).map {
      (max($0.frame - Double(records[key].start.silence), 0), $0.isPlaying)
    }
  }

  /// The position on a lost device including the silence ahead of the sound.
  func lostPosition(of key: SourceKey, at clock: Int64) -> (frame: Double, isPlaying: Bool)? {
    extrapolation(of: key)?.position(at: clock)
  }

  /// The last recorded position of a source, and its extrapolation; `nil` if it neither played nor was paused.
  func extrapolation(of key: SourceKey) -> Extrapolation? {
    guard let source = records[key].recorded, let recorded = source.position else { return nil }
    let values = records[key].scene.values
    var extent = source.extent
    // The library may have silence ahead of the sound.
    let silence = source.isStream ? 0 : records[key].start.silence
    extent.frameCount += silence
    if values.isLooping, !source.isStream {
      let range = source.sound.loopRange
      extent.loopRange = range.lowerBound + silence..<range.upperBound + silence
    }
    let step = step(of: values, playing: source.sound, in: scene)
    return Extrapolation(position: recorded, framesPerSecond: step * Double(handle.sampleRate), extent: extent)
  }
}
