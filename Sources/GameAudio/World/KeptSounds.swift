/// The samples that banks keep in memory, in the order of their last plays.
///
/// Pure: no call and no lock.
struct KeptSounds: Sendable {
  private struct Kept: Sendable {
    let sound: LoadedSound
    let bank: Int
    var use: Int
  }

  private var sounds: [LoadKey: Kept] = [:]
  private var lastUse = 0

  /// The samples of a key, or the samples of the other form where the two are the same.
  subscript(key: LoadKey) -> LoadedSound? { entry(of: key).flatMap { sounds[$0]?.sound } }

  /// Whether samples of a content are kept, in any form.
  func has(_ content: Int, _ loopRange: Range<Int>?) -> Bool {
    [true, false].contains { sounds[LoadKey(content: content, isPlaced: $0, loopRange: loopRange)] != nil }
  }

  /// The bytes that a bank keeps.
  func byteCount(of bank: Int) -> Int { sounds.values.reduce(0) { $0 + ($1.bank == bank ? $1.sound.byteCount : 0) } }

  /// The keys that a bank keeps.
  func keys(of bank: Int) -> [LoadKey] { sounds.filter { $0.value.bank == bank }.map(\.key) }

  /// Keeps samples for a bank.
  mutating func keep(_ sound: LoadedSound, for key: LoadKey, of bank: Int) {
    lastUse += 1
    sounds[key] = Kept(sound: sound, bank: bank, use: lastUse)
  }

  /// Notes a play.
  mutating func use(_ key: LoadKey) {
    guard let key = entry(of: key) else { return }
    lastUse += 1
    sounds[key]?.use = lastUse
  }

  /// The key under which the samples of a key are kept.
  private func entry(of key: LoadKey) -> LoadKey? {
    guard sounds[key] == nil else { return key }
    let other = LoadKey(content: key.content, isPlaced: !key.isPlaced, loopRange: key.loopRange)
    return sounds[other].flatMap { $0.sound.isAnyForm ? other : nil }
  }

  /// Removes samples, and returns them.
  mutating func remove(_ key: LoadKey) -> LoadedSound? { sounds.removeValue(forKey: key)?.sound }

  /// The samples that a bank has to release to stay within its budget: those first whose last play is the longest ago.
  ///
  /// Samples that are in use stay, also above the budget; so do those without bytes.
  func surplus(of bank: Int, over budget: Int, isInUse: (LoadKey, LoadedSound) -> Bool) -> [LoadKey] {
    var excess = byteCount(of: bank) - budget
    guard excess > 0 else { return [] }
    var keys: [LoadKey] = []
    for (key, kept) in sounds.filter({ $0.value.bank == bank }).sorted(by: { $0.value.use < $1.value.use }) {
      guard excess > 0 else { break }
      guard kept.sound.byteCount > 0, !isInUse(key, kept.sound) else { continue }
      keys.append(key)
      excess -= kept.sound.byteCount
    }
    return keys
  }
}
