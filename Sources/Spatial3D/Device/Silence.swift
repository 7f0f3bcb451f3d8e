/// What stands in for the sound card of a silent device: a thread that mixes by the clock while there is a context, and looks at
/// all contexts after each block.
///
/// A thread of its own, because mixing takes what it takes, and no output is to wait for it. Nobody hears it.
final class Silence: Sendable {
  private struct State: Sendable {
    var clock = SilentClock()
    /// Those of the library.
    var contextCount = 0
    var isSuspended = false
    /// What the newest context asked for.
    var settings = OutputSettings()
    /// Those that are looked at; there is a thread while there are any.
    var contexts: [WatchedContext] = []
    var lastNumber = 0
    var isAtWork = false

    mutating func settle(at now: Int64) {
      if contextCount > 0, !isSuspended { clock.run(at: now) } else { clock.hold(at: now) }
    }
  }

  private enum Next {
    case after(nanoseconds: Int64)
    case whenRung
    case never
  }

  /// What a context gets that asks for none, where there is no other.
  private static let sampleRate = 48_000

  /// Nanoseconds for others to come by the device between two blocks, also when it is late.
  private static let leastRest: Int64 = 1_000_000

  let bell = Bell()
  private let state = Lock(State())

  /// The loudspeakers that the newest context asked for.
  var layout: ChannelLayout? { state.withLock { $0.settings.layout } }

  /// Settings with what the other contexts have where they ask for nothing, because the library wants to be asked for all.
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

  /// Time goes on for a context that got complete settings.
  func join(_ settings: OutputSettings) {
    state.withLock { state in
      state.settings = settings
      state.contextCount += 1
      state.settle(at: monotonicTime())
    }
  }

  /// A context has ended.
  func leave() {
    state.withLock { state in
      state.contextCount -= 1
      state.settle(at: monotonicTime())
    }
    bell.ring()
  }

  func setSuspended(_ isSuspended: Bool) {
    state.withLock { state in
      state.isSuspended = isSuspended
      state.settle(at: monotonicTime())
    }
    bell.ring()
  }

  /// Looks after a context from now on, for as long as it lives.
  func watch(_ context: AudioContext) {
    let isFirst = state.withLock { state in
      defer { state.isAtWork = true }
      state.lastNumber += 1
      state.contexts.append(WatchedContext(number: state.lastNumber, context: context))
      return !state.isAtWork
    }
    if isFirst, !startThread({ self.work() }) {
      // Tried again by the next context.
      state.withLock { $0.isAtWork = false }
    }
  }

  private func work() {
    while true {
      switch workOnce() {
      case .after(let nanoseconds): bell.wait(atMost: max(nanoseconds, Self.leastRest))
      case .whenRung: bell.wait()
      case .never: return
      }
    }
  }

  private func workOnce() -> Next {
    // Held for a block, no longer: whoever drops a context ends it.
    var contexts: [AudioContext] = []
    var gone: Set<Int> = []
    for watched in state.withLock({ $0.contexts }) {
      if let context = watched.context { contexts.append(context) } else { gone.insert(watched.number) }
    }
    let isOver = state.withLock { state in
      state.contexts.removeAll { gone.contains($0.number) }
      state.isAtWork = !state.contexts.isEmpty
      return !state.isAtWork
    }
    guard let device = contexts.first?.device else { return isOver ? .never : .after(nanoseconds: 0) }
    mix(on: device, at: monotonicTime()) {
      // Up to the next frame that a source of any of them waits for, where the library does not.
      contexts.compactMap { context in context.state.withLock { context.startWaitingSources(&$0) } }.min()
    }
    let looks = contexts.compactMap { $0.look(at: monotonicTime()) }
    // While time goes on, there is a look after each block.
    if let block = state.withLock({ $0.clock.wait(at: monotonicTime()) }) { return .after(nanoseconds: block) }
    return looks.min().map { .after(nanoseconds: $0) } ?? .whenRung
  }

  /// Mixes a block of a device, if one is due, in pieces that end where a closure says.
  ///
  /// By one thread at a time, while there is a context.
  func mix(on device: AudioDevice, at now: Int64, untilNextStart: () -> Int?) {
    var left = state.withLock { $0.clock.takeBlock(at: now, rate: device.handle.sampleRate) }
    while left > 0 {
      let frameCount = min(left, max(untilNextStart() ?? left, 1))
      let mixed = device.handle.discard(frameCount: frameCount)
      left -= mixed
      // Time stands still, and goes on there.
      if mixed < frameCount { break }
    }
    if left > 0 { state.withLock { $0.clock.giveBack(left) } }
  }
}
