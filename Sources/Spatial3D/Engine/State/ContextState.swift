internal import AudioSupport
internal import Synchronization

/// Everything that the lock of a context guards, and the operations on it.
///
/// The lock also orders the changes for the library: an operation that calls the library runs to its end before another
/// operation begins.
///
/// A subsystem owns its state. It takes the table of sources as an argument, calls the library, and calls no other
/// subsystem. The extensions of this type hold the order in which a call passes through the subsystems. An extension
/// calls only extensions that are earlier in this list: `Values`, `Endings`, `Positions`, `SourcePolling`,
/// `ScheduledStart`, `Streams`, `Reporting`, `Playback`. The others are on top.
struct ContextState: Sendable {
  let handle: ContextHandle
  let device: AudioDevice

  var scene = Scene()
  var listenerOwners = ListenerOwners()
  /// The loudspeakers of the output, and the length of its mixes.
  var output = OutputState()
  /// One record for each source.
  var records = SourceTable()
  /// Sources that wait for their start time, where the library has no start delay.
  var schedule: StartSchedule
  /// The records of the positions that a library forgets at a loss.
  var positions = PositionRecords()
  /// The batches of the threads that change several values at once.
  var batches = BatchPool()
  /// How the context observes its sources and the output.
  var observation: ObservationState
  /// The sources that only the context keeps, until they end, with the tokens of their observations.
  var oneShots: [ObjectIdentifier: (source: SoundSource, token: NotificationToken)] = [:]
  /// The report about a source that was released before the mixer played it.
  var releaseReport = ReleaseReport()
  /// The sources with calls that are postponed.
  var deferred = DeferredCallQueue()
  /// The fades of a few milliseconds that keep an end, a start or a new gain from clicking.
  var shortFades = ShortFades()
  /// The fades that the game has asked for.
  var fades = RunningFades()
  /// The closures that the context calls at ticks.
  var ticks = RunningTicks()

  init(handle: ContextHandle, device: AudioDevice, deliveries: any NotificationDispatcher, sequence: ScheduleSequence) {
    (self.handle, self.device) = (handle, device)
    schedule = StartSchedule(sequence: sequence)
    observation = ObservationState(handle: handle, device: device, deliveries: deliveries)
  }

  /// How many frames a real output mixes at once.
  mutating func framesPerMix() -> Int { output.framesPerMix(by: handle) }

  /// Runs a closure that calls the library for sources, and adjusts the scheduled sources.
  ///
  /// With `hidesSteps`, no reader gets a state from between two calls.
  mutating func performing(hidesSteps: Bool = false, _ body: (inout ContextState) -> Void) {
    if schedule.isEmpty, !hidesSteps { body(&self) } else { changingSchedule(body) }
  }

  /// Runs a closure that changes the schedule and the library together, so that lock-free readers of both get a
  /// consistent state.
  mutating func changingSchedule<Result>(_ body: (inout ContextState) -> Result) -> Result {
    schedule.beginChange()
    defer { schedule.endChange() }
    return body(&self)
  }
}

// MARK: - Offline mixes

extension ContextState {
  /// Begins the next piece of an offline mix; returns its largest frame count, and the sources that may change in it.
  ///
  /// The piece is shorter than `limit` where a source starts, or where a stream needs more data.
  mutating func beginPiece(atMost limit: Int) -> (frames: Int, playing: [SourceKey]) {
    // The streams of a processed device have waited for their readers: an underrun does not shorten the pieces.
    var frames = device.mixesOnRequest ? min(limit, observation.framesInStreams(in: records, scene)) : limit
    // A piece begins at the frame where a source begins to play.
    let now = handle.mixFrame(at: .nanoseconds(handle.clock))
    var playing: [SourceKey] = []
    for key in observation.playing {
      // A source with a scheduled start has no frame in the mix before it.
      if let start = records[observed: key].startFrame, start > now {
        frames = min(frames, start - now)
      } else {
        playing.append(key)
      }
    }
    // Only the sources that already play can change.
    for key in playing {
      records[observed: key].loops.position = handle.position(records[key].id).frame
    }
    return (frames, playing)
  }

  /// Sets the gains at the end of the next mix of an offline context.
  mutating func stepGains(over frames: Int) {
    shortFades.step(over: frames, in: records, scene, of: device, by: handle)
  }

  /// Posts the events in the piece that was just mixed.
  mutating func endPiece(of frames: Int, _ playing: [SourceKey]) {
    shortFades.endings.releaseFaded()
    for (key, notice) in takeNotices(of: playing, in: frames) {
      records[observed: key].post(notice, over: observation.deliveries)
    }
    for key in playing { observation.updatePolling(key, in: &records) }
  }

  /// The events of the sources in the piece that was just mixed, in the order of the mix.
  ///
  /// Events at one frame are in the order in which their sources began to play.
  private mutating func takeNotices(
    of playing: [SourceKey],
    in frames: Int
  ) -> [(key: SourceKey, notice: ObservedSource.Notice)] {
    let start = observation.framePosition - frames
    var found: [UInt8] = []
    handle.readStates(of: playing.map { records[$0].id }, into: &found)
    var notices: [(key: SourceKey, notice: ObservedSource.Notice)] = []
    for (key, number) in zip(playing, found) {
      let now = records[key].start.state ?? SourceState(shimNumber: number)
      let from = records[observed: key].loops.position
      let step = records.step(of: key, in: scene, by: handle)
      /// The frame of the mix at which the source reached one of its own frames.
      func arrival(at frame: Int) -> Int {
        start + min(max(Arrival.frames(from: from, to: Double(frame), step: step), 1), frames)
      }
      func append(_ kind: SourceNotification.Kind, _ now: SourceState, at frame: Int) {
        notices.append((key, .init(kind: kind, state: now, frame: frame, cause: .mix)))
      }
      if let stream = records[observed: key].stream {
        notices += takeNotices(of: stream, key, now, arrival: arrival)
        continue
      }
      let loop = records.loop(of: key)
      if records[observed: key].countsLoops, loop.isOn, now == .playing {
        let to = handle.position(records[key].id).frame
        let laps = records[observed: key].loops.advance(by: Double(frames) * step, to: to, in: loop)
        let last = loop.range.upperBound + (laps - 1) * loop.range.count
        if laps > 0 { append(.looped(laps), now, at: arrival(at: last)) }
      }
      let reading = records[key].reading(inLibrary: now, in: scene, by: handle)
      let changes = records[observed: key].tracker.update(to: reading)
      let sound = records[observed: key].sound
      if changes.processed > 0 {
        let end = sound.end(ofFirst: records[observed: key].tracker.processed)
        append(.buffersProcessed(changes.processed), now, at: arrival(at: end))
      }
      if let after = changes.after { append(.stateChanged(after), after, at: arrival(at: sound.frameCount)) }
    }
    return notices.enumerated().sorted { ($0.element.notice.frame, $0.offset) < ($1.element.notice.frame, $1.offset) }
      .map(\.element)
  }
}
