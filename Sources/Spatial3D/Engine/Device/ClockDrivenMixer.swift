internal import AudioSupport

/// The replacement for the sound card of a silent device.
///
/// A thread mixes by the clock while there is a context, and polls all contexts after each block. Each device has a
/// thread of its own: no output has to wait for a long mix. The mix is not audible.
final class ClockDrivenMixer: Sendable {
  private struct State: Sendable {
    var clock = BlockPacer()
    /// The number of contexts in the library.
    var contextCount = 0
    var isSuspended = false
    /// The settings of the newest context.
    var settings = OutputSettings()
    /// The polled contexts; the thread runs while there are any.
    var contexts: [Weak<AudioContext>] = []

    mutating func updateClock(at now: Int64) {
      if contextCount > 0, !isSuspended { clock.run(at: now) } else { clock.hold(at: now) }
    }
  }

  /// The rate of a context without a requested one, where there is no other context.
  private static let sampleRate = 48_000

  /// Nanoseconds between two blocks in which other threads can use the device, also when it is late.
  private static let leastRest: Int64 = 1_000_000

  var semaphore: Semaphore { loop.semaphore }

  private let state = Lock(State())
  private let loop = BackgroundLoop()

  /// The requested loudspeakers of the newest context.
  var layout: ChannelLayout? { state.withLock { $0.settings.layout } }

  /// Fills the defaults of settings with the values of the other contexts, because the library needs all values.
  func complete(_ settings: OutputSettings, presentRate: Int) -> OutputSettings {
    let present = state.withLock { $0.contextCount > 0 ? $0.settings : nil }
    var settings = settings
    settings.sampleRate = settings.sampleRate ?? (present == nil ? Self.sampleRate : presentRate)
    settings.layout = settings.layout ?? present?.layout ?? .stereo
    guard let present else { return settings }
    if settings.hrtf == .automatic { settings.hrtf = present.hrtf }
    if settings.limiter == .automatic { settings.limiter = present.limiter }
    return settings
  }

  /// Fills the defaults of settings for all contexts, regardless of those that they have.
  func complete(_ settings: OutputSettings) -> OutputSettings {
    var settings = settings
    settings.sampleRate = settings.sampleRate ?? Self.sampleRate
    settings.layout = settings.layout ?? .stereo
    return settings
  }

  /// Stores new settings of all contexts.
  func adopt(_ settings: OutputSettings) { state.withLock { $0.settings = settings } }

  /// Starts time for a context that got complete settings.
  func join(_ settings: OutputSettings) {
    state.withLock { state in
      state.settings = settings
      state.contextCount += 1
      state.updateClock(at: monotonicTime())
    }
  }

  /// Removes a context that has ended.
  func leave() {
    state.withLock { state in
      state.contextCount -= 1
      state.updateClock(at: monotonicTime())
    }
    loop.signal()
  }

  func setSuspended(_ isSuspended: Bool) {
    state.withLock { state in
      state.isSuspended = isSuspended
      state.updateClock(at: monotonicTime())
    }
    loop.signal()
  }

  /// Polls a context from now on, for as long as it lives.
  func add(_ context: AudioContext) {
    state.withLock { $0.contexts.append(Weak(context)) }
    // The next context tries again if the system starts no thread.
    loop.begin { self.work() }
  }

  private func work() -> BackgroundLoop.Next {
    // The array keeps the contexts for one block, no longer: the last release of a context ends it.
    var contexts: [AudioContext] = []
    var gone: [Weak<AudioContext>] = []
    for watched in state.withLock({ $0.contexts }) {
      if let context = watched.object { contexts.append(context) } else { gone.append(watched) }
    }
    let isOver = state.withLock { state in
      state.contexts.removeAll { watched in gone.contains { $0 === watched } }
      return state.contexts.isEmpty
    }
    guard let device = contexts.first?.device else { return isOver ? .end : .after(Self.leastRest) }
    mix(on: device, at: monotonicTime()) {
      // The mix ends at the next tick, and at the next start of a waiting source where the library has no start delay.
      // The closure of a tick may add contexts.
      let tick = device.takeTicks()
      let starts = device.livingContexts.map { context in context.state.withLock { $0.startWaitingSources() } }
      return (starts + [tick]).compactMap(\.self).min()
    }
    let looks = contexts.compactMap { $0.poll(at: monotonicTime()) }
    // While time goes on, each block is followed by a poll.
    if let block = state.withLock({ $0.clock.wait(at: monotonicTime()) }) { return .after(max(block, Self.leastRest)) }
    return looks.min().map { .after(max($0, Self.leastRest)) } ?? .onSignal
  }

  /// Mixes a block of a device, if one is due, in pieces that end at the starts which a closure returns.
  ///
  /// Only one thread calls it at a time, while there is a context.
  func mix(on device: AudioDevice, at now: Int64, untilNextStart: () -> Int?) {
    var left = state.withLock { $0.clock.takeBlock(at: now, rate: device.handle.sampleRate) }
    while left > 0 {
      let frameCount = min(left, max(untilNextStart() ?? left, 1))
      let mixed = device.handle.discard(frameCount: frameCount)
      left -= mixed
      // The device is suspended, and continues at this frame.
      if mixed < frameCount { break }
    }
    if left > 0 { state.withLock { $0.clock.giveBack(left) } }
  }
}
