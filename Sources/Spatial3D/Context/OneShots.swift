/// The sources of a context that the context itself keeps, until they end.
struct OneShots: Sendable {
  private var kept: [ObjectIdentifier: Kept] = [:]

  private struct Kept: Sendable {
    let source: SoundSource
    let token: NotificationToken
  }

  mutating func keep(_ source: SoundSource, token: NotificationToken) {
    kept[ObjectIdentifier(source)] = Kept(source: source, token: token)
  }

  /// Gives up a source; what is returned is to be released without a lock.
  mutating func remove(_ source: ObjectIdentifier) -> (any Sendable)? { kept.removeValue(forKey: source) }

  /// Gives up all of them; what is returned is to be released without a lock.
  mutating func removeAll() -> any Sendable {
    defer { kept = [:] }
    return Array(kept.values)
  }
}
