/// The banks of a world, and the samples that they keep in memory, in the order of their last plays.
///
/// Pure: no call and no lock.
struct KeptSounds: Sendable {
  /// A fault of a sound that a bank reports once.
  enum Fault: Sendable {
    case mixedDown, resampled
  }

  /// The bytes of a bank that is over its budget.
  struct Excess: Equatable, Sendable {
    let byteCount: Int
    let budget: Int
  }

  private struct Bank: Sendable {
    /// The bytes that the bank may keep; `nil` without a limit.
    var budget: Int?
    /// Whether the bank has reported that it is over its budget.
    var hasReportedExcess = false
    /// The names of the sounds whose faults were reported.
    var reported: [Fault: Set<String>] = [:]
  }

  private struct Kept: Sendable {
    var sound: LoadedSound
    let bank: Int
    var use: Int
  }

  private var sounds: [LoadKey: Kept] = [:]
  /// The keys of the samples of a content, by its identity.
  private var loads: [Int: [LoadKey]] = [:]
  private var lastUse = 0
  private var banks: [Int: Bank] = [:]

  /// The samples of a key, or the samples of the other form where the two are the same.
  subscript(key: LoadKey) -> LoadedSound? { entry(of: key).flatMap { sounds[$0]?.sound } }

  /// Whether samples of a content are kept, in any form.
  func has(_ content: Int, _ loopRange: Range<Int>?) -> Bool {
    loads[content]?.contains { $0.loopRange == loopRange } == true
  }

  /// The bytes that a bank keeps.
  func byteCount(of bank: Int) -> Int { sounds.values.reduce(0) { $0 + ($1.bank == bank ? $1.sound.byteCount : 0) } }

  /// The keys that a bank keeps.
  func keys(of bank: Int) -> [LoadKey] { sounds.filter { $0.value.bank == bank }.map(\.key) }

  /// The keys of the samples of a content that are kept.
  func keys(ofContent content: Int) -> [LoadKey] { loads[content, default: []] }

  /// All samples that banks keep.
  var all: [LoadedSound] { sounds.values.map(\.sound) }

  /// Replaces the samples of a key; returns the bank that keeps them, or `nil` if it keeps others or none.
  mutating func replace(_ old: LoadedSound, by sound: LoadedSound, for key: LoadKey) -> Int? {
    guard let kept = sounds[key], kept.sound === old else { return nil }
    sounds[key]?.sound = sound
    return kept.bank
  }

  /// Keeps samples for a bank.
  mutating func keep(_ sound: LoadedSound, for key: LoadKey, of bank: Int) {
    lastUse += 1
    if sounds[key] == nil { loads[key.content, default: []].append(key) }
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
    return sounds[key.otherForm].flatMap { $0.sound.isAnyForm ? key.otherForm : nil }
  }

  /// Removes samples, and returns them.
  mutating func remove(_ key: LoadKey) -> LoadedSound? {
    guard let kept = sounds.removeValue(forKey: key) else { return nil }
    loads[key.content]?.removeAll { $0 == key }
    if loads[key.content]?.isEmpty == true { loads[key.content] = nil }
    return kept.sound
  }

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

// MARK: - Banks

extension KeptSounds {
  /// The numbers of the banks, in their order.
  var bankNumbers: [Int] { banks.keys.sorted() }

  func hasBank(_ bank: Int) -> Bool { banks[bank] != nil }
  func budget(of bank: Int) -> Int? { banks[bank]?.budget }

  mutating func addBank(_ bank: Int) { banks[bank] = banks[bank] ?? Bank() }
  mutating func removeBank(_ bank: Int) { banks[bank] = nil }
  mutating func setBudget(_ budget: Int?, of bank: Int) { banks[bank]?.budget = budget }

  /// Whether a bank reports a fault of a sound for the first time; a bank that is gone reports nothing.
  mutating func isNew(_ fault: Fault, of name: String, in bank: Int) -> Bool {
    banks[bank]?.reported[fault, default: []].insert(name).inserted == true
  }

  /// Whether a bank keeps more bytes than its budget.
  func isOverBudget(_ bank: Int) -> Bool { budget(of: bank).map { byteCount(of: bank) > $0 } ?? false }

  /// Removes samples that are not in use until a bank is within its budget; returns them, and the excess that the bank
  /// reports once.
  mutating func trim(
    _ bank: Int,
    isInUse: (LoadKey, LoadedSound) -> Bool
  ) -> (removed: [LoadedSound], excess: Excess?) {
    var removed: [LoadedSound] = []
    if let budget = budget(of: bank), isOverBudget(bank) {
      removed = surplus(of: bank, over: budget, isInUse: isInUse).compactMap { remove($0) }
      if isOverBudget(bank) {
        defer { banks[bank]?.hasReportedExcess = true }
        let isReported = banks[bank]?.hasReportedExcess == true
        return (removed, isReported ? nil : Excess(byteCount: byteCount(of: bank), budget: budget))
      }
    }
    banks[bank]?.hasReportedExcess = false
    return (removed, nil)
  }
}
