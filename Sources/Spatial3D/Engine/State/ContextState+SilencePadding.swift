internal import AudioSupport
internal import Synchronization

// Starts at an exact frame on a real output whose library has no start delay: silence plays ahead of the sound.

/// A copy of a sound after silence.
struct PaddedCopy: Sendable {
  let sound: SoundBuffer
  let copy: SoundBuffer
}

extension ContextState {
  /// The length of the silence for a copy of a source's sound that has a loop of its own; `nil` where it needs none.
  mutating func copiedSilence(of source: SoundSource, playing sound: SoundBuffer, until time: Duration) -> Int? {
    // A source that loops in a queue needs its loop flag before the sound ends.
    let isShort = sound.duration < .seconds(1) && records[source.key].scene.values.isLooping
    guard sound.loopRange != 0..<sound.frameCount || isShort else { return nil }
    return silenceLength(of: source.key, playing: sound, until: time)
  }

  /// The length of the silence, in frames: enough for a late thread and for the correction of a source.
  private mutating func paddingLength() -> Int { max(4 * framesPerMix(), handle.sampleRate / 10) }

  /// The frames of silence that a sound needs ahead; `nil` where it is too late, or the silence would exceed
  /// `longestSilence`.
  private mutating func silenceLength(
    of key: SourceKey,
    playing sound: SoundBuffer,
    until time: Duration
  ) -> Int? {
    let framesPerMix = framesPerMix()
    let step = step(of: records[key].scene.values, playing: sound.sound, in: scene)
    let length = (Double(paddingLength() + framesPerMix) * step).rounded(.up)
    let left = handle.mixFrame(at: time) - handle.mixFrame(at: .nanoseconds(handle.clock))
    guard left >= 3 * framesPerMix, length >= 1, length <= Double(Self.longestSilence) else { return nil }
    return Int(saturating: length)
  }

  /// Puts silence ahead of the sound of a source that does not play.
  ///
  /// Returns how many nanoseconds before the sound the source has to start; `nil` for a source that cannot have
  /// silence.
  mutating func holdPadding(
    of source: SoundSource,
    until time: Duration,
    copy: PaddedCopy?
  ) -> Int64? {
    let sounds = source.stream?.buffers.withLock { $0 } ?? source.buffers
    guard handle.usesPadding, handle.sampleRate > 0, let first = sounds.first else { return nil }
    let nanoseconds = Int64(clamping: time.attoseconds / 1_000_000_000)
    let lead = Int64(paddingLength()) * 1_000_000_000 / Int64(handle.sampleRate)
    let padding: SilencePadding
    // Another thread may have given the source another buffer since it was copied.
    if let copy, copy.sound === first, source.ownsBuffer.load(ordering: .acquiring) {
      let length = copy.copy.frameCount - first.frameCount
      padding = SilencePadding(time: nanoseconds, length: length, buffer: copy.copy, location: .copy(of: first))
      handle.hold([copy.copy.id], asQueue: false, on: source.id)
    } else {
      let isShort = source.frameCount < handle.sampleRate && records[source.key].scene.values.isLooping
      guard source.stream != nil || (!isShort && (source.hasQueue || first.loopRange == 0..<first.frameCount)),
        let length = silenceLength(of: source.key, playing: first, until: time),
        let silence = silence(of: length, like: first)
      else { return nil }
      padding = SilencePadding(
        time: nanoseconds,
        length: length,
        buffer: silence,
        location: source.stream == nil ? .queue : .stream
      )
      // A looping source would repeat the silence.
      handle.setLooping(false, source.id)
      handle.hold([silence.id] + sounds.map(\.id), asQueue: true, on: source.id)
      source.stream?.prepend(silence: silence)
    }
    schedule.add(padding, of: source.key, to: &records[source.key].start)
    return lead
  }

  private static let longestSilence = 1 << 18

  /// Silence that goes into a queue with a sound.
  private func silence(of length: Int, like sound: SoundBuffer) -> SoundBuffer? {
    func buffer<Sample: PCMSample>(of zero: Sample) -> SoundBuffer? {
      let samples = Array(repeating: zero, count: length * sound.format.channelCount)
      return try? SoundBuffer(PCMBuffer(samples: samples, format: sound.format), in: sound.context)
    }
    return sound.bytesPerSample == MemoryLayout<Int16>.size ? buffer(of: Int16.zero) : buffer(of: Float.zero)
  }

  /// Removes the silence ahead of a source's sound; stops or rewinds the source if it plays or is paused.
  mutating func endPadding(of source: SoundSource, by verb: ContextHandle.Verb = .rewind) {
    guard let padding = schedule.takePadding(of: source.key, from: &records[source.key].start) else { return }
    let now = handle.state(source.id)
    if now == .playing || now == .paused { handle.perform(verb, source.id) }
    if let stream = source.stream {
      stream.removeFirst()
      return handle.hold(stream.buffers.withLock { $0.map(\.id) }, asQueue: true, on: source.id)
    }
    handle.hold(source.buffers.map(\.id), asQueue: source.hasQueue, on: source.id)
    if case .queue = padding.location { handle.setLooping(records[source.key].scene.values.isLooping, source.id) }
  }

  /// Moves a source that may hold silence ahead of its sound to a frame of the sound.
  mutating func seek(_ source: SoundSource, to frame: Double) {
    guard let padding = records[source.key].start.padding else { return handle.seek(source.id, to: frame) }
    let now = handle.state(source.id)
    let isHeld = now == .playing || now == .paused
    if isHeld, handle.position(source.id).frame >= Double(padding.length) {
      if case .copy = padding.location { return handle.seek(source.id, to: frame + Double(padding.length)) }
      removeSilence(of: source.key)
      return handle.seek(source.id, to: frame)
    }
    // The source waits on without silence, which only fits a start at the beginning.
    endPadding(of: source)
    if isHeld {
      schedule.add(.init(time: padding.time), of: source.key, to: &records[source.key].start)
      if now == .paused { records[source.key].start.pauseWait() }
    }
    handle.seek(source.id, to: frame)
  }

  /// The number of played buffers of a queue, without the silence ahead of them.
  func processedBufferCount(of key: SourceKey) -> Int {
    let count = handle.processedBuffers(records[key].id)
    // A lost device reports all of them as played.
    if handle.isLost { return 0 }
    guard records[key].start.padding != nil else { return count }
    // The library does not loop while the queue has silence.
    return records[key].scene.values.isLooping ? 0 : max(count - 1, 0)
  }
}

// MARK: - While they play

extension ContextState {
  /// Starts a source in its silence when its time has come; returns false where it has no silence.
  mutating func beginPadding(of key: SourceKey) -> Bool {
    guard let padding = records[key].start.padding else { return false }
    records[key].start.enterSilence()
    correct(padding, of: key, isNew: true)
    return true
  }

  /// Aligns the silence of playing sources, and removes silence that has been played.
  ///
  /// Returns after how many frames to poll again; `nil` for no poll.
  mutating func pollPaddings() -> Int? {
    var wait: Int?
    for key in schedule.padded {
      guard let padding = records[key].start.padding, records[key].start.isInSilence else { continue }
      let id = records[key].id
      let now = handle.state(id)
      // A paused source waits for a call. A source that seems to have ended on a lost device plays on elsewhere.
      if now == .paused || (now != .playing && handle.isLost) { continue }
      if now == .playing {
        correct(padding, of: key, isNew: false)
        let frame = handle.position(id).frame
        if frame < Double(padding.length) {
          wait = min(wait ?? .max, framesPerMix() / 2)
          continue
        }
        if case .copy = padding.location {
          guard !records[key].scene.values.isLooping else { continue }
          let sound = padding.buffer.sound
          let left = (Double(sound.frameCount) - frame) / step(of: records[key].scene.values, playing: sound, in: scene)
          wait = min(wait ?? .max, Int(saturating: min(left, Double(handle.sampleRate))) + framesPerMix())
          continue
        }
      }
      changingSchedule { state in
        switch padding.location {
        case .queue: state.removeSilence(of: key)
        // The stream removes the silence with its other played buffers.
        case .stream: break
        case .copy(let sound):
          _ = state.schedule.takePadding(of: key, from: &state.records[key].start)
          state.handle.hold([sound.id], asQueue: false, on: id)
        }
      }
      // A stream was not polled for more yet, or the library has not processed the queue yet.
      if records[key].start.isInSilence { wait = min(wait ?? .max, framesPerMix()) }
    }
    return wait
  }

  /// Unqueues the played silence from the head of a queue.
  mutating func removeSilence(of key: SourceKey) {
    guard case .queue? = records[key].start.padding?.location, records[key].start.state == nil else { return }
    let id = records[key].id
    changingSchedule { state in
      // The game may have set the source to loop meanwhile, and the library counts no buffer of a looping queue as
      // played.
      state.handle.setLooping(false, id)
      guard state.handle.processedBuffers(id) > 0, !state.handle.isLost else { return }
      let hasEnded = state.handle.state(id) == .stopped
      state.handle.unqueue(1, from: id)
      // The recorded position excludes the silence too, in case the device is lost before the next poll.
      let silence = Double(state.records[key].start.silence)
      state.records[key].recorded?.position?.frame -= silence
      _ = state.schedule.takePadding(of: key, from: &state.records[key].start)
      guard state.records[key].scene.values.isLooping else { return }
      state.handle.setLooping(true, id)
      // The source ended before this poll: it goes on, late, because it is to loop.
      if hasEnded, state.handle.isConnected { state.handle.perform(.play, id) }
    }
  }

  private static let corrections = 4

  /// Moves a source to the frame of its silence from which the sound begins at its scheduled time.
  ///
  /// The mixer may have begun another mix before the move took effect: the position is checked again.
  private mutating func correct(_ padding: SilencePadding, of key: SourceKey, isNew: Bool) {
    let id = records[key].id
    let framesPerMix = framesPerMix()
    let step = step(of: records[key].scene.values, playing: padding.buffer.sound, in: scene)
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
