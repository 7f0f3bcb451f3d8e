public import Spatial3D

/// The reason why an emitter or a player has no voice, in an ``Explanation`` and in a ``WorldSnapshot``.
///
/// In a file it is an object, such as `{"cause": "outranked", "lacking": "6.2 dB"}`.
@nonexhaustive
public enum SilenceReason: Hashable, Sendable {
  /// It was not played, or it has ended.
  case notPlaying
  /// Its start lies ahead, or a limit keeps it virtual.
  case waiting
  /// Its sound is being loaded.
  case loading
  /// It is paused, by the named thing.
  case paused(by: String)
  /// It is muted, by the named thing.
  case muted(by: String)
  /// Another bus is soloed, and none of its own.
  case soloedElsewhere
  /// The audio session that the world follows silences it: it is not active, interrupted, or in the background.
  case silencedBySession
  /// The context is suspended.
  case suspended(SuspensionReason)
  /// It is below -80 dB at the listener, by this many decibels.
  case tooQuiet(by: Decibels)
  /// It is farther away than its sound's ``Sound/silentBeyond``.
  case beyondReach
  /// Others are chosen before it; it lacks this many decibels to the last of them.
  ///
  /// With 0 dB it has its voice at the next choice.
  case outranked(by: Decibels)

  /// The decibels that it lacks for a voice; `nil` where no level would help.
  public var lacking: Decibels? {
    switch self {
    case .tooQuiet(let level), .outranked(let level): level
    case .notPlaying, .waiting, .loading, .paused, .muted, .soloedElsewhere, .silencedBySession, .suspended,
      .beyondReach:
      nil
    }
  }
}

extension SilenceReason: CustomStringConvertible {
  /// The reason in words, such as `needs 6.2 dB more for a voice`.
  public var description: String {
    switch self {
    case .notPlaying: "it does not play"
    case .waiting: "it waits for its start, or for a limit"
    case .loading: "its sound is being loaded"
    case .paused(let cause): "paused by \(cause)"
    case .muted(let cause): "muted by \(cause)"
    case .soloedElsewhere: "another bus is soloed"
    case .silencedBySession:
      "the audio session silences the world: it is not active (call activate()), is interrupted, or"
        + " is in the background"
    case .suspended(let reason): "the context is suspended (\(reason))"
    case .tooQuiet(let level):
      level.rawValue.isFinite ? "\(level.rounded) too quiet to have a voice" : "one of its factors is silence"
    case .beyondReach: "farther away than its sound reaches"
    case .outranked(let level):
      level.rawValue >= 0.05 ? "needs \(level.rounded) more for a voice" : "gets a voice at the next choice"
    }
  }
}

extension SilenceReason {
  /// The names of the cases in files.
  private enum Cause: String, Codable {
    case notPlaying, waiting, loading, paused, muted, soloedElsewhere, silencedBySession, suspended, tooQuiet
    case beyondReach, outranked
  }

  /// The case, and the thing that silences the sound, such as the name of a bus.
  private var kind: (cause: Cause, thing: String?) {
    switch self {
    case .notPlaying: (.notPlaying, nil)
    case .waiting: (.waiting, nil)
    case .loading: (.loading, nil)
    case .paused(let thing): (.paused, thing)
    case .muted(let thing): (.muted, thing)
    case .soloedElsewhere: (.soloedElsewhere, nil)
    case .silencedBySession: (.silencedBySession, nil)
    case .suspended(let reason): (.suspended, "\(reason)")
    case .tooQuiet: (.tooQuiet, nil)
    case .beyondReach: (.beyondReach, nil)
    case .outranked: (.outranked, nil)
    }
  }

  /// The reason without the level that is lacking, which changes by itself.
  var kindInWords: String { kind.cause.rawValue + (kind.thing.map { " by \($0)" } ?? "") }

  /// The reason with its level to 10⁻⁶: the same scene gives the same text.
  var atMicro: SilenceReason {
    switch self {
    case .tooQuiet(let level): .tooQuiet(by: level.atMicro)
    case .outranked(let level): .outranked(by: level.atMicro)
    default: self
    }
  }
}

extension SilenceReason: Codable {
  private enum Key: String, CodingKey { case cause, by, lacking }

  /// Decodes an object with a cause, and the thing or the level where the cause has one.
  public init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    func thing() throws -> String { try values.decode(String.self, forKey: .by) }
    func level() throws -> Decibels { try values.decode(Decibels.self, forKey: .lacking) }
    self =
      switch try values.decode(Cause.self, forKey: .cause) {
      case .notPlaying: .notPlaying
      case .waiting: .waiting
      case .loading: .loading
      case .paused: .paused(by: try thing())
      case .muted: .muted(by: try thing())
      case .soloedElsewhere: .soloedElsewhere
      case .silencedBySession: .silencedBySession
      case .suspended: .suspended(SuspensionReason(try thing()))
      case .tooQuiet: .tooQuiet(by: try level())
      case .beyondReach: .beyondReach
      case .outranked: .outranked(by: try level())
      }
  }

  /// Encodes the cause, and the thing or the level where it has one.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: Key.self)
    try values.encode(kind.cause, forKey: .cause)
    try values.encodeIfPresent(kind.thing, forKey: .by)
    try values.encodeIfPresent(lacking, forKey: .lacking)
  }
}
