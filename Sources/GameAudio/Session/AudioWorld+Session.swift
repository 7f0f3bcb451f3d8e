public import AudioSessions
internal import Spatial3D
internal import Synchronization

extension AudioWorld {
  /// Carries out the directives of an audio session: interruptions, the background, the music of others, and outputs
  /// that are pulled out.
  ///
  /// ```swift
  /// let session = AudioSession()
  /// try session.activate()
  /// let following = world.follow(session, resuming: .players())
  /// music.mutesWithOtherAudio = true
  /// ```
  ///
  /// A session that is not active silences the world: activate it first. When an interruption has ended and the system
  /// suggests to resume, or when the sound service is back, the link activates the session again. The sounds go on if
  /// no other reason for a suspension holds.
  ///
  /// The directives suspend the device of the world, with all of its contexts, for a reason of their own. The device
  /// has the policy `DevicePolicy.follow` meanwhile: `outputLoss` decides what pauses when headphones are pulled out,
  /// instead of `DevicePolicy.pauseOnOutputLoss`. A bus with ``Bus/mutesWithOtherAudio`` fades out in half a second
  /// while another program plays music.
  ///
  /// Without reports of routes, each loss of the device counts as an output that is pulled out, also the end of a sound
  /// server.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - style: The effect of an interruption.
  ///   - resumption: The code that resumes the players after an interruption.
  ///   - outputLoss: The effect of an output that is pulled out.
  /// - Returns: The link, which lasts for as long as it is kept.
  public func follow(
    _ session: AudioSession,
    onInterruption style: SessionLink.InterruptionStyle = .freeze,
    resuming resumption: SessionLink.Resumption = .manual,
    onOutputLoss outputLoss: SessionLink.OutputLoss = .pausePlayers
  ) -> SessionLink {
    if case .players(let rewind?) = resumption, let fault = ValueFault("rewind", rewind, in: Duration.zero...) {
      report(fault, of: .kind("a session link"))
    }
    let following = SessionLink(self, session, style, resumption, outputLoss)
    following.begin()
    return following
  }
}

extension SuspensionReason {
  private static let count = Atomic(0)

  /// A reason of one session, apart from the reasons of other sessions and of the game.
  static func ofSession() -> SuspensionReason {
    SuspensionReason("audio session \(count.wrappingAdd(1, ordering: .relaxed).newValue)")
  }
}

extension Bus {
  /// Whether the bus is silent while another program plays music that the user has chosen.
  ///
  /// It fades in half a second, while the world follows a session of the category `SessionCategory.ambient`: for
  /// background music. Default: `false`.
  ///
  /// Apple: `secondaryAudioShouldBeSilencedHint`. Wwise: background music.
  public var mutesWithOtherAudio: Bool {
    get { read { $0.mutesWithOtherAudio } }
    nonmutating set {
      world.perform(.mutesWithOtherAudio(newValue), ofBus: index)
    }
  }
}
