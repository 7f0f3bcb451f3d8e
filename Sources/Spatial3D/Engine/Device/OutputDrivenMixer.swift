internal import AudioSupport
internal import Synchronization

/// The mixing thread of a processed device, and the output that plays the mix.
///
/// The thread exists while there is a context. It renders blocks of 512 frames, one in each step, where the output has
/// room, or by the clock while there is no output. See ``OutputPacer``.
final class OutputDrivenMixer: Sendable {
  private struct State: Sendable {
    var pacer: OutputPacer
    /// The rendered contexts; the thread runs while there are any.
    var contexts: [Weak<AudioContext>] = []
  }

  /// The time between two blocks in which other threads can use the device, also when the mix is late.
  private static let leastRest: Int64 = 250_000
  /// The time until another look at an output that calls back, or that refuses a source.
  private static let pollPeriod: Int64 = 20_000_000

  /// The format of the mix, which stays.
  let format: PCMFormat
  /// The output that plays the mix.
  let output: AudioDevice

  private let context: AudioContext
  private let player: MixPlayer
  /// The most frames ahead that the player has room for.
  private let capacity: Int
  private let loop: BackgroundLoop
  private let state: Lock<State>
  private let isTimeStopped = Atomic(false)
  private let isPlaying = Atomic(false)
  /// Whether a reader was too slow, and no later wait has found all streams filled.
  private let hasSlowStream = Atomic(false)
  private let slowStreams = Atomic(0)
  private let load: LoadRecord
  /// The block that the thread renders; the thread's own between two steps.
  private let block: Lock<Block>
  private let tokens = Lock<[NotificationToken]>([])

  private struct Block: Sendable {
    var mix: PCMBuffer<Float>
    /// Whether the output plays the block; `nil` for no block that a suspension has interrupted.
    var isPlayed: Bool?
    /// The time from which on the block waits for no reader.
    var streamDeadline: Int64 = 0
    /// The time that its rendering has taken before the interruption.
    var spent: Int64 = 0
  }

  /// A mixer for a context that is the output's only one, and plays nothing else.
  ///
  /// Throws if there is no memory.
  init(playingOn context: AudioContext, ahead: Duration?) throws(AudioError) {
    let granted = context.output
    let format = PCMFormat(sampleRate: granted.sampleRate, layout: granted.layout ?? .stereo)
    let limits = AheadLimits(ahead, format.sampleRate, period: context.framesPerMix)
    let loop = BackgroundLoop()
    guard
      let player = MixPlayer(on: context.handle, format: format, mostAhead: limits.capacity, wake: loop.semaphore)
    else { throw .noPlayer(on: context.device) }
    (self.format, self.context, self.player, self.loop) = (format, context, player, loop)
    load = LoadRecord(rate: format.sampleRate, block: OutputPacer.block)
    output = context.device
    capacity = limits.capacity
    // A queue plays buffers of a block each: it needs `ahead` in whole buffers.
    let margin = player.usesCallback ? OutputPacer.block / 2 : 0
    let (rate, ahead, growth) = (format.sampleRate, limits.ahead, limits.growth)
    state = Lock(State(pacer: OutputPacer(rate: rate, ahead: ahead, mostAhead: growth, margin: margin)))
    block = Lock(Block(mix: PCMBuffer(format: format)))
    output.playedMix.withLock { $0 = Weak(self) }
    let reference = Weak(self)
    let events = context.observe { reference.object?.forward($0) }
    let diagnostics = context.observeDiagnostics { reference.object?.forward($0) }
    // The device reports them, for the contexts of the program.
    context.onDiagnostic = { _ in }
    tokens.withLock { $0 = [events, diagnostics] }
  }

  /// The time that the mix waits for the output.
  var addedLatency: Duration {
    // A block waits for half a block on average. The thread sees later that a queue has room, and renders later for it.
    let wait = player.usesCallback ? OutputPacer.block / 2 : OutputPacer.block / 4
    return format.duration(ofFrames: state.withLock { $0.pacer.threshold } + wait)
  }

  /// The number of frames that the output asked for, and that were not there.
  var missedFrames: Int { player.missedFrames }

  /// The load of the thread, whose peak begins anew, and the gaps of the output; takes no lock.
  func takeLoad() -> MixLoad {
    let (mean, peak) = load.read()
    return MixLoad(mean: mean, peak: peak, missedFrames: player.missedFrames, underruns: player.underrunCount)
  }

  /// The time between two mixes of the output.
  var period: Duration { .nanoseconds(context.periodDuration) }

  /// Whether a wait for the reader of a stream has ended without its chunk.
  var hadSlowStream: Bool { slowStreams.load(ordering: .relaxed) > 0 }

  /// The time from the mix to the ear, as far as the library knows.
  var latency: Duration? { context.latency.map { $0 + addedLatency } }

  /// Whether the thread plays on an output, whose clock has to go on.
  var isPlayingOnOutput: Bool { isPlaying.load(ordering: .sequentiallyConsistent) }

  // MARK: Contexts

  /// Renders a context from now on, for as long as it lives.
  func add(_ context: AudioContext) {
    state.withLock { $0.contexts.append(Weak(context)) }
    // The next context tries again if the system starts no thread.
    loop.begin(wakes: true) { self.work() }
  }

  /// Takes the end of a context into account.
  func leave() { loop.signal() }

  private var livingContexts: [AudioContext] { state.withLock { $0.contexts }.compactMap(\.object) }

  // MARK: Suspension

  /// Whether time is stopped.
  var isStopped: Bool { isTimeStopped.load(ordering: .sequentiallyConsistent) }

  /// Stops time, or starts it; returns once no piece is rendered any more.
  ///
  /// The caller has no lock of a context. A closure of a tick may call it on the mixing thread, between two pieces.
  func setSuspended(_ isSuspended: Bool) {
    isTimeStopped.store(isSuspended, ordering: .sequentiallyConsistent)
    if isSuspended { for context in livingContexts { context.state.withLock { _ in } } }
    loop.signal()
  }

  // MARK: The output

  /// Pauses all sources, because the policy of the output asks for it.
  func pauseAll() { livingContexts.first?.device.pauseAll() }

  private func forward(_ event: ContextEvent) {
    loop.signal()
    for context in livingContexts { context.withState { $0.observation.post(event.kind) } }
  }

  private func forward(_ diagnostic: Diagnostic) { livingContexts.first?.report(diagnostic) }

  // MARK: Streams

  /// Waits until streams are filled; all waits of a block take at most a quarter of what is rendered ahead.
  ///
  /// After a reader was too slow, it waits no more until all streams are filled: the output would run dry otherwise.
  func waitForStreams(until areFilled: () -> Bool) {
    guard !areFilled() else { return hasSlowStream.store(false, ordering: .relaxed) }
    guard !hasSlowStream.load(ordering: .relaxed) else { return }
    let deadline = block.withLock { $0.streamDeadline }
    let pause = Semaphore()
    while monotonicTime() < deadline {
      pause.wait(atMost: 100_000)
      if areFilled() { return }
    }
    hasSlowStream.store(true, ordering: .relaxed)
    slowStreams.add(1, ordering: .relaxed)
  }

  // MARK: The thread

  private func work() -> BackgroundLoop.Next {
    // This thread keeps a context for one block, no longer: the last release of a context ends it.
    var present: AudioContext?
    var gone: [Weak<AudioContext>] = []
    for rendered in state.withLock({ $0.contexts }) {
      guard let context = rendered.object else {
        gone.append(rendered)
        continue
      }
      present = present ?? context
    }
    let isOver = state.withLock { state in
      state.contexts.removeAll { rendered in gone.contains { $0 === rendered } }
      return state.contexts.isEmpty
    }
    guard let first = present else {
      guard isOver else { return .after(Self.leastRest) }
      stopPlaying()
      holdTime()
      return .end
    }
    // An output that is suspended takes nothing, and a queue on it would wait for the output.
    guard !first.device.isMixingStopped else {
      holdTime()
      return .onSignal
    }
    // The pacer has taken the rest of an interrupted block into account.
    if let isPlayed = block.withLock({ $0.isPlayed }) { return renderBlock(by: first, isPlayed: isPlayed) }
    // One block a step: the end of a context is noticed on a machine of any speed.
    switch nextStep() {
    case .wait(let nanoseconds): return .after(nanoseconds)
    case .render: return renderBlock(by: first, isPlayed: true)
    case .discard: return renderBlock(by: first, isPlayed: false)
    }
  }

  private func holdTime() { state.withLock { $0.pacer.hold(at: monotonicTime()) } }

  private func nextStep() -> OutputPacer.Step {
    var reading: OutputPacer.Reading?
    if output.isOnOutput {
      // The time of the scene goes on by the clock while an output refuses a source.
      if preparePlayer() {
        let period = player.usesCallback ? Self.pollPeriod : context.periodDuration / 4
        reading = .init(queued: player.queuedFrames, missed: player.missedFrames, pollPeriod: period)
      }
    } else {
      stopPlaying()
    }
    let keepsTime = output.keepsTimeWithoutOutput
    return state.withLock { [reading] in
      $0.pacer.step(at: monotonicTime(), output: reading, keepsTime: keepsTime)
    }
  }

  /// Starts the player on an output that is new; returns whether it plays.
  private func preparePlayer() -> Bool {
    // The library may have moved the device to an output with another period, with its objects.
    let period = Int(Double(format.sampleRate) * Double(context.periodDuration) / 1e9)
    let threshold = state.withLock { state in
      state.pacer.keepAtLeast(min(2 * period, capacity))
      return state.pacer.threshold
    }
    player.setAhead(threshold)
    guard !isPlayingOnOutput || !player.isStarted else { return true }
    guard player.start() else { return false }
    isPlaying.store(true, ordering: .sequentiallyConsistent)
    output.beginWatchingClock()
    return true
  }

  /// Discards what the output has not played.
  private func stopPlaying() {
    guard isPlaying.exchange(false, ordering: .sequentiallyConsistent) else { return }
    player.stop()
  }

  /// Renders a block, or the rest of a block that a suspension has interrupted.
  private func renderBlock(by context: AudioContext, isPlayed: Bool) -> BackgroundLoop.Next {
    var mix = PCMBuffer<Float>(format: format)
    let start = monotonicTime()
    let deadline = start + Int64(state.withLock { $0.pacer.ahead }) * 250_000_000 / Int64(format.sampleRate)
    block.withLock { block in
      swap(&block.mix, &mix)
      (block.isPlayed, block.streamDeadline) = (isPlayed, deadline)
    }
    mix.reserveCapacity(frames: OutputPacer.block)
    while mix.frameCount < OutputPacer.block {
      let left = OutputPacer.block - mix.frameCount
      guard context.device.renderPiece(by: context.handle, atMost: left, appendingTo: &mix) > 0 else {
        block.withLock { [mix] in
          $0.mix = mix
          $0.spent += monotonicTime() - start
        }
        return .after(0)
      }
    }
    if isPlayed { _ = player.write(mix) }
    mix.removeAll(adopting: format)
    let spent = block.withLock { [mix] block in
      (block.mix, block.isPlayed) = (mix, nil)
      defer { block.spent = 0 }
      return block.spent
    }
    load.add(spent + monotonicTime() - start)
    return .after(Self.leastRest)
  }
}

extension AudioContext {
  /// The time between two mixes of a real output, in nanoseconds.
  fileprivate var periodDuration: Int64 { Int64(framesPerMix) * 1_000_000_000 / Int64(max(sampleRate, 1)) }
}

extension AudioError {
  fileprivate static func noPlayer(on device: AudioDevice) -> AudioError {
    AudioError(
      code: .contextUnavailable,
      operation: "play a mix",
      message: "the device \"\(device.name)\" has no memory for a player."
    )
  }
}
