internal import PCM
internal import SignalProcessing

/// The strip of a bus: inserts, a leveler, a fader, a limiter, meters and taps, and delays before and behind them.
///
/// The owner makes chains on another thread, and hands them over with all of their memory.
///
/// No allocation or release while it processes. A meter has a lock of its own, and a tap wakes its thread.
struct Strip: ~Copyable, Sendable {
  /// A chain of the strip.
  enum Part: Hashable, Sendable, CaseIterable {
    /// The delay of the sounds of the bus, which aligns them with the sums of the buses inside it.
    case entry
    /// The inserts.
    case inserts
    /// The leveler: before the fader, so that it does not work against a slider of the game.
    case leveler
    /// The limiter, behind the fader.
    case limiter
    /// The delay of the sum, which aligns it with the sums beside it.
    case exit
  }

  private var entry: ChainExchange
  private var inserts: ChainExchange
  private var leveler: ChainExchange
  private var fader: Fader
  private var limiter: ChainExchange
  private var exit: ChainExchange
  private var meters: [MeterBox] = []
  private(set) var taps: [StripTap] = []
  /// Whether sound may be in the strip: no, before the first piece.
  private var hasBegun = false

  /// The frames in which the fader reaches a new gain: the time between two ticks.
  private static let fadeLength = MixTime.tick

  init(format: PCMFormat) {
    entry = ChainExchange(Self.chain([], format))
    inserts = ChainExchange(Self.chain([], format))
    leveler = ChainExchange(Self.chain([], format))
    limiter = ChainExchange(Self.chain([], format))
    exit = ChainExchange(Self.chain([], format))
    fader = Fader(channelCount: format.channelCount)
  }

  /// A chain that has not played.
  static func chain(_ steps: [ProcessorStep], _ format: PCMFormat) -> AlignedChain {
    AlignedChain(ProcessorChain(steps, format: format))
  }

  /// Delays whole frames of the sounds of the bus, from a frame of the mix on.
  mutating func enter(_ samples: inout MutableSpan<Float>, at frame: Int) {
    hasBegun = true
    if entry.latency > 0 || entry.isExchanging { entry.process(&samples, at: frame) }
  }

  /// Processes whole frames of the sum, from a frame of the mix on.
  mutating func process(_ samples: inout MutableSpan<Float>, at frame: Int) {
    hasBegun = true
    write(samples.span, at: frame, to: .beforeInserts)
    inserts.process(&samples, at: frame)
    write(samples.span, at: frame, to: .afterInserts)
    leveler.process(&samples, at: frame)
    // A gain of 1 would take time, and change what is not finite.
    if !fader.isSettled || fader.target != 1 { fader.process(&samples) }
    limiter.process(&samples, at: frame)
    if exit.latency > 0 || exit.isExchanging { exit.process(&samples, at: frame) }
    for meter in meters { meter.append(samples.span) }
    write(samples.span, at: frame, to: .afterFader)
  }

  private func write(_ samples: Span<Float>, at frame: Int, to point: TapPoint) {
    for tap in taps where tap.point == point { tap.write(samples, at: frame) }
  }

  /// Moves the fader to a gain over a tick; at once where there is no sound.
  mutating func moveFader(to gain: Float) { fader.move(to: gain, over: isSilent(leveler) ? 0 : Self.fadeLength) }

  /// The frames by which the strip delays the sum.
  var latency: Int { inserts.latency + leveler.latency + limiter.latency + exit.latency }

  /// The frames by which the strip delays the sounds of the bus before the sum.
  var entryLatency: Int { entry.latency }

  /// Whether no sound is in the strip, and none came in with the last piece.
  var isResting: Bool {
    (entry.isResting || entry.latency == 0) && inserts.isResting && leveler.isResting && limiter.isResting
      && (exit.isResting || exit.latency == 0)
  }

  /// Whether silence stays silence without the strip.
  ///
  /// A processor keeps something of silence, such as the phase of a chorus.
  var isIdle: Bool {
    isResting && inserts.isEmpty && leveler.isEmpty && limiter.isEmpty && !entry.isExchanging && !exit.isExchanging
      && !hasRetired && meters.isEmpty && taps.isEmpty && fader.isSettled
  }
}

// MARK: - Chains

extension Strip {
  private func isSilent(_ exchange: borrowing ChainExchange) -> Bool { !hasBegun || exchange.isSilent }

  /// Whether other steps of a part need a chain of their own: before the first piece, and where no glide reaches them.
  func needsChain(_ part: Part, for steps: [ProcessorStep]) -> Bool {
    guard hasBegun else { return true }
    return switch part {
    // Each delay is another chain.
    case .entry, .exit: true
    case .inserts: !inserts.canGlide(to: steps)
    case .leveler: !leveler.canGlide(to: steps)
    case .limiter: !limiter.canGlide(to: steps)
    }
  }

  /// Changes a part to other steps, by a chain of these steps or by a glide, over so many frames at least.
  ///
  /// A part without sound has the chain at once. Then `chain` is a chain that the owner releases, or `nil`. Returns
  /// `false` without a change where no chain is given and no glide reaches the steps.
  mutating func set(
    _ part: Part,
    to steps: [ProcessorStep],
    by chain: inout AlignedChain?,
    over frameCount: Int
  ) -> Bool {
    guard chain != nil || !needsChain(part, for: steps) else { return false }
    switch part {
    case .entry: Self.set(&entry, isSilent: isSilent(entry), to: steps, by: &chain, over: frameCount)
    case .exit: Self.set(&exit, isSilent: isSilent(exit), to: steps, by: &chain, over: frameCount)
    case .inserts: Self.set(&inserts, isSilent: isSilent(inserts), to: steps, by: &chain, over: frameCount)
    case .leveler: Self.set(&leveler, isSilent: isSilent(leveler), to: steps, by: &chain, over: frameCount)
    case .limiter: Self.set(&limiter, isSilent: isSilent(limiter), to: steps, by: &chain, over: frameCount)
    }
    return true
  }

  private static func set(
    _ exchange: inout ChainExchange,
    isSilent: Bool,
    to steps: [ProcessorStep],
    by chain: inout AlignedChain?,
    over frameCount: Int
  ) {
    if let next = chain.take() {
      let isReplaced = isSilent && !exchange.isExchanging
      chain = isReplaced ? exchange.replace(by: next) : exchange.exchange(to: next, over: frameCount)
    } else {
      _ = exchange.set(steps, over: frameCount)
    }
  }

  /// Whether a chain has left, and waits for the owner.
  var hasRetired: Bool {
    entry.hasRetired || inserts.hasRetired || leveler.hasRetired || limiter.hasRetired || exit.hasRetired
  }

  /// The chain that has left; the owner asks for faults first.
  mutating func takeRetired(_ part: Part) -> AlignedChain? {
    switch part {
    case .entry: entry.takeRetired()
    case .exit: exit.takeRetired()
    case .inserts: inserts.takeRetired()
    case .leveler: leveler.takeRetired()
    case .limiter: limiter.takeRetired()
    }
  }

  /// A fault of a processor of the program, once.
  mutating func takeFault() -> ChainFault? { inserts.takeFault() }

  /// The present change of the gain by the dynamics of an insert, in decibels; `nil` for an insert without a step.
  func gainChange(ofInsert index: StepIndex) -> Double? { inserts.gainChange(ofStep: index) }
}

// MARK: - Meters and taps

extension Strip {
  mutating func add(_ meter: MeterBox) { meters.append(meter) }

  mutating func remove(_ meter: MeterBox) { meters.removeAll { $0 === meter } }

  mutating func add(_ tap: StripTap) { taps.append(tap) }

  /// Removes a tap, which keeps the frames so far; returns whether the strip had it.
  mutating func remove(_ tap: StripTap) -> Bool {
    guard let index = taps.firstIndex(where: { $0 === tap }) else { return false }
    taps.remove(at: index)
    tap.ring.publish()
    return true
  }
}
