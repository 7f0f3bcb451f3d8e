internal import AudioSupport
internal import Synchronization

// A mix consists of pieces. A piece ends where the library, or this package, has to do something at a frame. An offline
// renderer and the mixing thread of a processed device render with the functions below, so that both render the same
// samples for the same calls at the same frames.

extension AudioDevice {
  /// The longest piece with observed sources: a mix of OpenAL Soft 1.25.
  ///
  /// The events in a piece are posted after it.
  private static let observedPiece = 1_024

  /// The longest piece with stems, each of which has its frames in memory.
  private static let longestPiece = 16_384

  /// Reports the sources that were released before a mix has played them.
  func reportReleases() {
    for context in livingContexts {
      if let release = context.state.withLock({ $0.releaseReport.take() }) { context.report(release) }
    }
  }

  /// Mixes the next piece of all contexts of the device, by one of them, and runs the stage behind it; returns its
  /// number of frames.
  ///
  /// One thread calls it at a time. It returns 0 where the mixing thread of a processed device has to stop.
  func renderPiece(by handle: ContextHandle, atMost limit: Int, appendingTo mix: inout PCMBuffer<Float>) -> Int {
    let (first, frame) = (mix.frameCount, renderedFrames.load(ordering: .relaxed))
    let count = mixPiece(by: handle, atMost: limit, appendingTo: &mix)
    // An offline renderer returns silence while it is suspended, and the stage stands still. A piece of a processed
    // device is sound, also if a suspension came meanwhile.
    if count > 0, !(mixesOnRequest && isSuspended), let stage = mixStages.withLock({ $0.first }) {
      mix.edit(from: first) { stage.process(&$0, at: frame) }
      if stage.hasEnded { removeMixStage(stage) }
    }
    return count
  }

  private func mixPiece(by handle: ContextHandle, atMost limit: Int, appendingTo mix: inout PCMBuffer<Float>) -> Int {
    guard !isMixingStopped else { return 0 }
    // The handlers of these ends may add closures, for ticks that are due now.
    forEachContext { $0.endFades() }
    let tick = takeTicks()
    // A suspension of another thread has left closures of ticks to a later piece.
    guard !isMixingStopped else { return 0 }
    // A handler may have added or ended a context, or may have added the first observer.
    let contexts = livingContexts
    if mixesOnRequest, isSuspended {
      // The library renders silence, and its clock stands still.
      render(limit, by: handle, appendingTo: &mix)
      return limit
    }
    // The library reaches a new gain at the end of its mix, and a ramp of a gain counts the frames of pieces.
    var (frames, fade) = (handle.framesUntilCut(atMost: min(limit, tick ?? limit)), 0)
    for stem in mixStems.withLock({ $0 }) { frames = stem.framesUntilCut(atMost: min(frames, Self.longestPiece)) }
    // Closures of ticks may have begun fades that end at once.
    for context in contexts { context.endFades() }
    for context in contexts {
      context.state.withLock { state in
        let (start, step) = (
          state.startWaitingSources(),
          state.fades.step(in: &state.records, state.scene, of: state.device, by: state.handle)
        )
        frames = min(frames, start ?? frames, step ?? frames)
        fade = max(fade, state.shortFades.endings.frames ?? 0)
      }
    }
    fade = min(fade, frames)
    // On a processed device, a call of another thread takes effect before a piece or behind it, so that each piece has
    // the locks of its contexts.
    if mixesOnRequest, contexts.allSatisfy({ $0.state.withLock { $0.observation.isEmpty } }) {
      for context in contexts { context.state.withLock { $0.stepGains(over: fade > 0 ? fade : frames) } }
      for stem in mixStems.withLock({ $0 }) { stem.prepare() }
      render(frames, fading: fade, by: handle, appendingTo: &mix)
      for context in contexts { context.state.withLock { $0.shortFades.endings.releaseFaded() } }
      return frames
    }
    fillStreams(of: contexts, before: frames)
    // A reader may have added a closure.
    frames = min(frames, framesUntilTick() ?? frames)
    // The length of a piece is known before a fade begins.
    for context in contexts where fade > 0 {
      frames = context.state.withLock { $0.beginPiece(atMost: frames).frames }
    }
    fade = min(fade, frames)
    for stem in mixStems.withLock({ $0 }) { stem.prepare() }
    frames = renderPiece(of: contexts[...], by: handle, atMost: min(frames, Self.observedPiece), fading: fade, &mix)
    for context in contexts { context.deliveries.deliver() }
    return frames
  }

  /// Takes the contexts' locks one after the other, mixes the piece, and then posts the events of each context.
  ///
  /// `isWithinLock` is whether the lock of another context is held.
  private func renderPiece(
    of contexts: ArraySlice<AudioContext>,
    by handle: ContextHandle,
    atMost limit: Int,
    fading fade: Int,
    isWithinLock: Bool = false,
    _ mix: inout PCMBuffer<Float>
  ) -> Int {
    guard let context = contexts.first else {
      render(limit, fading: fade, by: handle, appendingTo: &mix)
      return limit
    }
    return context.state.withLock { state in
      // A suspension takes this lock after it has stopped the mixer: no piece follows it.
      if !isWithinLock, isMixingStopped { return 0 }
      let (limit, playing) = state.beginPiece(atMost: limit)
      state.stepGains(over: fade > 0 ? min(fade, limit) : limit)
      let others = contexts.dropFirst()
      let frames = renderPiece(of: others, by: handle, atMost: limit, fading: fade, isWithinLock: true, &mix)
      state.endPiece(of: frames, playing)
      return frames
    }
  }

  /// Mixes frames, and the same frames of each stem; the first of them on their own, so that no short fade is longer.
  private func render(
    _ frames: Int,
    fading fade: Int,
    by handle: ContextHandle,
    appendingTo mix: inout PCMBuffer<Float>
  ) {
    let first = min(fade, frames)
    render(first, by: handle, appendingTo: &mix)
    render(frames - first, by: handle, appendingTo: &mix)
    for stem in mixStems.withLock({ $0 }) { stem.render(frames, first: first, besides: handle.device) }
  }

  private func render(_ frames: Int, by handle: ContextHandle, appendingTo mix: inout PCMBuffer<Float>) {
    handle.render(frameCount: frames, format: mix.format, appendingTo: &mix)
    renderedFrames.add(frames, ordering: .relaxed)
  }
}

extension AudioDevice {
  /// Whether the mixing thread of a processed device may not render.
  ///
  /// A suspension counts from its call on, and until all contexts have performed their deferred calls.
  var isMixingStopped: Bool { outputMixer.map { isSuspended || $0.isStopped } ?? false }
}

// MARK: - Streams

extension AudioDevice {
  /// Fills the queues of all streams, or lets their threads fill them, before a piece; called without a lock.
  ///
  /// A thread of its own reads each stream of a processed device, because a slow reader must not hold up the mix of all
  /// other sources. The mixing thread waits for these threads, for a part of what the output still has to play: a
  /// reader that keeps up gives the same mix as offline, and a slow one has an underrun of its own.
  private func fillStreams(of contexts: [AudioContext], before frames: Int) {
    guard let outputMixer else {
      for context in contexts { context.feedStreams() }
      return
    }
    func areFilled() -> Bool {
      contexts.allSatisfy { context in
        context.state.withLock { !$0.observation.lacksChunks(for: frames, in: $0.records, $0.scene) }
      }
    }
    outputMixer.waitForStreams(until: areFilled)
  }
}

extension AudioContext {
  /// Fills the queues of all streams; called without the lock, because readers run here.
  fileprivate func feedStreams() {
    // A copy of the elements: another thread mutates the state's own array.
    let streams = state.withLock { $0.observation.streams.map(\.self) }
    // A chunk that another thread is reading has to be in the queue before the mix.
    for stream in streams { stream.fill(afterOthers: true) }
  }
}
