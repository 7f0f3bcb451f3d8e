internal import GameAudio

/// The reason why an emitter or a player is heard or not, as the page names and counts it.
struct WorldPageState: Hashable {
  /// The count of a snapshot that has the emitter or player.
  enum Kind: Int {
    case real
    case virtual
    /// It does not play, is paused, loads or waits.
    case other
  }

  let words: String
  let kind: Kind

  /// The state of something that is heard; the first one in each page.
  static let heard = WorldPageState(words: "has a voice", kind: .real)
  /// The states for which a page has no room.
  static let rest = WorldPageState(words: "one of many more reasons", kind: .other)

  private init(words: String, kind: Kind) { (self.words, self.kind) = (words, kind) }

  init(_ emitter: WorldSnapshot.Emitter) {
    self.init(emitter.silence, hasVoice: emitter.voice != nil, isVirtual: emitter.isVirtual)
  }

  init(_ player: WorldSnapshot.Player) {
    self.init(player.silence, hasVoice: player.voice != nil, isVirtual: player.isVirtual)
  }

  private init(_ silence: SilenceReason?, hasVoice: Bool, isVirtual: Bool) {
    words = silence.map { $0.hasPageLevel ? $0.pageWords : $0.description } ?? Self.heard.words
    kind = hasVoice ? .real : isVirtual ? .virtual : .other
  }

  var json: JSON { .list([.text(words), .number(Double(kind.rawValue))]) }
}

extension SilenceReason {
  /// Whether the page adds the level that is lacking to the words.
  fileprivate var hasPageLevel: Bool {
    guard let lacking = lacking?.rawValue, lacking.isFinite else { return false }
    // Less than the script shows is no level: the emitter has its voice at the next choice.
    return isTooQuiet || lacking >= 0.05
  }

  private var isTooQuiet: Bool { if case .tooQuiet = self { true } else { false } }

  /// The reason without its level.
  fileprivate var pageWords: String { isTooQuiet ? "too quiet for a voice" : "others are chosen before it" }
}
