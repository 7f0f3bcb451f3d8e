extension AudioContext {
  /// The longest piece that is mixed at once, after which what happened in it is told: a mix of OpenAL Soft 1.25.
  static let framesPerPiece = 1_024

  /// Mixes the next frames into a buffer, in place of what it held, and tells what happened meanwhile.
  func render(frameCount: Int, format: PCMFormat, into buffer: inout PCMBuffer<Float>) {
    buffer.removeAll(adopting: format)
    buffer.reserveCapacity(frames: frameCount)
    var left = max(frameCount, 0)
    while left > 0 {
      // Up to the next frame that a source waits for, where the library does not.
      let untilStart = state.withLock { startWaitingSources(&$0) } ?? left
      let limit = device.isSuspended ? left : min(left, untilStart)
      // What a handler has changed counts: it may be the first to observe something.
      if state.withLock({ $0.watch.isEmpty }) {
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
      // A piece begins where a source begins to play.
      let now = mixFrame(at: .nanoseconds(handle.clock ?? 0))
      var playing: [Int] = []
      for place in state.watch.playing {
        // A start that was put off: nothing of it is mixed before.
        if let start = state.watch[place].startFrame, start > now {
          frames = min(frames, start - now)
        } else {
          playing.append(place)
        }
      }
      // Those that play before are all that can change.
      for place in playing {
        state.watch[place].loops.place = handle.place(state.watch[place].id).frame
      }
      handle.render(frameCount: frames, format: format, appendingTo: &buffer)
      let notices = whatHappened(to: playing, in: frames, &state)
      state.renderedFrames += frames
      for (place, notice) in notices { state.watch[place].post(notice, over: deliveries) }
      for place in playing { settle(place, &state) }
      return frames
    }
  }

  /// What a piece that was just mixed did to sources that played, in the order of the mix, and of those at one frame in the
  /// order in which they began to play.
  private func whatHappened(
    to playing: [Int],
    in frames: Int,
    _ state: inout State
  ) -> [(place: Int, notice: WatchedSource.Notice)] {
    let start = state.renderedFrames
    var found: [UInt8] = []
    handle.readStates(of: playing.map { state.watch[$0].id }, into: &found)
    var notices: [(place: Int, notice: WatchedSource.Notice)] = []
    for (place, number) in zip(playing, found) {
      let now = state.schedule.state(of: state.watch[place].key) ?? SourceState(shimNumber: number)
      let from = state.watch[place].loops.place
      let step = step(of: place, state)
      /// The frame of the mix at which the source came to one of its own.
      func arrival(at frame: Int) -> Int {
        start + min(max(Arrival.frames(from: from, to: Double(frame), step: step), 1), frames)
      }
      func note(_ kind: SourceNotification.Kind, _ now: SourceState, at frame: Int) {
        notices.append((place, .init(kind: kind, state: now, frame: frame, cause: .mix)))
      }
      if let stream = state.watch[place].stream {
        notices += whatHappened(to: stream, place, now, arrival: arrival, &state)
        continue
      }
      let loop = loop(of: place, state)
      if state.watch[place].countsLoops, loop.isOn, now == .playing {
        let to = handle.place(state.watch[place].id).frame
        let laps = state.watch[place].loops.advance(by: Double(frames) * step, to: to, in: loop)
        let last = loop.range.upperBound + (laps - 1) * loop.range.count
        if laps > 0 { note(.looped(laps), now, at: arrival(at: last)) }
      }
      let finding = finding(place, now, state)
      let changes = state.watch[place].tracker.found(finding)
      let sound = state.watch[place].sound
      if changes.processed > 0 {
        let end = sound.end(ofFirst: state.watch[place].tracker.processed)
        note(.buffersProcessed(changes.processed), now, at: arrival(at: end))
      }
      if let after = changes.after { note(.stateChanged(after), after, at: arrival(at: sound.frameCount)) }
    }
    return notices.enumerated().sorted { ($0.element.notice.frame, $0.offset) < ($1.element.notice.frame, $1.offset) }
      .map(\.element)
  }
}
