internal import SignalProcessing

/// A change of a part of a strip, which a tick performs.
struct StripChange: ~Copyable, Sendable {
  let steps: [ProcessorStep]
  /// The frames of a glide or a crossfade.
  let frameCount: Int
  /// A chain of the steps, where one is needed.
  var chain: AlignedChain?

  init(steps: [ProcessorStep], frameCount: Int) { (self.steps, self.frameCount) = (steps, frameCount) }
}

/// The newest change of each part of a strip.
struct StripChanges: ~Copyable, Sendable {
  private var entry: StripChange?
  private var inserts: StripChange?
  private var leveler: StripChange?
  private var limiter: StripChange?
  private var exit: StripChange?

  /// Exchanges the change of a part for another change.
  mutating func swapChange(of part: Strip.Part, with change: inout StripChange?) {
    switch part {
    case .entry: swap(&entry, &change)
    case .exit: swap(&exit, &change)
    case .inserts: swap(&inserts, &change)
    case .leveler: swap(&leveler, &change)
    case .limiter: swap(&limiter, &change)
    }
  }
}

/// A chain that a change has replaced, until another thread releases it.
final class ReplacedChain: Sendable {
  private let chain: AlignedChain

  init(_ chain: consuming AlignedChain) { self.chain = chain }
}
