/// The position in its sound at which a virtual emitter returns to a voice.
public enum VirtualBehavior: String, Hashable, Sendable, CaseIterable, Codable {
  /// At the position that it would have reached with a voice, exact to the fraction of a frame.
  ///
  /// A sound that would have ended has ended, with its event.
  case elapsedTime
  /// At its beginning: for short loops whose phase nobody knows. Without a voice it never ends.
  case fromBeginning
  /// At the position at which it lost its voice: no part of a speech is missed. Without a voice it never ends.
  case resume
  /// Not at all: an emitter that loses its voice, or has none to begin with, ends with the reason
  /// ``EmitterEvent/Reason/stolen``.
  case stop
}

extension VirtualBehavior {
  /// Whether the clock of a virtual emitter stops.
  var stopsClock: Bool { self == .fromBeginning || self == .resume }
}
