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

  private init(_ silence: WorldSnapshot.Silence?, hasVoice: Bool, isVirtual: Bool) {
    var plain = silence
    // The page adds the level.
    if silence?.lacking != nil { plain?.lacking = nil }
    words = plain?.pageWords ?? Self.heard.words
    kind = hasVoice ? .real : isVirtual ? .virtual : .other
  }

  var json: JSON { .list([.text(words), .number(Double(kind.rawValue))]) }
}

extension WorldSnapshot.Silence {
  /// The reason without its level.
  fileprivate var pageWords: String {
    switch cause {
    case .tooQuiet: "too quiet for a voice"
    case .outranked: "others are chosen before it"
    default: description
    }
  }
}
