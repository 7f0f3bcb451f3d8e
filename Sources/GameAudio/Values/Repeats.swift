/// How often a sound repeats after it has played once.
///
/// An integer literal is a number of repetitions, and -1 stands for ``forever``, as `numberOfLoops` of AVAudioPlayer.
public enum Repeats: Hashable, Sendable {
  /// The sound plays this many times more: `.times(3)` plays four times. A value below 0 counts as 0.
  case times(Int)
  /// The sound repeats until it is stopped.
  case forever
}

extension Repeats {
  /// The repetitions with another number of times; those without an end as they are.
  func mapTimes(_ body: (Int) -> Int) -> Repeats {
    switch self {
    case .times(let count): .times(body(count))
    case .forever: .forever
    }
  }
}

extension Repeats: ExpressibleByIntegerLiteral {
  /// A number of repetitions; a negative one stands for ``forever``.
  public init(integerLiteral value: Int) {
    self = value < 0 ? .forever : .times(value)
  }
}
