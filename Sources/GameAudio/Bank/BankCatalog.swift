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

  init(bank: Int) { self.bank = bank }

  /// Gives a key a sound instead of an earlier sound; returns the contents that no key has any more.
  mutating func define(_ key: SoundKey, _ sound: Sound, _ loading: SoundBank.Loading, isPlaced: Bool) -> [SoundContent]
  {
    let old = definitions[key]?.sound.variations ?? []
    var sound = sound
    // The emitters of an earlier sound count as emitters of the key.
    sound.identity = definitions[key]?.sound.identity ?? SoundContent.nextIdentity()
    sound.runsWhileLoading = loading == .onDemand
    sound.key = key
    sound.variations = sound.variations.map { own($0) }
    definitions[key] = Definition(sound: sound, loading: loading, isPlaced: isPlaced)
    let used = usedContents
    files = files.filter { used.contains($0.value.identity) }
    return old.filter { !used.contains($0.identity) }
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

  /// The identities of the contents of all keys.
  private var usedContents: Set<Int> { Set(definitions.values.flatMap { $0.sound.variations.map(\.identity) }) }

  /// The contents of a file, streamed or not.
  func contents(of path: String) -> [SoundContent] {
    [false, true].compactMap { files[File(path, isStreamed: $0)] }
  }

  /// The paths of all files.
  var paths: Set<String> { Set(files.keys.map(\.path)) }

  /// The keys whose sounds use a content, in their order.
  func keys(using content: SoundContent) -> [SoundKey] {
    definitions.filter { $0.value.sound.variations.contains { $0 === content } }.map(\.key).sorted()
  }

  /// Replaces a content by a new content; returns `false` if no key has the old content any more.
  mutating func replace(_ old: SoundContent, by new: SoundContent) -> Bool {
    guard let path = old.path else { return false }
    let file = File(path, isStreamed: old.isStreamed)
    guard files[file] === old else { return false }
    files[file] = new
    for key in definitions.keys {
      guard var sound = definitions[key]?.sound, sound.variations.contains(where: { $0 === old }) else { continue }
      sound.variations = sound.variations.map { $0 === old ? new : $0 }
      definitions[key]?.sound = sound
    }
    return true
  }
}
