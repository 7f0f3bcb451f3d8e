internal import Spatial3D

/// An event in the life of an emitter.
@nonexhaustive
public enum EmitterEvent: Hashable, Sendable {
  /// The sound is over, for a reason. Each ``Emitter/play()`` that begins a sound ends once.
  case ended(Reason)
  /// The sound has started over this many times since the last such event.
  case looped(Int)
  /// The emitter has a voice now.
  case becameReal
  /// The emitter has lost its voice, and goes on without one.
  case becameVirtual

  /// The cause of an end.
  public enum Reason: String, Hashable, Sendable, CaseIterable, Codable {
    /// The sound and its repetitions were over.
    case played
    /// The program stopped it, released it, or played it again.
    case stopped
    /// A limit or the choice of the voices ended it in favour of another emitter.
    case stolen
    /// A limit did not let it begin.
    case refused
    /// Its sound could not be loaded; `AudioContext.onDiagnostic` has the sentence.
    case failed
  }
}

extension EmitterEvent: CustomStringConvertible {
  /// The event in words, such as `ended (played)`.
  public var description: String {
    switch self {
    case .ended(let reason): "ended (\(reason))"
    case .looped(let count): "looped \(count)×"
    case .becameReal: "became real"
    case .becameVirtual: "became virtual"
    }
  }
}

extension EmitterEvent: Coalescing {
  package var isJoinable: Bool { if case .ended = self { false } else { true } }

  package var isCount: Bool { if case .looped = self { true } else { false } }

  /// Ends are never joined.
  package func joined(with later: EmitterEvent) -> EmitterEvent? {
    switch (self, later) {
    case (.looped(let count), .looped(let more)): .looped(count + more)
    case (.becameReal, .becameReal), (.becameVirtual, .becameVirtual): later
    default: nil
    }
  }
}
