internal import AudioSupport

/// A source of the library, and the part of its playback that the library does not report.
///
/// The state that the library reports is not always the state of the source. A source that waits for its start counts
/// as playing. The silence ahead of a sound is no part of the sound. A library without `AL_SOFTX_hold_on_disconnect`
/// stops the sources of a lost device and forgets their positions. This type turns the library's states and positions
/// into the states and positions of the source. It makes the calls that a wait and the silence need.
struct LibrarySource: Sendable {
  /// The values for the library, and the library's name of the source.
  var sceneSource: SceneSource
  /// When and where the source starts.
  var start = SourceStart()
  /// The last known playback, where a lost device forgets it.
  private(set) var recorded: RecordedPlayback?

  init(_ sceneSource: SceneSource) { self.sceneSource = sceneSource }

  /// The library's name of the source.
  var id: UInt32 { sceneSource.id }

  /// Whether the sound repeats.
  var isLooping: Bool { sceneSource.values.isLooping }
}

// MARK: - The state

extension LibrarySource {
  /// The state of a source without a stream.
  func state(in scene: Scene, by handle: ContextHandle) -> SourceState {
    state(inLibrary: handle.state(id), in: scene, by: handle)
  }

  /// The state of a source without a stream, by its state in the library.
  func state(inLibrary found: SourceState, in scene: Scene, by handle: ContextHandle) -> SourceState {
    let now = start.state ?? found
    // A lost device stops its sources; they resume on the next one.
    guard now == .stopped, handle.isLost, let lost = lostPosition(at: handle.clock, in: scene, by: handle) else {
      return now
    }
    return lost.isPlaying ? .playing : .paused
  }

  /// The number of played buffers of a queue, without the silence ahead of them.
  func processedBufferCount(by handle: ContextHandle) -> Int {
    let count = handle.processedBuffers(id)
    // A lost device reports all of them as played.
    if handle.isLost { return 0 }
    guard start.padding != nil else { return count }
    // The library does not loop while the queue has silence.
    return isLooping ? 0 : max(count - 1, 0)
  }

  /// Whether the library plays a source, and has mixed a frame of its sound before a time of the clock.
  func hasMixedSound(before clock: Int64, by handle: ContextHandle) -> Bool {
    guard start.state == nil, handle.state(id) == .playing else { return false }
    // Nothing was mixed since the source started.
    if start.clock == clock { return false }
    if handle.canDelay, let time = start.time, time > .nanoseconds(clock) { return false }
    return start.padding == nil || handle.position(id).frame >= Double(start.silence)
  }

  /// The clock of the only start of a source that plays on an output; `nil` for a scheduled start.
  func firstStart(by handle: ContextHandle) -> Int64? {
    guard start.count == 1, start.clock >= 0, handle.state(id) == .playing, !handle.isLost, handle.isConnected,
      !handle.device.isPlaceholder
    else { return nil }
    return start.clock
  }
}

// MARK: - The position in the sound

extension LibrarySource {
  /// The frame of the sound that is mixed next.
  func soundFrame(by handle: ContextHandle) -> Int {
    start.wait?.frame.map { Int(saturating: $0) } ?? max(handle.frame(id) - start.silence, 0)
  }

  /// The position in the sound that is mixed next, in frames with a fraction.
  func soundPosition(by handle: ContextHandle) -> Double {
    start.wait?.frame ?? soundPosition(at: handle.position(id)).frame
  }

  /// The position in the sound at a position in the library.
  func soundPosition(at position: ContextHandle.Position) -> ContextHandle.Position {
    var position = position
    position.frame = max(position.frame - Double(start.silence), 0)
    return position
  }

  /// The frame of the sound that is mixed next, and the latency of that mix.
  func soundFrameAndLatency(by handle: ContextHandle) -> (frame: Int, latency: Duration) {
    let (frame, latency) = handle.frameAndLatency(id)
    return (max(frame - start.silence, 0), latency)
  }
}

// MARK: - The position before a loss

extension LibrarySource {
  /// Records the playback of a sound from now on, for a library that forgets it.
  mutating func beginRecording(_ sound: QueuedSound, isStream: Bool) {
    recorded = RecordedPlayback(sound: sound, isStream: isStream)
  }

  /// The result of a try to record a position.
  enum Recording {
    case recorded(isPlaying: Bool)
    /// The device is lost: the library has forgotten the position.
    case isLost
  }

  /// Records the position of the source after a call; returns `nil` where no position is needed.
  mutating func recordPosition(by handle: ContextHandle) -> Recording? {
    guard handle.recordsPositions, recorded != nil else { return nil }
    let position = handle.position(id)
    let playback = playback(at: position, handle.state(id), by: handle)
    // The check follows the read: the library reports the loss before it stops the sources.
    guard !handle.isLost else { return .isLost }
    recorded?.position = playback
    return .recorded(isPlaying: playback?.isPlaying ?? false)
  }

  /// The record of a source from its position and its state, which is read after the position.
  ///
  /// A source that ended in between has no record.
  func playback(
    at position: ContextHandle.Position,
    _ found: SourceState,
    by handle: ContextHandle
  ) -> PlaybackPosition? {
    guard found == .playing || found == .paused else { return nil }
    var clock = position.clock
    // A source that waits in the library plays from its start time on.
    if handle.canDelay, let start = start.time { clock = max(clock, start.inNanoseconds) }
    return PlaybackPosition(frame: position.frame, clock: clock, isPlaying: found == .playing)
  }

  /// Stores a record; `nil` for a source that neither plays nor is paused.
  mutating func store(_ playback: PlaybackPosition?) { recorded?.position = playback }

  /// Records the position that a call on a lost device would have led to.
  mutating func recordLostPosition(after verb: ContextHandle.Verb, in scene: Scene, by handle: ContextHandle) {
    let clock = handle.clock
    let before = lostPosition(at: clock, in: scene, by: handle)
    let after: PlaybackPosition? =
      switch verb {
      case .play where before?.isPlaying == false:
        PlaybackPosition(frame: before?.frame ?? 0, clock: clock, isPlaying: true)
      case .play: PlaybackPosition(frame: recorded?.nextStart ?? 0, clock: clock, isPlaying: true)
      case .pause: before.map { PlaybackPosition(frame: $0.frame, clock: clock, isPlaying: false) }
      case .stop, .rewind: nil
      }
    recorded?.position = after
    if verb != .pause { recorded?.nextStart = nil }
  }

  /// Moves the recorded position on a lost device to a frame of the sound; returns whether the source plays or is
  /// paused.
  private mutating func recordSeek(to frame: Double, by handle: ContextHandle) -> Bool {
    guard let position = recorded?.position else {
      recorded?.nextStart = frame
      return false
    }
    recorded?.position = PlaybackPosition(
      frame: frame + Double(start.silence),
      clock: handle.clock,
      isPlaying: position.isPlaying
    )
    return true
  }

  /// Records a seek to a frame of the sound, which the library has performed.
  mutating func recordSeek(to frame: Double, after now: SourceState, by handle: ContextHandle) {
    let isHeld = handle.isLost ? recordSeek(to: frame, by: handle) : now == .playing || now == .paused
    start.seek(to: frame, isHeld: isHeld)
  }

  /// Records the new sound of a source.
  mutating func record(_ sound: QueuedSound) {
    if recorded == nil { recorded = RecordedPlayback(sound: sound) }
    recorded?.sound = sound
  }

  /// Takes frames of silence, which the library has removed from the queue, out of the recorded position.
  mutating func removeFromRecord(silence frames: Int) { recorded?.position?.frame -= Double(frames) }

  /// The position in the sound on a lost device; `nil` for a source that neither plays nor is paused.
  func lostSoundPosition(in scene: Scene, by handle: ContextHandle) -> (frame: Double, isPlaying: Bool)? {
    lostPosition(at: handle.clock, in: scene, by: handle).map {
      (max($0.frame - Double(start.silence), 0), $0.isPlaying)
    }
  }

  /// The position on a lost device including the silence ahead of the sound.
  func lostPosition(at clock: Int64, in scene: Scene, by handle: ContextHandle) -> (frame: Double, isPlaying: Bool)? {
    extrapolation(in: scene, by: handle)?.position(at: clock)
  }

  /// The last recorded position of a source, and its extrapolation; `nil` if it neither played nor was paused.
  func extrapolation(in scene: Scene, by handle: ContextHandle) -> Extrapolation? {
    guard let source = recorded, let position = source.position else { return nil }
    let values = sceneSource.values
    var extent = source.extent
    // The library may have silence ahead of the sound.
    let silence = source.isStream ? 0 : start.silence
    extent.frameCount += silence
    if values.isLooping, !source.isStream {
      let range = source.sound.loopRange
      extent.loopRange = range.lowerBound + silence..<range.upperBound + silence
    }
    let step = handle.step(of: values, playing: source.sound, in: scene)
    return Extrapolation(position: position, framesPerSecond: step * Double(handle.sampleRate), extent: extent)
  }
}
