// Starts at an exact frame on a real output whose library has no delay: by silence ahead of the sound. All of it under the
// context's lock.

extension AudioContext {
  /// Has a source, which does not play, hold silence ahead of its sound; returns how many frames of the mix before the sound it
  /// is to be started, 0 for a source that can have none.
  func holdLeadIn(of source: SoundSource, until frame: Int, _ state: inout State) -> Int {
    let sounds = source.stream?.buffers.withLock { $0 } ?? source.buffers
    guard !device.isOffline, let clock = handle.clock, let first = sounds.first else { return 0 }
    let framesPerMix = framesPerMix(&state)
    // Long enough for a thread to be late, and for a lead-in to be corrected.
    let lead = max(4 * framesPerMix, sampleRate / 10)
    let step = step(of: source.key, playing: first, state)
    let length = Int((Double(lead + framesPerMix) * step).rounded(.up))
    let isQueued = source.hasQueue || source.stream != nil
    guard frame - mixFrame(at: .nanoseconds(clock)) >= 3 * framesPerMix, (1...Self.longestSilence).contains(length),
      // A short queue would be at its end before it is told to loop.
      !(source.hasQueue && source.frameCount < 2 * length && state.scene.read(source.key, \.isLooping)),
      let buffer = isQueued ? silence(of: length, like: first) : try? SoundBuffer(after: length, of: first)
    else { return 0 }
    if isQueued {
      // The silence would be repeated.
      handle.setLooping(false, source.id)
      handle.hold([buffer.id] + sounds.map(\.id), asQueue: true, on: source.id)
    } else {
      handle.hold([buffer.id], asQueue: false, on: source.id)
    }
    source.stream?.prepend(silence: buffer)
    state.schedule.add(LeadIn(frame: frame, length: length, buffer: buffer, isQueued: source.hasQueue), of: source.key)
    return lead
  }

  /// A sound that nobody slows down or speeds up that much has one of a tenth of a second.
  private static let longestSilence = 1 << 20

  /// Silence that goes into a queue with a sound.
  private func silence(of length: Int, like sound: SoundBuffer) -> SoundBuffer? {
    let sampleCount = length * sound.format.channelCount
    if sound.bytesPerSample == MemoryLayout<Int16>.size {
      let pcm = try? PCMBuffer<Int16>(samples: Array(repeating: 0, count: sampleCount), format: sound.format)
      return pcm.flatMap { try? SoundBuffer($0, in: self) }
    }
    let pcm = try? PCMBuffer<Float>(samples: Array(repeating: 0, count: sampleCount), format: sound.format)
    return pcm.flatMap { try? SoundBuffer($0, in: self) }
  }

  /// Has a source hold its sound alone again, for which it is put out of playing, or stopped.
  func endLeadIn(of source: SoundSource, by verb: ContextHandle.Verb = .rewind, _ state: inout State) {
    guard let leadIn = state.schedule.takeLeadIn(of: source.key) else { return }
    handle.perform(verb, source.id)
    if let stream = source.stream {
      stream.removeFirst()
      return handle.hold(stream.buffers.withLock { $0.map(\.id) }, asQueue: true, on: source.id)
    }
    handle.hold(source.buffers.map(\.id), asQueue: source.hasQueue, on: source.id)
    if leadIn.isQueued { handle.setLooping(state.scene.read(source.key, \.isLooping), source.id) }
  }

  /// Moves a source that may hold silence ahead of its sound to a frame of the sound.
  func seek(_ source: SoundSource, to frame: Int, _ state: inout State) {
    guard let leadIn = state.schedule.leadIns[source.key] else { return handle.seek(source.id, to: frame) }
    let now = handle.state(source.id)
    if now == .playing || now == .paused, handle.place(source.id).frame >= Double(leadIn.length) {
      return handle.seek(source.id, to: frame + leadIn.length)
    }
    // It waits on without silence, which was for a start at the beginning.
    let waits = state.schedule.state(of: source.key)
    endLeadIn(of: source, &state)
    if now == .playing || now == .paused || waits != nil {
      state.schedule.add(source.key, id: source.id, frame: leadIn.frame)
      if now == .paused || waits == .paused { state.schedule.pause(source.key) }
    }
    handle.seek(source.id, to: frame)
  }

  /// Starts a source whose time has come on its silence; returns false where it has none.
  func beginLeadIn(of due: StartSchedule.Due, _ state: inout State) -> Bool {
    guard let leadIn = state.schedule.leadIns[due.key] else { return false }
    state.schedule.beginLeadIn(of: due)
    correct(leadIn, of: due, isNew: true, &state)
    return true
  }

  /// Has those that play silence end it at their frames; returns after how many frames to look again, `nil` for none.
  func lookAfterLeadIns(_ state: inout State) -> Int? {
    for due in state.schedule.leading {
      guard let leadIn = state.schedule.leadIns[due.key] else { continue }
      switch handle.state(due.id) {
      case .paused: continue
      case .playing: correct(leadIn, of: due, isNew: false, &state)
      case .initial, .stopped: break
      }
      let place = handle.place(due.id)
      let isPlaying = handle.state(due.id) == .playing
      guard !isPlaying || place.frame >= Double(leadIn.length) else { continue }
      // A stream takes it from its queue with whatever else was played.
      if leadIn.isQueued { removeSilence(of: due, &state) } else { state.schedule.endLeadIn(of: due.key) }
    }
    return state.schedule.leading.isEmpty ? nil : framesPerMix(&state) / 2
  }

  /// How many buffers of a queue have been played, without silence ahead of them.
  func playedBufferCount(of key: SourceKey, id: UInt32, _ state: State) -> Int {
    let count = handle.processedBuffers(id)
    return state.schedule.leadIns[key]?.isQueued == true ? max(count - 1, 0) : count
  }

  /// Takes the silence, which was played, from the head of a queue.
  func removeSilence(of due: StartSchedule.Due, _ state: inout State) {
    guard state.schedule.leadIns[due.key]?.isQueued == true else { return }
    changingSchedule(&state) { state in
      // It may have been told to loop meanwhile, and nothing of a queue that loops counts as played.
      handle.setLooping(false, due.id)
      if handle.processedBuffers(due.id) > 0 {
        handle.unqueue(1, from: due.id)
        _ = state.schedule.takeLeadIn(of: due.key)
        handle.setLooping(state.scene.read(due.key, \.isLooping), due.id)
      }
    }
  }

  /// Brings a source to the place in its silence from which the sound begins at its frame.
  ///
  /// The mixer may have begun another mix before it saw that, so that it is looked at again.
  private func correct(_ leadIn: LeadIn, of due: StartSchedule.Due, isNew: Bool, _ state: inout State) {
    let framesPerMix = framesPerMix(&state)
    let step = step(of: due.key, playing: leadIn.buffer, state)
    var isNew = isNew
    for _ in 0..<Self.corrections {
      let place = handle.place(due.id)
      guard let clock = place.clock ?? handle.clock else { return }
      let now = mixFrame(at: .nanoseconds(clock))
      let wanted = leadIn.correction(
        of: isNew ? nil : place.frame,
        at: now,
        step: step,
        framesPerMix: framesPerMix
      )
      guard let wanted else { return }
      handle.restart(due.id, at: wanted)
      isNew = false
    }
  }

  private static let corrections = 4

  /// How many frames of a buffer the mixer takes for one of the mix, when a source plays it.
  private func step(of key: SourceKey, playing buffer: SoundBuffer, _ state: State) -> Double {
    let sound = QueuedSound([buffer], isQueue: false)
    let values = state.scene.read(key) { $0 }
    return state.scene.step(
      of: values,
      soundRate: sound.sampleRate,
      mixRate: sampleRate,
      isPlaced: sound.isPlaced(values.spatialization),
      limit: stepLimit
    )
  }
}
