internal import AudioSupport

extension ContextState {
  /// Mixes the next piece and posts the events in it; returns its number of frames.
  ///
  /// The piece is shorter than `limit` where a source starts, or where a stream needs more data.
  mutating func renderPiece(
    atMost limit: Int,
    format: PCMFormat,
    appendingTo buffer: inout PCMBuffer<Float>
  ) -> Int {
    if device.isSuspended {
      handle.render(frameCount: limit, format: format, appendingTo: &buffer)
      renderedFrames += limit
      return limit
    }
    var frames = min(limit, framesInStreams())
    // A piece begins at the frame where a source begins to play.
    let now = handle.mixFrame(at: .nanoseconds(handle.clock ?? 0))
    var playing: [Int] = []
    for slot in observation.playing {
      // A source with a scheduled start has no frame in the mix before it.
      if let start = observation[slot].startFrame, start > now {
        frames = min(frames, start - now)
      } else {
        playing.append(slot)
      }
    }
    // Only the sources that already play can change.
    for slot in playing {
      observation[slot].loops.position = handle.position(observation[slot].id).frame
    }
    handle.render(frameCount: frames, format: format, appendingTo: &buffer)
    let notices = whatHappened(to: playing, in: frames)
    renderedFrames += frames
    for (slot, notice) in notices { observation[slot].post(notice, over: deliveries) }
    for slot in playing { settle(slot) }
    return frames
  }

  /// The events of the sources in the piece that was just mixed, in the order of the mix.
  ///
  /// Events at one frame are in the order in which their sources began to play.
  private mutating func whatHappened(
    to playing: [Int],
    in frames: Int
  ) -> [(slot: Int, notice: ObservedSource.Notice)] {
    let start = renderedFrames
    var found: [UInt8] = []
    handle.readStates(of: playing.map { observation[$0].id }, into: &found)
    var notices: [(slot: Int, notice: ObservedSource.Notice)] = []
    for (slot, number) in zip(playing, found) {
      let now = schedule.state(of: observation[slot].key) ?? SourceState(shimNumber: number)
      let from = observation[slot].loops.position
      let step = step(of: slot)
      /// The frame of the mix at which the source reached one of its own frames.
      func arrival(at frame: Int) -> Int {
        start + min(max(Arrival.frames(from: from, to: Double(frame), step: step), 1), frames)
      }
      func note(_ kind: SourceNotification.Kind, _ now: SourceState, at frame: Int) {
        notices.append((slot, .init(kind: kind, state: now, frame: frame, cause: .mix)))
      }
      if let stream = observation[slot].stream {
        notices += whatHappened(to: stream, slot, now, arrival: arrival)
        continue
      }
      let loop = loop(of: slot)
      if observation[slot].countsLoops, loop.isOn, now == .playing {
        let to = handle.position(observation[slot].id).frame
        let laps = observation[slot].loops.advance(by: Double(frames) * step, to: to, in: loop)
        let last = loop.range.upperBound + (laps - 1) * loop.range.count
        if laps > 0 { note(.looped(laps), now, at: arrival(at: last)) }
      }
      let finding = finding(slot, now)
      let changes = observation[slot].tracker.found(finding)
      let sound = observation[slot].sound
      if changes.processed > 0 {
        let end = sound.end(ofFirst: observation[slot].tracker.processed)
        note(.buffersProcessed(changes.processed), now, at: arrival(at: end))
      }
      if let after = changes.after { note(.stateChanged(after), after, at: arrival(at: sound.frameCount)) }
    }
    return notices.enumerated().sorted { ($0.element.notice.frame, $0.offset) < ($1.element.notice.frame, $1.offset) }
      .map(\.element)
  }
}
