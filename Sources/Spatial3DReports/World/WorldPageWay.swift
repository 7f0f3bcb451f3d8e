internal import GameAudio

/// The zone of an emitter and its path to its listener, as the page names and draws them.
struct WorldPageWay: Hashable {
  /// The zone, the path and the rays in words; empty for none.
  var words = ""
  /// The index of the portal from which it is received; -1 for none.
  var portal = -1
  /// The index of its listener.
  var listener = 0

  init() {}

  init(of emitter: WorldSnapshot.Emitter, in snapshot: WorldSnapshot) {
    words = emitter.spaceWords(in: snapshot).joined(separator: ", ")
    portal = emitter.path?.portal ?? -1
    listener = emitter.listener ?? 0
  }

  var json: JSON { .list([.text(words), .number(Double(portal)), .number(Double(listener))]) }
}

extension WorldSnapshot.Emitter {
  /// The zone, the path and the rays in words.
  func spaceWords(in snapshot: WorldSnapshot) -> [String] {
    var words: [String] = []
    if let zone { words.append("in zone \(zone)") }
    if let way = snapshot.words(for: path) { words.append("through \(way)") }
    if rays != nil { words.append("muffled by rays") }
    if let listener { words.append("at listener \(listener + 1)") }
    return words
  }
}
