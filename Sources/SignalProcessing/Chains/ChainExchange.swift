internal import PCM

/// A chain, and a delay behind it up to a latency that its owner chooses.
///
/// Branches of a mix are aligned to the latest branch. With the delay, chains of different latencies exchange each
/// other at one latency.
package struct AlignedChain: ~Copyable, Sendable {
  /// The number of frames by which sound leaves later than it enters; constant.
  package let latency: Int
  package private(set) var chain: ProcessorChain
  private var line: DelayLine
  private let channelCount: Int
  /// The frames since the chain rests.
  private var restingFrames = 0

  /// A chain whose sound is late by `latency` frames; by its own latency if this is larger.
  package init(_ chain: consuming ProcessorChain, latency: Int = 0) {
    channelCount = ProcessingLimits.channelCount(chain.format.channelCount)
    line = DelayLine(delay: max(latency - chain.latency, 0), channelCount: channelCount)
    self.latency = chain.latency + line.delay
    self.chain = chain
  }

  /// The number of silent frames after which the output is exactly 0.
  package var tail: Int { chain.tail + line.delay }

  package mutating func set(_ steps: [ProcessorStep], over frameCount: Int) -> Bool {
    chain.set(steps, over: frameCount)
  }

  package mutating func process(_ samples: inout MutableSpan<Float>, keys: Span<Float> = Span(), at frame: Int = 0) {
    let frameCount = samples.count / channelCount
    process(&samples, keys: keys, chain.part(ofKeys: keys.count, frameCount: frameCount), at: frame)
  }

  /// Processes whole frames by a part of a block of keys.
  mutating func process(_ samples: inout MutableSpan<Float>, keys: Span<Float>, _ part: KeyPart, at frame: Int) {
    chain.process(&samples, keys: keys, part, at: frame)
    guard line.delay > 0 else { return }
    if !chain.isResting { restingFrames = 0 }
    if restingFrames < line.delay {
      line.process(&samples)
      if chain.isResting { restingFrames += part.count }
    }
  }

  package mutating func takeFault() -> ChainFault? { chain.takeFault() }
}

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
  package var tail: Int {
    switch next {
    case .some(let next): max(present.tail, next.tail)
    case .none: present.tail
    }
  }

  /// Whether the last frames were skipped.
  package var isResting: Bool { next == nil && present.chain.isResting }

  /// The present change of the gain by the dynamics of a step, in decibels, of the chain that is played.
  package func gainChange(ofStep index: Int) -> Double { present.chain.gainChange(ofStep: index) }

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

  /// Begins to exchange the chain, with a fade over so many frames, and at least 10 ms.
  ///
  /// During another exchange the chain waits. Returns the chain that has waited so far, which the owner releases.
  package mutating func exchange(to chain: consuming AlignedChain, over frameCount: Int) -> AlignedChain? {
    precondition(chain.chain.format == present.chain.format, "the chains have different formats")
    let replaced = waiting.take()
    waiting = consume chain
    waitingLength = max(frameCount, shortestFade)
    return replaced
  }

  /// The chain that has left, once after each exchange; the next exchange waits for this call.
  package mutating func takeRetired() -> AlignedChain? { retired.take() }

  /// Glides to other steps in the newest chain; returns `false` without an effect if that chain refuses them.
  package mutating func set(_ steps: [ProcessorStep], over frameCount: Int) -> Bool {
    if let isSet = waiting?.set(steps, over: frameCount) { return isSet }
    if let isSet = next?.set(steps, over: frameCount) { return isSet }
    return present.set(steps, over: frameCount)
  }

  /// A step of the chain that is played, or else of the next one, which has returned an unusable sample.
  package mutating func takeFault() -> ChainFault? {
    present.takeFault() ?? next?.takeFault() ?? nil
  }

  /// Processes whole frames as ``ProcessorChain/process(_:keys:at:)`` does.
  ///
  /// A chain that waits begins with the block, and not before the owner has taken the chain that has left.
  package mutating func process(_ samples: inout MutableSpan<Float>, keys: Span<Float> = Span(), at frame: Int = 0) {
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
