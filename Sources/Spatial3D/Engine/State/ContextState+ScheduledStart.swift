internal import AudioSupport

extension ContextState {
  /// Starts sources later, some of them with copies of their sounds.
  mutating func start(_ sources: [SoundSource], at time: Duration, copies: [SourceKey: PaddedCopy] = [:]) {
    fadeOut(sources, before: .rewind)
    for source in sources {
      handOverBatch(of: source)
      let startFrame = records[source.key].start.scheduledFrame
      records[source.key].start.begin(at: -1)
      if !handle.canDelay {
        let copy = copies[source.key]
        records[source.key].library.wait(
          of: source,
          until: time,
          startFrame: startFrame,
          copy: copy,
          in: scene,
          &schedule,
          &output,
          by: handle
        )
      } else if handle.state(source.id) == .paused {
        // The library would resume it at once.
        handle.rewindInPlace(source.id)
      }
    }
    if handle.canDelay {
      handle.play(sources.map(\.id), at: time.inNanoseconds)
    } else if !device.isRendered {
      observation.listen()
      device.wakeMonitor()
    }
  }

  /// Whether the library plays a source, and holds it until its start time.
  func waitsInLibrary(_ source: SoundSource) -> Bool {
    source.stream == nil && records[source.key].library.waitsInLibrary(by: handle)
  }

  /// Ends the wait of a source before it plays; returns whether it was paused, and waits on instead.
  mutating func resumesWaiting(_ source: SoundSource) -> Bool {
    guard !schedule.isEmpty else { return false }
    device.wakeMonitor()
    return records[source.key].library.resumesWait(of: source, &schedule, by: handle)
  }

  /// Applies a call other than play to the requested start of a source, and to its wait.
  mutating func adjustStart(_ verb: ContextHandle.Verb, _ source: SoundSource) {
    records[source.key].library.adjustStart(verb, of: source, in: scene, &schedule, by: handle)
  }

  /// Starts the sources that are due; returns how many frames there are until the next start, `nil` for none.
  mutating func startWaitingSources(tolerance: Int = 0) -> Int? {
    guard schedule.nextTime({ records[$0].start.wait }) != nil else { return nil }
    let now = handle.mixedFrames
    changingSchedule { state in
      let handle = state.handle
      let due = state.schedule.due(
        { state.records[$0].start.wait },
        at: { handle.mixFrame(at: .nanoseconds($0)) <= now + tolerance }
      )
      var plain: [SourceKey] = []
      for key in due {
        let isStarted = state.records[key].library.startInSilence(
          of: key,
          in: state.scene,
          &state.schedule,
          &state.output,
          by: handle
        )
        if !isStarted { plain.append(key) }
      }
      handle.perform(.play, plain.map { state.records[$0].id })
      if handle.recordsPositions, !due.isEmpty { state.positions.makeDue() }
      for key in plain { if state.records.isObserved(key) { state.observation.beginCounting(key, in: &state.records) } }
    }
    return schedule.nextTime { records[$0].start.wait }.map { handle.mixFrame(at: .nanoseconds($0)) - now }
  }

  /// Nanoseconds between polls for a replacement of a lost device.
  private static let lossPeriod: Int64 = 10_000_000

  /// Starts due sources on a real output, with the nearest mix; returns after how many nanoseconds to poll again.
  mutating func waitForStarts() -> Int64? {
    let rate = handle.sampleRate
    guard !schedule.isEmpty, !device.isSuspended, rate > 0 else { return nil }
    // A source that a lost device has stopped plays on elsewhere soon.
    guard !handle.isLost else { return Self.lossPeriod }
    let framesPerMix = framesPerMix()
    let untilStart = startWaitingSources(tolerance: framesPerMix / 2)
    let untilPoll = pollPaddings()
    guard let frames = [untilStart.map { $0 - framesPerMix / 2 }, untilPoll].compactMap(\.self).min() else {
      return nil
    }
    // The period is long enough that a clock at a standstill costs little. It is at most a second, because two clocks
    // drift apart.
    let wait = min(max(frames, framesPerMix / 4), rate)
    return Int64(wait) * 1_000_000_000 / Int64(rate)
  }

  /// Aligns the silence of playing sources, and removes silence that has been played.
  ///
  /// Returns after how many frames to poll again; `nil` for no poll.
  private mutating func pollPaddings() -> Int? {
    var wait: Int?
    for key in schedule.padded {
      let frames = records[key].library.pollPadding(of: key, in: scene, &schedule, &output, by: handle)
      if let frames { wait = min(wait ?? .max, frames) }
    }
    return wait
  }
}
