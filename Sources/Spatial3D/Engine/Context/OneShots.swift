/// The sources that only their context keeps, until they end.
struct OneShots: Sendable {
  private var kept: [ObjectIdentifier: Kept] = [:]

  private struct Kept: Sendable {
    let source: SoundSource
    let token: NotificationToken
  }

  mutating func keep(_ source: SoundSource, token: NotificationToken) {
    kept[ObjectIdentifier(source)] = Kept(source: source, token: token)
  }

  /// Removes a source; the caller releases the result without a lock.
  mutating func remove(_ source: ObjectIdentifier) -> (any Sendable)? { kept.removeValue(forKey: source) }

  /// Removes all sources; the caller releases the result without a lock.
  mutating func removeAll() -> any Sendable {
    defer { kept = [:] }
    return Array(kept.values)
  }
}
