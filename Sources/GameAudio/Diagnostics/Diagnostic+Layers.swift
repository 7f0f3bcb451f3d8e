public import Spatial3D

// The reports of settings that meet: of a context and its world, of two worlds, of a device and a session.

extension Diagnostic.Code {
  /// The program has set the listener of a context whose world sets it from its own.
  ///
  /// Set ``AudioWorld/listener`` instead. Each context reports it once.
  public static let listenerOverwritten = Diagnostic.Code(name: "listenerOverwritten")

  /// A world has begun to play in a context that has another world.
  public static let contextShared = Diagnostic.Code(name: "contextShared")

  /// A call has a bus of another world, and leaves it out.
  ///
  /// A world reports it once for each bus and call.
  public static let busOfAnotherWorld = Diagnostic.Code(name: "busOfAnotherWorld")

  /// A link of a world with a session was released in the mix in which it began and within a second, and has ended.
  public static let sessionLinkReleased = Diagnostic.Code(name: "sessionLinkReleased")

  /// A link of a world with a session has replaced the policy `DevicePolicy.pauseOnOutputLoss` of the device, and does
  /// not pause the program's own sources when an output is pulled out.
  public static let devicePolicyReplaced = Diagnostic.Code(name: "devicePolicyReplaced")
}

extension Diagnostic {
  static var listenerOverwritten: Diagnostic {
    Diagnostic(
      code: .listenerOverwritten,
      message:
        "AudioContext.listener was set, and the context has an AudioWorld: the next change of the world's listener"
        + " replaces it, and the choice of voices, zones and portals do not depend on it. Set world.listener, or"
        + " world.listeners for a split screen. This is reported once."
    )
  }

  static var contextShared: Diagnostic {
    Diagnostic(
      code: .contextShared,
      message:
        "A world begins to play in an AudioContext that has an older world: both set its listener, and they share its"
        + " sources. Use one AudioWorld with a bus for each group of sounds, or a context for each world. Emitters, players, buses and"
        + " banks keep the older world alive. This is reported once for each world."
    )
  }

  static func busOfAnotherWorld(_ name: String, _ use: BusUse, isKnown: Bool) -> Diagnostic {
    let remedy =
      isKnown
      ? "Its own world has world.mixer[\"\(name)\"]"
      : "Its own world has no bus of the name: make it with world.mixer.makeBus(\"\(name)\")"
    return Diagnostic(
      code: .busOfAnotherWorld,
      message: "\(use.rawValue) was given the bus \(name) of another world: \(use.result). \(remedy)."
        + " This is reported once for each bus and call."
    )
  }

  /// A world was released before a tick could mix its sounds, within a second after their beginning.
  static func releasedUnplayed(worldOf owner: String) -> Diagnostic {
    Diagnostic(
      code: .releasedUnplayed,
      message:
        "The last reference to an AudioWorld was dropped before it was mixed, and that stopped \(owner). Keep the world"
        + " in a property for as long as its sounds play."
    )
  }

  static var sessionLinkReleased: Diagnostic {
    Diagnostic(
      code: .sessionLinkReleased,
      message:
        "The SessionLink of AudioWorld.follow was released in the mix in which it began: the world follows the session"
        + " no more. Keep the link in a property, or end it with cancel(). This is reported once for each world."
    )
  }

  static func devicePolicyReplaced(_ reaction: String) -> Diagnostic {
    Diagnostic(
      code: .devicePolicyReplaced,
      message:
        "AudioDevice.policy is pauseOnOutputLoss, and a SessionLink with onOutputLoss: .\(reaction) replaces it by"
        + " follow: the program's own sources play on when headphones are pulled out. Pause them in the program, or pass"
        + " onOutputLoss: .pauseAll. This is reported once for each world."
    )
  }
}
