/// The sounds of a timeline, by the numbers of its pieces.
///
/// The timeline of most players has one sound, which takes no memory of its own here.
struct TimelineSounds: Sendable {
  private var first: (id: Int, sound: OpenedSound)?
  private var others: [Int: OpenedSound] = [:]

  init() {}

  init(_ entries: some Sequence<Playlist.Entry>) { for entry in entries { self[entry.id] = entry.sound } }

  /// The sound of a piece; `nil` for none.
  subscript(id: Int) -> OpenedSound? {
    get { first?.id == id ? first?.sound : others[id] }
    set {
      let isFirst = first.map { $0.id == id } ?? (others[id] == nil)
      if isFirst { first = newValue.map { (id, $0) } } else { others[id] = newValue }
    }
  }

  /// Removes the sound of a piece; returns it, to be released without a lock.
  mutating func remove(_ id: Int) -> OpenedSound? {
    defer { self[id] = nil }
    return self[id]
  }

  /// Whether all sounds are in memory.
  var areInMemory: Bool { first?.sound.isInMemory != false && others.values.allSatisfy(\.isInMemory) }
}
