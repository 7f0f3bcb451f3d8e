/// Sources that wait for a frame of the mix to start at, where the library cannot wait itself.
///
/// Pure: who keeps it starts them. A source that waits counts as playing, as it does in a library that can.
struct StartSchedule: Sendable {
  private struct Entry: Sendable {
    let key: SourceKey
    let id: UInt32
    let frame: Int
    var isPaused = false
  }

  /// In the order in which they were asked for; a source stands here once.
  private var entries: [Entry] = []

  var isEmpty: Bool { entries.isEmpty }

  /// Lets a source wait for a frame, in place of one that it waited for.
  mutating func add(_ key: SourceKey, id: UInt32, frame: Int) {
    remove(key)
    entries.append(Entry(key: key, id: id, frame: frame))
  }

  /// Takes a source out; returns whether it waited.
  @discardableResult
  mutating func remove(_ key: SourceKey) -> Bool {
    let count = entries.count
    entries.removeAll { $0.key == key }
    return entries.count < count
  }

  /// Holds a source, or lets it go on to wait; returns whether it waits at all and was not so before.
  mutating func setPaused(_ isPaused: Bool, _ key: SourceKey) -> Bool {
    guard let index = entries.firstIndex(where: { $0.key == key }), entries[index].isPaused != isPaused else {
      return false
    }
    entries[index].isPaused = isPaused
    return true
  }

  /// What a source that waits is to be taken for; `nil` for any other.
  func state(of key: SourceKey) -> SourceState? {
    entries.first { $0.key == key }.map { $0.isPaused ? .paused : .playing }
  }

  /// The next frame that a source waits for.
  var nextFrame: Int? { entries.lazy.filter { !$0.isPaused }.map(\.frame).min() }

  /// Takes out the sources whose frame has come, in the order in which they were asked for.
  mutating func takeDue(at frame: Int) -> [UInt32] {
    let due = entries.filter { !$0.isPaused && $0.frame <= frame }.map(\.id)
    entries.removeAll { !$0.isPaused && $0.frame <= frame }
    return due
  }
}
