internal import AudioSupport

extension AudioContext {
  /// The longest piece that is mixed at once: a mix of OpenAL Soft 1.25.
  ///
  /// The events in a piece are posted after it.
  static let framesPerPiece = 1_024

  /// Replaces the content of a buffer by the next frames of the mix, and posts the events in them.
  func render(frameCount: Int, format: PCMFormat, into buffer: inout PCMBuffer<Float>) {
    buffer.removeAll(adopting: format)
    buffer.reserveCapacity(frames: frameCount)
    var left = max(frameCount, 0)
    while left > 0 {
      // A piece ends at the next scheduled start, if the library does not schedule starts.
      let untilStart = state.withLock { startWaitingSources(&$0) } ?? left
      let limit = device.isSuspended ? left : min(left, untilStart)
      // A handler may have added the first observer.
      if state.withLock({ $0.observation.isEmpty }) {
        handle.render(frameCount: limit, format: format, appendingTo: &buffer)
        state.withLock { $0.renderedFrames += limit }
        left -= limit
      } else {
        left -= renderPiece(atMost: min(limit, Self.framesPerPiece), format: format, appendingTo: &buffer)
        deliveries.deliver()
      }
    }
  }

  private func renderPiece(atMost limit: Int, format: PCMFormat, appendingTo buffer: inout PCMBuffer<Float>) -> Int {
    feedStreams()
    return state.withLock { state in
      if device.isSuspended {
        handle.render(frameCount: limit, format: format, appendingTo: &buffer)
        state.renderedFrames += limit
        return limit
      }
      var frames = min(limit, framesInStreams(state))
      // A piece begins at the frame where a source begins to play.
      let now = mixFrame(at: .nanoseconds(handle.clock ?? 0))
      var playing: [Int] = []
      for slot in state.observation.playing {
        // A source with a scheduled start has no frame in the mix before it.
        if let start = state.observation[slot].startFrame, start > now {
          frames = min(frames, start - now)
        } else {
          playing.append(slot)
        }
      }
      // Only the sources that already play can change.
      for slot in playing {
        state.observation[slot].loops.position = handle.position(state.observation[slot].id).frame
      }
      handle.render(frameCount: frames, format: format, appendingTo: &buffer)
      let notices = whatHappened(to: playing, in: frames, &state)
      state.renderedFrames += frames
      for (slot, notice) in notices { state.observation[slot].post(notice, over: deliveries) }
      for slot in playing { settle(slot, &state) }
      return frames
    }
  }

  /// The events of the sources in the piece that was just mixed, in the order of the mix.
  ///
  /// Events at one frame are in the order in which their sources began to play.
  private func whatHappened(
    to playing: [Int],
    in frames: Int,
    _ state: inout State
  ) -> [(slot: Int, notice: ObservedSource.Notice)] {
    let start = state.renderedFrames
    var found: [UInt8] = []
    handle.readStates(of: playing.map { state.observation[$0].id }, into: &found)
    var notices: [(slot: Int, notice: ObservedSource.Notice)] = []
    for (slot, number) in zip(playing, found) {
      let now = state.schedule.state(of: state.observation[slot].key) ?? SourceState(shimNumber: number)
      let from = state.observation[slot].loops.position
      let step = step(of: slot, state)
      /// The frame of the mix at which the source reached one of its own frames.
      func arrival(at frame: Int) -> Int {
        start + min(max(Arrival.frames(from: from, to: Double(frame), step: step), 1), frames)
      }
      func note(_ kind: SourceNotification.Kind, _ now: SourceState, at frame: Int) {
        notices.append((slot, .init(kind: kind, state: now, frame: frame, cause: .mix)))
      }
      if let stream = state.observation[slot].stream {
        notices += whatHappened(to: stream, slot, now, arrival: arrival, &state)
        continue
      }
      let loop = loop(of: slot, state)
      if state.observation[slot].countsLoops, loop.isOn, now == .playing {
        let to = handle.position(state.observation[slot].id).frame
        let laps = state.observation[slot].loops.advance(by: Double(frames) * step, to: to, in: loop)
        let last = loop.range.upperBound + (laps - 1) * loop.range.count
        if laps > 0 { note(.looped(laps), now, at: arrival(at: last)) }
      }
      let finding = finding(slot, now, state)
      let changes = state.observation[slot].tracker.found(finding)
      let sound = state.observation[slot].sound
      if changes.processed > 0 {
        let end = sound.end(ofFirst: state.observation[slot].tracker.processed)
        note(.buffersProcessed(changes.processed), now, at: arrival(at: end))
      }
      if let after = changes.after { note(.stateChanged(after), after, at: arrival(at: sound.frameCount)) }
    }
    return notices.enumerated().sorted { ($0.element.notice.frame, $0.offset) < ($1.element.notice.frame, $1.offset) }
      .map(\.element)
  }
}
