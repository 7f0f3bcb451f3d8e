internal import AudioSupport
internal import Synchronization

// A mix consists of pieces. A piece ends where the library, or this package, has to do something at a frame.

extension OfflineRenderer {
  /// The longest piece with observed sources: a mix of OpenAL Soft 1.25.
  ///
  /// The events in a piece are posted after it.
  private static let observedPiece = 1_024

  /// Reports the sources that were released before a mix has played them.
  func reportReleases() {
    for context in context.device.livingContexts {
      if let release = context.state.withLock({ $0.releaseReport.take() }) { context.report(release) }
    }
  }

  /// Mixes the next piece of all contexts of the device; returns its number of frames.
  func renderPiece(atMost limit: Int, appendingTo mix: inout PCMBuffer<Float>) -> Int {
    let device = context.device
    // The handlers of these ends may add closures, for ticks that are due now.
    for context in device.livingContexts { context.endFades() }
    let tick = device.takeTicks()
    // A handler may have added or ended a context, or may have added the first observer.
    let contexts = device.livingContexts
    if device.isSuspended {
      render(limit, fading: 0, appendingTo: &mix)
      return limit
    }
    // The library reaches a new gain at the end of its mix, and a ramp of a gain counts the frames of pieces.
    var (frames, fade) = (context.handle.framesUntilCut(atMost: min(limit, tick ?? limit)), 0)
    // Closures of ticks may have begun fades that end at once.
    for context in contexts { context.endFades() }
    for context in contexts {
      context.state.withLock { state in
        let (start, step) = (
          state.startWaitingSources(),
          state.fades.step(in: &state.records, state.scene, of: state.device, by: state.handle)
        )
        frames = [frames, start, step].compactMap(\.self).min() ?? frames
        fade = max(fade, state.shortFades.endings.frames ?? 0)
      }
    }
    fade = min(fade, frames)
    if contexts.allSatisfy({ $0.state.withLock { $0.observation.isEmpty } }) {
      for context in contexts { context.state.withLock { $0.stepGains(over: fade > 0 ? fade : frames) } }
      render(frames, fading: fade, appendingTo: &mix)
      for context in contexts { context.state.withLock { $0.shortFades.endings.releaseFaded() } }
      return frames
    }
    for context in contexts { context.feedStreams() }
    // A reader may have added a closure.
    frames = min(frames, device.framesUntilTick() ?? frames)
    // The length of a piece is known before a fade begins.
    for context in contexts where fade > 0 {
      frames = context.state.withLock { $0.beginPiece(atMost: frames).frames }
    }
    fade = min(fade, frames)
    frames = renderPiece(of: contexts[...], atMost: min(frames, Self.observedPiece), fading: fade, appendingTo: &mix)
    for context in contexts { context.deliveries.deliver() }
    return frames
  }

  /// Takes the contexts' locks one after the other, mixes the piece, and then posts the events of each context.
  private func renderPiece(
    of contexts: ArraySlice<AudioContext>,
    atMost limit: Int,
    fading fade: Int,
    appendingTo mix: inout PCMBuffer<Float>
  ) -> Int {
    guard let context = contexts.first else {
      render(limit, fading: fade, appendingTo: &mix)
      return limit
    }
    return context.state.withLock { state in
      let (limit, playing) = state.beginPiece(atMost: limit)
      state.stepGains(over: fade > 0 ? min(fade, limit) : limit)
      let frames = renderPiece(of: contexts.dropFirst(), atMost: limit, fading: fade, appendingTo: &mix)
      state.endPiece(of: frames, playing)
      return frames
    }
  }

  /// Mixes frames; the first of them on their own, so that no short fade is longer.
  private func render(_ frames: Int, fading fade: Int, appendingTo mix: inout PCMBuffer<Float>) {
    let first = min(fade, frames)
    context.handle.render(frameCount: first, format: format, appendingTo: &mix)
    context.handle.render(frameCount: frames - first, format: format, appendingTo: &mix)
    context.device.renderedFrames.add(frames, ordering: .relaxed)
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
