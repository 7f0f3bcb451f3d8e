/// The rules of a category.
struct CategoryRules: Hashable, Sendable {
  enum Background: Hashable, Sendable {
    case silent
    case playsIfDeclared
    case plays
  }

  enum Mixing: Hashable, Sendable {
    case never
    case byOption
    case always
  }

  var plays = true
  var records = false
  /// Whether the ring switch and the screen lock silence it.
  var obeysSwitchAndLock = false
  var background = Background.playsIfDeclared
  var mixing = Mixing.byOption
  var modes: Set<SessionMode> = [.default]
  var options: SessionOptions = []
}

/// The tables of the policy.
enum SessionRules {
  private static let mixing: SessionOptions = [.mixWithOthers, .duckOthers, .interruptSpokenAudioAndMixWithOthers]

  static func rules(of category: SessionCategory) -> CategoryRules {
    switch category {
    case .ambient: CategoryRules(obeysSwitchAndLock: true, background: .silent, mixing: .always)
    case .soloAmbient: CategoryRules(obeysSwitchAndLock: true, background: .silent, mixing: .never)
    case .playback: CategoryRules(modes: [.default, .measurement, .spokenAudio], options: mixing)
    case .record:
      CategoryRules(plays: false, records: true, mixing: .never, modes: [.default, .videoRecording, .measurement])
    case .playAndRecord:
      CategoryRules(
        records: true,
        modes: [.default, .voiceChat, .videoRecording, .measurement, .spokenAudio],
        options: mixing.union(optionsOfRoutes)
      )
    case .audioProcessing: CategoryRules(plays: false, background: .plays, mixing: .always)
    }
  }

  /// The options that an option implies.
  static let impliedByOptions: [(option: SessionOptions, implied: SessionOptions)] = [
    (.duckOthers, .mixWithOthers),
    (.interruptSpokenAudioAndMixWithOthers, .mixWithOthers),
  ]

  /// The options that a mode implies.
  static let impliedByModes: [SessionMode: SessionOptions] = [.voiceChat: .allowBluetooth]

  /// The options without effect on Linux.
  static let optionsOfRoutes: SessionOptions = [.allowBluetooth, .allowBluetoothA2DP, .defaultToSpeaker]

  /// The rewind of players on resume.
  static let resumeRewinds: [SessionMode: Duration] = [.spokenAudio: .seconds(2)]

  /// The interruptions that an activation ends: those by sessions of other programs.
  static let endedByActivation: Set<Interruption> = [.otherSession, .spokenPrompt]

  /// The interruptions that the sound service reports, and that are unknown after its loss.
  static let reportedByServices: Set<Interruption> = [.otherSession, .spokenPrompt, .phone, .routeDisconnected]
}
