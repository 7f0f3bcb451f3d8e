/// The part of a decay that a reverberation time is read from.
///
/// All parts give the time to fall by 60 dB. They are defined in ISO 3382-1:2009 and ISO 3382-2:2008.
public enum DecayRange: Hashable, Sendable, CaseIterable {
  /// From 0 to -10 dB, the early decay time (EDT): the reverberation that is audible while the music goes on.
  case earlyDecay

  /// From -5 to -25 dB, T20: the usual range.
  case t20

  /// From -5 to -35 dB, T30.
  case t30

  /// The levels at which the part begins and ends, in decibels.
  var bounds: (upper: Double, lower: Double) {
    switch self {
    case .earlyDecay: (0, -10)
    case .t20: (-5, -25)
    case .t30: (-5, -35)
    }
  }
}

extension DecayRange: CustomStringConvertible {
  /// The usual abbreviation, such as `"T20"`.
  public var description: String {
    switch self {
    case .earlyDecay: "EDT"
    case .t20: "T20"
    case .t30: "T30"
    }
  }
}
