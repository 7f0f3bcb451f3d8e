public import Spatial3D

extension Diagnostic.Code {
  /// A sound could not be loaded or opened; its emitters end with the reason ``EmitterEvent/Reason/failed``.
  public static let soundUnavailable = Diagnostic.Code(name: "soundUnavailable")

  /// A sound of several channels was mixed down to one for its emitters with a place.
  public static let soundMixedDown = Diagnostic.Code(name: "soundMixedDown")

  /// More emitters have the priority ``Priority/mustBeHeard`` than there are voices.
  public static let tooManyEssentialSounds = Diagnostic.Code(name: "tooManyEssentialSounds")

  /// A context had too few sources left for the voices of a world.
  public static let fewerVoices = Diagnostic.Code(name: "fewerVoices")
}

extension Diagnostic {
  static func soundUnavailable(_ reason: String) -> Diagnostic {
    Diagnostic(code: .soundUnavailable, message: "\(reason) Its emitters end.")
  }

  static func soundMixedDown(_ name: String, from channels: Int) -> Diagnostic {
    Diagnostic(
      code: .soundMixedDown,
      message: "\(name) has \(channels) channels, and was mixed down to one for its emitters with a place."
        + " Use a mono file, or play it without a place."
    )
  }

  static func fewerVoices(_ granted: Int, than wanted: Int) -> Diagnostic {
    Diagnostic(
      code: .fewerVoices,
      message: "A world has \(granted) voices instead of \(wanted), because its context has no more sources."
        + " Request more with OutputSettings, or fewer voices."
    )
  }
}
