internal import PCM

/// A chain, and a delay behind it up to a latency that its owner chooses.
///
/// Branches of a mix are aligned to the latest branch. With the delay, chains of different latencies exchange each
/// other at one latency.
package struct AlignedChain: ~Copyable, Sendable {
  /// The number of frames by which sound leaves later than it enters.
  ///
  /// Constant: for another latency the owner makes another chain, and exchanges both by a ``ChainExchange``. The delay
  /// behind the chain is at most ``DelayLine/longest``.
  package let latency: Int
  package private(set) var chain: ProcessorChain
  private var line: DelayLine
  private let channelCount: Int
  /// The frames since the chain rests, up to the delay at least.
  private var restingFrames: Int

  /// A chain whose sound is late by `latency` frames; by its own latency if this is larger.
  package init(_ chain: consuming ProcessorChain, latency: Int = 0) {
    channelCount = ProcessingLimits.channelCount(chain.format.channelCount)
    // The latency of the chain is 0 or more, so the difference is a number.
    line = DelayLine(delay: max(latency, 0) - chain.latency, channelCount: channelCount)
    self.latency = chain.latency + line.delay
    restingFrames = line.delay
    self.chain = chain
  }

  /// The number of silent frames after which the output is exactly 0, see ``ProcessorChain/tail``.
  package var tail: Int? { chain.tail.map { $0 + line.delay } }

  /// Whether the chain rests, and its sound has left the delay.
  package var isResting: Bool { chain.isResting && restingFrames >= line.delay }

  /// Whether no sound is in the chain and in the delay behind it.
  package var isSilent: Bool { chain.isSilent && restingFrames >= line.delay }

  package mutating func set(_ steps: [ProcessorStep], over frameCount: Int) -> Bool {
    chain.set(steps, over: frameCount)
  }

  /// Processes whole frames as ``ProcessorChain/process(_:keys:at:)`` does.
  package mutating func process(_ samples: inout MutableSpan<Float>, keys: Span<Float> = Span(), at frame: Int) {
    let frameCount = samples.count / channelCount
    process(&samples, keys: keys, chain.part(ofKeys: keys.count, frameCount: frameCount), at: frame)
  }

  /// Processes whole frames by a part of a block of keys.
  mutating func process(_ samples: inout MutableSpan<Float>, keys: Span<Float>, _ part: KeyPart, at frame: Int) {
    guard line.delay > 0 else { return chain.process(&samples, keys: keys, part, at: frame) }
    var first = 0
    while first < part.count {
      // A piece of a chain rests as a whole, or does not rest.
      let count = min(ChainBlock.longest, part.count - first)
      var piece = samples._mutatingExtracting(first * channelCount..<(first + count) * channelCount)
      chain.process(&piece, keys: keys, part.part(first, count: count), at: frame + first)
      delay(&piece, count: count)
      first += count
    }
  }

  /// Delays the sound of a piece.
  private mutating func delay(_ piece: inout MutableSpan<Float>, count: Int) {
    if !chain.isResting { restingFrames = 0 }
    guard restingFrames < line.delay else { return }
    line.process(&piece)
    if chain.isResting { restingFrames += count }
  }

  package mutating func takeFault() -> ChainFault? { chain.takeFault() }
}
