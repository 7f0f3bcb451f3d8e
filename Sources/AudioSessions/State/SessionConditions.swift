/// The facts that the system and the program have reported.
///
/// The directives are a function of the facts, not of the order in which they were reported.
struct SessionConditions: Hashable, Sendable {
  /// The program's request, and the session's answer to it.
  enum Activation: Hashable, Sendable, CaseIterable {
    case off
    /// Inactive after an interruption or a loss of the services, and the program has not deactivated it.
    case toBeRestored
    /// Active, unless an interruption holds.
    case on
  }

  /// The strongest active session of other programs.
  enum OtherSession: Hashable, Sendable, CaseIterable {
    case none
    case mixable
    case nonMixable
  }

  var activation = Activation.off
  var interruptions: Set<Interruption> = []
  var isWindowInBackground = false
  var isUserSessionInFront = true
  var isScreenLocked = false
  var isRingSwitchSilent = false
  var otherSession = OtherSession.none
  /// Whether the backend detects audio of others; `nil` if it does not report that.
  var detectedOtherAudio: Bool?
  var hasServices = true
}

extension SessionConditions {
  var state: SessionState {
    switch (activation, interruptions.isEmpty) {
    case (.on, true): .active
    case (.on, false): .interrupted(by: interruptions)
    case (.off, _), (.toBeRestored, _): .inactive
    }
  }

  var isInBackground: Bool { isWindowInBackground || !isUserSessionInFront }

  var isInterrupted: Bool { activation == .on && !interruptions.isEmpty }

  /// Whether another program plays; `nil` if nothing reported it.
  var isOtherAudioPlaying: Bool? { otherSession == .none ? detectedOtherAudio : true }

  /// Whether another program plays audio that is meant to be listened to, such as music.
  var hasPrimaryAudioOfOthers: Bool { otherSession == .nonMixable || detectedOtherAudio == true }
}
