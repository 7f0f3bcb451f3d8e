internal import AudioSupport
internal import Synchronization

// Starts at an exact frame on a real output whose library has no start delay: silence plays ahead of the sound.

/// A copy of a sound after silence.
struct PaddedCopy: Sendable {
  let sound: SoundBuffer
  let copy: SoundBuffer
}

// MARK: - The length of the silence

extension LibrarySource {
  /// The length of the silence for a copy of a sound that has a loop of its own; `nil` where it needs none.
  func copiedSilence(
    playing sound: SoundBuffer,
    until time: Duration,
    in scene: Scene,
    _ output: inout OutputState,
    by handle: ContextHandle
  ) -> Int? {
    // A source that loops in a queue needs its loop flag before the sound ends.
    let isShort = sound.duration < .seconds(1) && isLooping
    guard sound.loopRange != 0..<sound.frameCount || isShort else { return nil }
    return silenceLength(playing: sound, until: time, in: scene, &output, by: handle)
  }

  /// The length of the silence, in frames of the mix: enough for a late thread and for the correction of a source.
  private func paddingLength(_ output: inout OutputState, by handle: ContextHandle) -> Int {
    max(4 * output.framesPerMix(by: handle), handle.sampleRate / 10)
  }

  /// The frames of silence that a sound needs ahead; `nil` where it is too late, or the silence would exceed
  /// `longestSilence`.
  private func silenceLength(
    playing sound: SoundBuffer,
    until time: Duration,
    in scene: Scene,
    _ output: inout OutputState,
    by handle: ContextHandle
  ) -> Int? {
    let framesPerMix = output.framesPerMix(by: handle)
    let step = handle.step(of: sceneSource.values, playing: sound.sound, in: scene)
    let length = (Double(paddingLength(&output, by: handle) + framesPerMix) * step).rounded(.up)
    let left = handle.mixFrame(at: time) - handle.mixedFrames
    guard left >= 3 * framesPerMix, length >= 1, length <= Double(Self.longestSilence) else { return nil }
    return Int(saturating: length)
  }

  private static let longestSilence = 1 << 18
}

// MARK: - Ahead of the start

extension LibrarySource {
  /// Puts silence ahead of the sound of a source that does not play.
  ///
  /// Returns how many nanoseconds before the sound the source has to start; `nil` for a source that cannot have
  /// silence.
  mutating func addPadding(
    of source: SoundSource,
    until time: Duration,
    copy: PaddedCopy?,
    in scene: Scene,
    _ schedule: inout StartSchedule,
    _ output: inout OutputState,
    by handle: ContextHandle
  ) -> Int64? {
    let sounds = source.stream?.buffers.withLock { $0 } ?? source.buffers
    guard handle.usesPadding, handle.sampleRate > 0, let first = sounds.first else { return nil }
    let nanoseconds = time.inNanoseconds
    let lead = Int64(paddingLength(&output, by: handle)) * 1_000_000_000 / Int64(handle.sampleRate)
    let padding: SilencePadding
    // Another thread may have given the source another buffer since it was copied.
    if let copy, copy.sound === first, source.ownsBuffer.load(ordering: .acquiring) {
      let length = copy.copy.frameCount - first.frameCount
      padding = SilencePadding(time: nanoseconds, length: length, buffer: copy.copy, location: .copy(of: first))
      handle.hold([copy.copy.id], asQueue: false, on: id)
    } else {
      let isShort = source.frameCount < handle.sampleRate && isLooping
      guard source.stream != nil || (!isShort && (source.hasQueue || first.loopRange == 0..<first.frameCount)),
        let length = silenceLength(playing: first, until: time, in: scene, &output, by: handle),
        let silence = Self.silence(of: length, like: first)
      else { return nil }
      padding = SilencePadding(
        time: nanoseconds,
        length: length,
        buffer: silence,
        location: source.stream == nil ? .queue : .stream
      )
      // A looping source would repeat the silence.
      handle.setLooping(false, id)
      handle.hold([silence.id] + sounds.map(\.id), asQueue: true, on: id)
      source.stream?.prepend(silence: silence)
    }
    schedule.add(padding, of: source.key, to: &start)
    return lead
  }

  /// Silence that goes into a queue with a sound.
  private static func silence(of length: Int, like sound: SoundBuffer) -> SoundBuffer? {
    func buffer<Sample: PCMSample>(of zero: Sample) -> SoundBuffer? {
      let samples = Array(repeating: zero, count: length * sound.format.channelCount)
      return try? SoundBuffer(PCMBuffer(samples: samples, format: sound.format), in: sound.context)
    }
    return sound.bytesPerSample == MemoryLayout<Int16>.size ? buffer(of: Int16.zero) : buffer(of: Float.zero)
  }

  /// Removes the silence ahead of a source's sound; stops or rewinds the source if it plays or is paused.
  mutating func endPadding(
    of source: SoundSource,
    with verb: ContextHandle.Verb = .rewind,
    _ schedule: inout StartSchedule,
    by handle: ContextHandle
  ) {
    guard let padding = schedule.takePadding(of: source.key, from: &start) else { return }
    let now = handle.state(id)
    if now == .playing || now == .paused { handle.perform(verb, id) }
    if let stream = source.stream {
      stream.removeFirst()
      return handle.hold(stream.buffers.withLock { $0.map(\.id) }, asQueue: true, on: id)
    }
    handle.hold(source.buffers.map(\.id), asQueue: source.hasQueue, on: id)
    if case .queue = padding.location { handle.setLooping(isLooping, id) }
  }

  /// Forgets the silence, which is in no queue of the library any more.
  mutating func removePadding(of key: SourceKey, _ schedule: inout StartSchedule) {
    _ = schedule.takePadding(of: key, from: &start)
  }

  /// Moves a source that may have silence ahead of its sound to a frame of the sound.
  mutating func seek(
    _ source: SoundSource,
    to frame: Double,
    _ schedule: inout StartSchedule,
    by handle: ContextHandle
  ) {
    guard let padding = start.padding else { return handle.seek(id, to: frame) }
    let now = handle.state(id)
    let isHeld = now == .playing || now == .paused
    if isHeld, handle.position(id).frame >= Double(padding.length) {
      if case .copy = padding.location { return handle.seek(id, to: frame + Double(padding.length)) }
      removeSilence(of: source.key, &schedule, by: handle)
      return handle.seek(id, to: frame)
    }
    // The source waits on without silence, which only fits a start at the beginning.
    endPadding(of: source, &schedule, by: handle)
    if isHeld {
      schedule.add(.init(time: padding.time), of: source.key, to: &start)
      if now == .paused { start.pauseWait() }
    }
    handle.seek(id, to: frame)
  }
}

// MARK: - While the silence plays

extension LibrarySource {
  /// Starts a source in its silence when its time has come; returns false where it has no silence.
  mutating func beginPadding(in scene: Scene, _ output: inout OutputState, by handle: ContextHandle) -> Bool {
    guard let padding = start.padding else { return false }
    start.enterSilence()
    correct(padding, isNew: true, in: scene, framesPerMix: output.framesPerMix(by: handle), by: handle)
    return true
  }

  /// Aligns the silence of a playing source, and removes silence that has been played.
  ///
  /// Returns after how many frames to poll again; `nil` for no poll.
  mutating func pollPadding(
    of key: SourceKey,
    in scene: Scene,
    _ schedule: inout StartSchedule,
    _ output: inout OutputState,
    by handle: ContextHandle
  ) -> Int? {
    guard let padding = start.padding, start.isInSilence else { return nil }
    let now = handle.state(id)
    // A paused source waits for a call. A source that seems to have ended on a lost device plays on elsewhere.
    if now == .paused || (now != .playing && handle.isLost) { return nil }
    if now == .playing {
      correct(padding, isNew: false, in: scene, framesPerMix: output.framesPerMix(by: handle), by: handle)
      let frame = handle.position(id).frame
      if frame < Double(padding.length) { return output.framesPerMix(by: handle) / 2 }
      if case .copy = padding.location {
        guard !isLooping else { return nil }
        let sound = padding.buffer.sound
        let left = (Double(sound.frameCount) - frame) / handle.step(of: sceneSource.values, playing: sound, in: scene)
        return Int(saturating: min(left, Double(handle.sampleRate))) + output.framesPerMix(by: handle)
      }
    }
    schedule.beginChange()
    switch padding.location {
    case .queue: removeSilence(of: key, &schedule, by: handle)
    // The stream removes the silence with its other played buffers.
    case .stream: break
    case .copy(let sound):
      removePadding(of: key, &schedule)
      handle.hold([sound.id], asQueue: false, on: id)
    }
    schedule.endChange()
    // A stream was not polled for more yet, or the library has not processed the queue yet.
    return start.isInSilence ? output.framesPerMix(by: handle) : nil
  }

  /// Unqueues the played silence from the head of a queue.
  mutating func removeSilence(of key: SourceKey, _ schedule: inout StartSchedule, by handle: ContextHandle) {
    guard case .queue? = start.padding?.location, start.state == nil else { return }
    schedule.beginChange()
    defer { schedule.endChange() }
    // The game may have set the source to loop meanwhile, and the library counts no buffer of a looping queue as
    // played.
    handle.setLooping(false, id)
    guard handle.processedBuffers(id) > 0, !handle.isLost else { return }
    let hasEnded = handle.state(id) == .stopped
    handle.unqueue(1, from: id)
    // The recorded position excludes the silence too, in case the device is lost before the next poll.
    removeFromRecord(silence: start.silence)
    removePadding(of: key, &schedule)
    guard isLooping else { return }
    handle.setLooping(true, id)
    // The source ended before this poll: it goes on, late, because it is to loop.
    if hasEnded, handle.isConnected { handle.perform(.play, id) }
  }

  /// Unqueues the buffers of the game that were played; returns their number, 0 on a lost device.
  mutating func unqueuePlayed(of key: SourceKey, _ schedule: inout StartSchedule, by handle: ContextHandle) -> Int {
    guard !handle.isLost else { return 0 }
    if !schedule.padded.isEmpty { removeSilence(of: key, &schedule, by: handle) }
    let count = processedBufferCount(by: handle)
    guard count > 0, !handle.isLost else { return 0 }
    handle.unqueue(count, from: id)
    return count
  }

  /// Keeps the library from repeating the silence ahead of a queue, after all values were applied.
  func keepQueueFromLooping(by handle: ContextHandle) {
    if case .queue? = start.padding?.location { handle.setLooping(false, id) }
  }

  private static let corrections = 4

  /// Moves a source to the frame of its silence from which the sound begins at its scheduled time.
  ///
  /// The mixer may have begun another mix before the move took effect: the position is checked again.
  private func correct(
    _ padding: SilencePadding,
    isNew: Bool,
    in scene: Scene,
    framesPerMix: Int,
    by handle: ContextHandle
  ) {
    let step = handle.step(of: sceneSource.values, playing: padding.buffer.sound, in: scene)
    var isNew = isNew
    for _ in 0..<Self.corrections {
      let position = handle.position(id)
      let left = handle.mixFrame(at: .nanoseconds(padding.time)) - handle.mixFrame(at: .nanoseconds(position.clock))
      let frame = isNew ? nil : position.frame
      guard let wanted = padding.correction(of: frame, left: left, step: step, framesPerMix: framesPerMix) else {
        return
      }
      handle.restart(id, at: wanted)
      isNew = false
    }
  }
}
