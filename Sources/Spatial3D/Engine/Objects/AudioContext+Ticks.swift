internal import AudioSupport

extension AudioContext {
  /// Calls a closure at each multiple of a number of ``mixedFrames``, until the token is released.
  ///
  /// The closure receives the ``clock``, and may call everything in this package. With it, glides and sequencers run on
  /// the time of the mix instead of the frames of the game:
  ///
  /// ```swift
  /// let ticks = context.onTick(every: 512) { [weak bass] time in
  ///   guard time > beat else { return }
  ///   bass?.pitch = Float(1 + (time - beat) / .seconds(4))
  /// }
  /// ```
  ///
  /// Offline, on ``AudioDevice/silent`` and on ``AudioDevice/processed``, the mix ends at each multiple: the closure
  /// runs before the next frame is mixed, on the thread that mixes. Its changes are audible from that frame on. The
  /// frames of the ticks do not depend on the sizes of the rendered pieces.
  ///
  /// On an output, a thread of the device calls the closures of all its contexts. The thread sleeps by the clock, and
  /// only exists while there is a closure. The clock advances in steps of one mix. A tick is late by a mix at most
  /// on a machine that keeps up, and the closure runs once for all ticks that are late. A closure that is slower than
  /// its interval delays the ticks of the device, and nothing else.
  ///
  /// Ticks stop while the context is frozen. The first tick is the first multiple from now on: offline before the first
  /// mix, frame 0. A closure that another tick adds has its first tick after the present frame.
  ///
  /// - Parameters:
  ///   - frames: The number of frames between two ticks; a value below 1 counts as 1. At 48,000 Hz, 512 frames are
  ///     10.7 ms. An output has at most 1,000 ticks a second.
  ///   - body: The closure, which receives the time of the mix. The token keeps it and its captures: capture the
  ///     context weakly.
  /// - Returns: The token; the release of it ends the calls.
  ///
  /// OpenAL has no counterpart.
  public func onTick(every frames: Int, _ body: @escaping @Sendable (_ clock: Duration) -> Void) -> NotificationToken {
    let handler = CancellableHandler(body)
    state.withLock { state in
      state.ticks.add(handler, every: frames, from: state.handle.mixedFrames, rate: state.handle.sampleRate)
    }
    device.beginTicks()
    return NotificationToken(in: self) { context in
      context?.remove(tick: handler)
      handler.cancel()
    }
  }

  func remove(tick handler: CancellableHandler<Duration>) {
    // The caller keeps the handler, whose captures are released without the lock.
    state.withLock { $0.ticks.remove(handler) }
    device.tickLoop.signal()
  }

  /// Calls the closures of all ticks that are due; returns the number of frames until the next one, `nil` for none.
  ///
  /// Called without a lock: a closure may add and end ticks, or release the context.
  func takeTicks() -> Int? {
    guard state.withLock({ !$0.ticks.isEmpty }) else { return nil }
    if !device.isSuspended {
      // A slow closure must not prolong the loop: the ticks that come due in it wait for the next call.
      let (clock, rate) = state.withLock { state in
        state.ticks.isTaking = true
        return (Duration.nanoseconds(state.handle.clock), state.handle.sampleRate)
      }
      defer { state.withLock { $0.ticks.isTaking = false } }
      let frame = PCMFormat.mono(sampleRate: rate).frameCount(in: clock)
      while let handler = state.withLock({ $0.ticks.take(at: frame, rate: rate) }) { handler.call(clock) }
    }
    return state.withLock { $0.ticks.framesUntilNext(by: $0.handle) }
  }
}
