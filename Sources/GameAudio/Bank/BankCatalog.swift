/// The keys of a bank, and the files that their sounds share.
///
/// Pure: no call and no lock.
struct BankCatalog: Sendable {
  /// The sound of a key.
  struct Definition: Sendable {
    var sound: Sound
    let loading: SoundBank.Loading
    let isPlaced: Bool
  }

  /// A file, and whether it is streamed.
  private struct File: Hashable, Sendable {
    let path: String
    let isStreamed: Bool

    /// The file of a path, without its steps to the same folder: `./a.wav` is `a.wav`.
    init(_ path: String, isStreamed: Bool) {
      let steps = path.split(separator: "/").filter { $0 != "." }
      self.path = (path.hasPrefix("/") ? "/" : "") + steps.joined(separator: "/")
      self.isStreamed = isStreamed
    }
  }

  let bank: Int
  private(set) var definitions: [SoundKey: Definition] = [:]
  private var files: [File: SoundContent] = [:]
  /// The keys whose sounds use a content, by its identity; no key has an empty set.
  private var users: [Int: Set<SoundKey>] = [:]

  init(bank: Int) { self.bank = bank }

  /// Gives a key a sound instead of an earlier sound; returns the contents that no key has any more.
  ///
  /// The time does not depend on the number of keys.
  mutating func define(_ key: SoundKey, _ sound: Sound, _ loading: SoundBank.Loading, isPlaced: Bool) -> [SoundContent]
  {
    let earlier = definitions[key]?.sound
    let old = earlier?.variations ?? []
    var sound = sound
    // The emitters of an earlier sound count as emitters of the key.
    sound.identity = earlier?.identity ?? SoundContent.nextIdentity()
    sound.runsWhileLoading = loading == .onDemand
    sound.key = key
    for content in old { users[content.identity]?.remove(key) }
    // A file that both sounds have is still known: its content stays.
    sound.variations = sound.variations.map { own($0) }
    for content in sound.variations { users[content.identity, default: []].insert(key) }
    definitions[key] = Definition(sound: sound, loading: loading, isPlaced: isPlaced)
    let unused = old.filter { users[$0.identity]?.isEmpty == true }
    for content in unused { forget(content) }
    return unused
  }

  /// The content of the bank for a content of the program: one for each file.
  private mutating func own(_ content: SoundContent) -> SoundContent {
    guard let path = content.path else { return content.copy(for: bank) }
    let file = File(path, isStreamed: content.isStreamed)
    if let known = files[file] { return known }
    let own = content.copy(for: bank)
    files[file] = own
    return own
  }

  /// Removes a content that no key has any more.
  private mutating func forget(_ content: SoundContent) {
    users[content.identity] = nil
    if let path = content.path { files[File(path, isStreamed: content.isStreamed)] = nil }
  }

  /// The contents of a file, streamed or not.
  func contents(of path: String) -> [SoundContent] {
    [false, true].compactMap { files[File(path, isStreamed: $0)] }
  }

  /// The paths of all files.
  var paths: Set<String> { Set(files.keys.map(\.path)) }

  /// Whether the sound of a key uses a content.
  func isUsed(_ content: SoundContent) -> Bool { users[content.identity] != nil }

  /// The keys whose sounds use a content, in their order.
  func keys(using content: SoundContent) -> [SoundKey] { users[content.identity, default: []].sorted() }

  /// The contents of some keys, and for each content the sounds of the other keys that use it.
  func contents(of keys: Set<SoundKey>) -> [(content: SoundContent, others: [Sound])] {
    keys.flatMap { definitions[$0]?.sound.variations ?? [] }.map { content in
      let others = users[content.identity, default: []].subtracting(keys)
      return (content, others.compactMap { definitions[$0]?.sound })
    }
  }

  /// Replaces a content by a new content; returns `false` if no key has the old content any more.
  mutating func replace(_ old: SoundContent, by new: SoundContent) -> Bool {
    guard let path = old.path else { return false }
    let file = File(path, isStreamed: old.isStreamed)
    guard files[file] === old, let keys = users.removeValue(forKey: old.identity) else { return false }
    files[file] = new
    users[new.identity] = keys
    for key in keys {
      guard let variations = definitions[key]?.sound.variations else { continue }
      definitions[key]?.sound.variations = variations.map { $0 === old ? new : $0 }
    }
    return true
  }
}
