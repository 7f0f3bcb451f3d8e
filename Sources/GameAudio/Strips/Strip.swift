internal import PCM
internal import SignalProcessing

/// The strip of a bus: inserts, a fader behind them, last stages and meters.
///
/// The owner makes chains on another thread, and hands them over with all of their memory.
///
/// Pure: no system call, and no allocation or release while it processes. A meter has a lock of its own.
struct Strip: ~Copyable, Sendable {
  /// A chain of the strip.
  enum Part: Hashable, Sendable, CaseIterable {
    /// The inserts, before the fader.
    case inserts
    /// The stages behind the fader.
    case lastStages
  }

  private var inserts: ChainExchange
  private var fader: Fader
  private var lastStages: ChainExchange
  private var meters: [MeterBox] = []
  /// Whether sound may be in the strip: no, before the first piece.
  private var hasBegun = false

  /// The frames in which the fader reaches a new gain: the time between two ticks.
  private static let fadeLength = MixTime.tick

  init(format: PCMFormat) {
    inserts = ChainExchange(Self.chain([], format))
    lastStages = ChainExchange(Self.chain([], format))
    fader = Fader(channelCount: format.channelCount)
  }

  /// A chain that has not played.
  static func chain(_ steps: [ProcessorStep], _ format: PCMFormat) -> AlignedChain {
    AlignedChain(ProcessorChain(steps, format: format))
  }

  /// Processes whole frames from a frame of the mix on.
  mutating func process(_ samples: inout MutableSpan<Float>, at frame: Int) {
    hasBegun = true
    inserts.process(&samples, at: frame)
    // A gain of 1 would take time, and change what is not finite.
    if !fader.isSettled || fader.target != 1 { fader.process(&samples) }
    lastStages.process(&samples, at: frame)
    for meter in meters { meter.append(samples.span) }
  }

  /// Moves the fader to a gain over a tick; at once where there is no sound.
  mutating func moveFader(to gain: Float) {
    fader.move(to: gain, over: hasBegun && !inserts.isResting ? Self.fadeLength : 0)
  }

  /// The frames by which the strip delays the sound.
  var latency: Int { inserts.latency + lastStages.latency }
}

// MARK: - Chains

extension Strip {
  /// Whether other steps of a part need a chain of their own.
  func needsChain(_ part: Part, for steps: [ProcessorStep]) -> Bool {
    switch part {
    case .inserts: isSilent(inserts) || !inserts.canGlide(to: steps)
    case .lastStages: isSilent(lastStages) || !lastStages.canGlide(to: steps)
    }
  }

  /// Changes a part to other steps, by a chain of these steps or by a glide, over so many frames at least.
  ///
  /// Where there is no sound in the part, the chain is in force at once. Returns `false` without an effect where a
  /// chain is needed, and `chain` is `nil`. Otherwise `chain` is a chain that the owner releases, or `nil`.
  mutating func set(
    _ part: Part,
    to steps: [ProcessorStep],
    by chain: inout AlignedChain?,
    over frameCount: Int
  ) -> Bool {
    switch part {
    case .inserts: Self.set(&inserts, isSilent: isSilent(inserts), to: steps, by: &chain, over: frameCount)
    case .lastStages: Self.set(&lastStages, isSilent: isSilent(lastStages), to: steps, by: &chain, over: frameCount)
    }
  }

  private func isSilent(_ exchange: borrowing ChainExchange) -> Bool { !hasBegun || exchange.isResting }

  private static func set(
    _ exchange: inout ChainExchange,
    isSilent: Bool,
    to steps: [ProcessorStep],
    by chain: inout AlignedChain?,
    over frameCount: Int
  ) -> Bool {
    if isSilent, !exchange.isExchanging, let next = chain.take() {
      chain = exchange.replace(by: next)
      return true
    }
    if exchange.set(steps, over: frameCount) { return true }
    guard let next = chain.take() else { return false }
    chain = exchange.exchange(to: next, over: frameCount)
    return true
  }

  /// Whether a chain has left, and waits for the owner.
  var hasRetired: Bool { inserts.hasRetired || lastStages.hasRetired }

  /// The chain that has left; the owner asks for faults first.
  mutating func takeRetired(_ part: Part) -> AlignedChain? {
    switch part {
    case .inserts: inserts.takeRetired()
    case .lastStages: lastStages.takeRetired()
    }
  }

  /// A fault of a processor of the program, once.
  mutating func takeFault() -> ChainFault? { inserts.takeFault() }

  /// The present change of the gain by the dynamics of a step, in decibels; `nil` for a step that the chain lacks.
  func gainChange(_ part: Part, ofStep index: StepIndex) -> Double? {
    switch part {
    case .inserts: inserts.gainChange(ofStep: index)
    case .lastStages: lastStages.gainChange(ofStep: index)
    }
  }
}

// MARK: - Meters

extension Strip {
  mutating func add(_ meter: MeterBox) { meters.append(meter) }

  mutating func remove(_ meter: MeterBox) { meters.removeAll { $0 === meter } }
}
