import AudioSessions

/// The tables of the rules as text, in the words of their sources.
///
/// They are written without the rules of the module, so that the tests find a wrong entry there.
enum SessionTables {
  /// Sound, microphone, the ring switch and the screen lock, the background, and mixing with others.
  static let categories = rows(
    """
    ambient         | sound | -   | obeys   | silent   | always
    soloAmbient     | sound | -   | obeys   | silent   | never
    playback        | sound | -   | ignores | declared | option
    record          | -     | mic | ignores | declared | never
    playAndRecord   | sound | mic | ignores | declared | option
    audioProcessing | -     | -   | ignores | plays    | always
    """
  )

  /// The categories that allow an option.
  static let options = rows(
    """
    mixWithOthers                        | playback playAndRecord
    duckOthers                           | playback playAndRecord
    interruptSpokenAudioAndMixWithOthers | playback playAndRecord
    allowBluetooth                       | playAndRecord
    allowBluetoothA2DP                   | playAndRecord
    defaultToSpeaker                     | playAndRecord
    """
  )

  /// The categories that allow a mode.
  static let modes = rows(
    """
    default        | ambient soloAmbient playback record playAndRecord audioProcessing
    voiceChat      | playAndRecord
    videoRecording | record playAndRecord
    measurement    | playback record playAndRecord
    spokenAudio    | playback playAndRecord
    """
  )

  /// The options by their names.
  static let bits: [(name: String, option: SessionOptions)] = [
    ("mixWithOthers", .mixWithOthers),
    ("duckOthers", .duckOthers),
    ("interruptSpokenAudioAndMixWithOthers", .interruptSpokenAudioAndMixWithOthers),
    ("allowBluetooth", .allowBluetooth),
    ("allowBluetoothA2DP", .allowBluetoothA2DP),
    ("defaultToSpeaker", .defaultToSpeaker),
  ]

  /// The 64 sets of options.
  static let optionSets = (0..<64).map { SessionOptions(rawValue: $0) }

  /// The words of a table's other columns, by the word in the first.
  private static func rows(_ table: String) -> [String: Set<String>] {
    var rows: [String: Set<String>] = [:]
    for line in table.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init).filter { $0 != "|" }
      rows[words[0]] = Set(words.dropFirst())
    }
    return rows
  }
}

/// A combination of a category, a mode and options, which may break the rules.
struct Combination: Hashable, CustomStringConvertible {
  let category: SessionCategory
  let mode: SessionMode
  let options: SessionOptions
  private let row: Set<String>

  init(_ category: SessionCategory, _ mode: SessionMode, _ options: SessionOptions) {
    (self.category, self.mode, self.options) = (category, mode, options)
    row = SessionTables.categories["\(category)"] ?? []
  }

  var description: String { "\(category), \(mode), \(options)" }

  func has(_ word: String) -> Bool { row.contains(word) }

  /// The code of the rule that the combination breaks; `nil` for an allowed combination.
  var brokenRule: SessionError.Code? {
    for (name, option) in SessionTables.bits where options.contains(option) {
      if SessionTables.options[name]?.contains("\(category)") != true { return .optionNotAllowed }
    }
    if SessionTables.modes["\(mode)"]?.contains("\(category)") != true { return .modeNotAllowed }
    return mode != .default && mixesByOption ? .modeNeedsNonMixable : nil
  }

  var mixesByOption: Bool {
    options.contains(.mixWithOthers) || options.contains(.duckOthers)
      || options.contains(.interruptSpokenAudioAndMixWithOthers)
  }

  var isMixable: Bool { has("always") || (has("option") && mixesByOption) }

  /// All combinations with a category.
  static func all(of category: SessionCategory) -> [Combination] {
    SessionMode.allCases.flatMap { mode in
      SessionTables.optionSets.map { Combination(category, mode, $0) }
    }
  }
}
