internal import PCM

/// The chain of a bus, and its exchange for another chain while sound plays.
///
/// The next chain warms up: its input rises over 10 ms, and its latency passes. Then the sound crosses over to it, with
/// linear gains. Both chains run meanwhile. One more chain may wait, the newest one.
///
/// Between chains of equal latencies nothing moves in time: an owner that aligns branches gives each new chain the
/// latency of the branch, see ``AlignedChain``. Between different latencies the latency changes with the fade; there is
/// no click, but for the length of the fade the sound is its sum with itself a little later.
///
/// The chain that has left waits for the owner, who releases it on another thread.
///
/// An exchange costs two chains instead of one, for 10 ms, the latency of the next chain, and the fade.
///
/// Pure: no system call, no lock, and no allocation or release after `init`.
package struct ChainExchange: ~Copyable, Sendable {
  private var present: AlignedChain
  private var next: AlignedChain?
  private var waiting: AlignedChain?
  private var retired: AlignedChain?
  private var waitingLength = 0
  private var warmUp: WarmUp
  private var fade: CrossFade
  private var fadeLength = 0
  private let channelCount: Int
  private let shortestFade: Int
  /// The sound of the next chain.
  private var scratch: [Float]

  package init(_ chain: consuming AlignedChain) {
    let format = chain.chain.format
    channelCount = ProcessingLimits.channelCount(format.channelCount)
    shortestFade = ChainBlock.shortestFade(sampleRate: format.sampleRate)
    scratch = Array(repeating: 0, count: ChainBlock.longest * channelCount)
    (warmUp, fade) = (WarmUp(channelCount: channelCount), CrossFade(channelCount: channelCount))
    present = chain
  }

  /// Whether another chain warms up, fades in, or waits.
  package var isExchanging: Bool { next != nil || waiting != nil }

  /// The number of frames by which the present chain delays the sound; it changes when a fade ends.
  package var latency: Int { present.latency }

  /// The number of silent frames after which the output is exactly 0.
  ///
  /// `nil` if a chain has no such number, see ``ProcessorChain/tail``.
  package var tail: Int? {
    guard let tail = present.tail else { return nil }
    switch next {
    case .some(let next): return next.tail.map { max($0, tail) }
    case .none: return tail
    }
  }

  /// Whether the present chain has no steps, and no other chain comes.
  package var isEmpty: Bool { !isExchanging && present.chain.isEmpty }

  /// Whether the last frames were skipped, no sound is left, and no chain waits; also before the first frames.
  package var isResting: Bool { !isExchanging && present.isResting }

  /// Whether no sound is left, and no chain waits; a chain that glides in silence does not rest.
  package var isSilent: Bool { !isExchanging && present.isSilent }

  /// The present change of the gain by the dynamics of a step, in decibels, of the chain that is played.
  ///
  /// `nil` for a step that this chain does not have: the newest list of the owner may be longer.
  package func gainChange(ofStep index: StepIndex) -> Double? { present.chain.gainChange(ofStep: index) }

  /// Whether a chain still uses objects of former steps, see ``ProcessorChain/holdsFormerSteps``.
  package var holdsFormerSteps: Bool {
    let isHeld = (present.chain.holdsFormerSteps, Self.holds(next), Self.holds(waiting))
    return isHeld.0 || isHeld.1 || isHeld.2
  }

  private static func holds(_ chain: borrowing AlignedChain?) -> Bool {
    switch chain {
    case .some(let chain): chain.chain.holdsFormerSteps
    case .none: false
    }
  }

  /// Whether ``set(_:over:)`` reaches steps in the newest chain.
  package func canGlide(to steps: [ProcessorStep]) -> Bool {
    if let isReached = Self.canGlide(waiting, to: steps) { return isReached }
    if let isReached = Self.canGlide(next, to: steps) { return isReached }
    return present.chain.canGlide(to: steps)
  }

  private static func canGlide(_ chain: borrowing AlignedChain?, to steps: [ProcessorStep]) -> Bool? {
    switch chain {
    case .some(let chain): chain.chain.canGlide(to: steps)
    case .none: nil
    }
  }

  /// Replaces the chain at once, and returns it; the owner does so while no sound is in it, see ``isSilent``.
  package mutating func replace(by chain: consuming AlignedChain) -> AlignedChain {
    precondition(!isExchanging, "a chain is exchanged")
    check(chain)
    var other = chain
    swap(&present, &other)
    return other
  }

  /// Traps for a chain of another format.
  private func check(_ chain: borrowing AlignedChain) {
    precondition(chain.chain.format == present.chain.format, "the chains have different formats")
    precondition(
      chain.chain.keyChannelCount == present.chain.keyChannelCount,
      "the keys of the chains have different numbers of channels"
    )
  }

  /// Begins to exchange the chain, with a fade over so many frames, and at least 10 ms.
  ///
  /// During another exchange the chain waits. Returns the chain that has waited so far, which the owner releases. Both
  /// chains have one format, and keys of one number of channels.
  package mutating func exchange(to chain: consuming AlignedChain, over frameCount: Int) -> AlignedChain? {
    check(chain)
    let replaced = waiting.take()
    waiting = consume chain
    waitingLength = min(max(frameCount, shortestFade), ProcessorChain.longestGlide)
    return replaced
  }

  /// Whether a chain has left, and waits for the owner.
  package var hasRetired: Bool { retired != nil }

  /// The chain that has left, once after each exchange; the next exchange waits for this call.
  ///
  /// The owner asks for faults first.
  package mutating func takeRetired() -> AlignedChain? { retired.take() }

  /// Glides to other steps in the newest chain; returns `false` without an effect if that chain refuses them.
  package mutating func set(_ steps: [ProcessorStep], over frameCount: Int) -> Bool {
    if let isSet = waiting?.set(steps, over: frameCount) { return isSet }
    if let isSet = next?.set(steps, over: frameCount) { return isSet }
    return present.set(steps, over: frameCount)
  }

  /// A fault that was not taken yet, of the chain that is played, of the next chain, or of the chain that has left.
  package mutating func takeFault() -> ChainFault? {
    if let fault = present.takeFault() { return fault }
    if let fault = next?.takeFault() ?? nil { return fault }
    return retired?.takeFault() ?? nil
  }

  /// Processes whole frames as ``ProcessorChain/process(_:keys:at:)`` does.
  ///
  /// A chain that waits begins with the block, and not before the owner has taken the chain that has left.
  package mutating func process(_ samples: inout MutableSpan<Float>, keys: Span<Float> = Span(), at frame: Int) {
    if next == nil, retired == nil, let chain = waiting.take() { begin(chain) }
    let frameCount = samples.count / channelCount
    let block = present.chain.part(ofKeys: keys.count, frameCount: frameCount)
    var first = 0
    if var chain = next.take() {
      // The warm-up and the fade end at a frame, wherever blocks end.
      while first < frameCount, framesLeft > 0 {
        let count = min(framesLeft, ChainBlock.longest, frameCount - first)
        var piece = samples._mutatingExtracting(first * channelCount..<(first + count) * channelCount)
        cross(&piece, to: &chain, keys: keys, block.part(first, count: count), at: frame + first)
        first += count
      }
      if framesLeft > 0 { return next = consume chain }
      swap(&present, &chain)
      retired = consume chain
    }
    guard first < frameCount else { return }
    var rest = samples._mutatingExtracting(first * channelCount..<frameCount * channelCount)
    present.process(&rest, keys: keys, block.part(first, count: frameCount - first), at: frame + first)
  }

  /// The frames until the warm-up or the fade ends.
  private var framesLeft: Int { warmUp.remaining > 0 ? warmUp.remaining : fade.remaining }

  /// Processes frames of both chains, up to the end of the warm-up or the fade at most.
  private mutating func cross(
    _ samples: inout MutableSpan<Float>,
    to chain: inout AlignedChain,
    keys: Span<Float>,
    _ part: KeyPart,
    at frame: Int
  ) {
    let isWarm = warmUp.remaining == 0
    // Out of `self` for the time of a span, which excludes all other uses of `self`.
    var memory: [Float] = []
    swap(&memory, &scratch)
    defer { swap(&memory, &scratch) }
    var span = memory.mutableSpan
    var other = span._mutatingExtracting(0..<samples.count)
    samples.span.copy(to: &other)
    if !isWarm { warmUp.process(&other) }
    chain.process(&other, keys: keys, part, at: frame)
    present.process(&samples, keys: keys, part, at: frame)
    if isWarm {
      fade.process(&samples, with: other.span)
    } else if warmUp.remaining == 0 {
      fade.move(to: 1, over: fadeLength)
    }
  }

  private mutating func begin(_ chain: consuming AlignedChain) {
    warmUp.begin(rise: shortestFade, latency: chain.latency)
    fade.move(to: 0, over: 0)
    fadeLength = waitingLength
    next = consume chain
  }
}
