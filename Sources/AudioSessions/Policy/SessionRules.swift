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

  let plays: Bool
  let records: Bool
  /// Whether the ring switch and the screen lock silence it.
  let obeysSwitchAndLock: Bool
  let background: Background
  let mixing: Mixing
  let modes: Set<SessionMode>
  let options: SessionOptions
}

/// The tables of the policy.
enum SessionRules {
  private static let mixing: SessionOptions = [.mixWithOthers, .duckOthers, .interruptSpokenAudioAndMixWithOthers]
  private static let routing: SessionOptions = [.allowBluetooth, .allowBluetoothA2DP, .defaultToSpeaker]

  private static let ambient = CategoryRules(
    plays: true,
    records: false,
    obeysSwitchAndLock: true,
    background: .silent,
    mixing: .always,
    modes: [.default],
    options: []
  )
  private static let soloAmbient = CategoryRules(
    plays: true,
    records: false,
    obeysSwitchAndLock: true,
    background: .silent,
    mixing: .never,
    modes: [.default],
    options: []
  )
  private static let playback = CategoryRules(
    plays: true,
    records: false,
    obeysSwitchAndLock: false,
    background: .playsIfDeclared,
    mixing: .byOption,
    modes: [.default, .measurement, .spokenAudio],
    options: mixing
  )
  private static let record = CategoryRules(
    plays: false,
    records: true,
    obeysSwitchAndLock: false,
    background: .playsIfDeclared,
    mixing: .never,
    modes: [.default, .videoRecording, .measurement],
    options: []
  )
  private static let playAndRecord = CategoryRules(
    plays: true,
    records: true,
    obeysSwitchAndLock: false,
    background: .playsIfDeclared,
    mixing: .byOption,
    modes: [.default, .voiceChat, .videoRecording, .measurement, .spokenAudio],
    options: mixing.union(routing)
  )
  private static let audioProcessing = CategoryRules(
    plays: false,
    records: false,
    obeysSwitchAndLock: false,
    background: .plays,
    mixing: .always,
    modes: [.default],
    options: []
  )

  static func rules(of category: SessionCategory) -> CategoryRules {
    switch category {
    case .ambient: ambient
    case .soloAmbient: soloAmbient
    case .playback: playback
    case .record: record
    case .playAndRecord: playAndRecord
    case .audioProcessing: audioProcessing
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
  static let optionsOfRoutes = routing

  /// The rewind of players on resume.
  static let resumeRewinds: [SessionMode: Duration] = [.spokenAudio: .seconds(2)]

  /// The interruptions that an activation ends: those by sessions of other programs.
  static let endedByActivation: Set<Interruption> = [.otherSession, .spokenPrompt]

  /// The interruptions that the sound service reports, and that are unknown after its loss.
  static let reportedByServices: Set<Interruption> = [.otherSession, .spokenPrompt, .phone, .routeDisconnected]
}
