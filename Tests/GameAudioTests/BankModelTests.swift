import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// A bank compared with a model that searches all keys at each call.
@Suite struct BankModelTests {
  private static let samples = TestSignal.silence(duration: .milliseconds(1), format: .mono(sampleRate: 48_000))

  /// The file of a content: its path without `./`, and whether it is streamed.
  private struct File: Hashable {
    let path: String
    let isStreamed: Bool

    init?(_ content: SoundContent) {
      guard let path = content.path else { return nil }
      self.path = path.replacing("./", with: "")
      isStreamed = content.isStreamed
    }
  }

  /// The contents of the keys, as they follow from a search through all keys.
  private struct Model {
    var contents: [SoundKey: [Int]] = [:]
    var files: [File: Int] = [:]
    var used: Set<Int> { Set(contents.values.joined()) }

    /// Stores the contents of a key; returns the contents that no key has any more.
    mutating func define(_ key: SoundKey, _ sound: Sound, as own: [SoundContent]) -> [Int] {
      let known = used.union(files.values)
      for (content, own) in zip(sound.variations, own) {
        if let file = File(content) {
          #expect(own.identity == files[file] ?? own.identity && (files[file] != nil || !known.contains(own.identity)))
          files[file] = own.identity
        } else {
          #expect(!known.contains(own.identity))
        }
      }
      let old = contents.updateValue(own.map(\.identity), forKey: key) ?? []
      let used = used
      files = files.filter { used.contains($0.value) }
      return old.filter { !used.contains($0) }
    }

    mutating func replace(_ old: SoundContent, by new: SoundContent) -> Bool {
      guard let file = File(old), files[file] == old.identity else { return false }
      files[file] = new.identity
      contents = contents.mapValues { $0.map { $0 == old.identity ? new.identity : $0 } }
      return true
    }
  }

  private static let keys = (0..<9).map { SoundKey("\($0)") }

  private static func sound(_ random: inout SplitMix64) -> Sound {
    func path() -> String { (Bool.random(using: &random) ? "" : "./") + "\(Int.random(in: 0..<6, using: &random)).wav" }
    switch Int.random(in: 0..<6, using: &random) {
    case 0: return Sound(samples)
    case 1: return Sound(path(), streamed: true)
    case 2: return Sound(path())
    default: return Sound(anyOf: (0..<Int.random(in: 1...4, using: &random)).map { _ in path() })
    }
  }

  @Test func `Definitions and replacements leave the same contents as a search through all keys`() {
    var random = SplitMix64(seed: 40)
    for _ in 0..<40 {
      var (catalog, model) = (BankCatalog(bank: 1), Model())
      var seen: [SoundContent] = []
      for _ in 0..<120 {
        let key = Self.keys[Int.random(in: 0..<9, using: &random)]
        if Int.random(in: 0..<4, using: &random) == 0, let old = seen.randomElement(using: &random) {
          let new = old.copy(for: 1)
          let isReplaced = catalog.replace(old, by: new)
          #expect(isReplaced == model.replace(old, by: new))
          if isReplaced { seen.append(new) }
        } else {
          let sound = Self.sound(&random)
          let unused = catalog.define(key, sound, .beforehand, isPlaced: true)
          let own = catalog.definitions[key]?.sound.variations ?? []
          #expect(unused.map(\.identity) == model.define(key, sound, as: own))
          seen += own
        }
        for (key, contents) in model.contents {
          #expect(catalog.definitions[key]?.sound.variations.map(\.identity) == contents)
        }
        #expect(catalog.paths == Set(model.files.keys.map(\.path)))
        for file in model.files.keys {
          let identities = catalog.contents(of: file.path).filter { $0.isStreamed == file.isStreamed }.map(\.identity)
          #expect(identities == [model.files[file]])
        }
        let used = model.used
        for content in seen.shuffled(using: &random).prefix(6) {
          let users = model.contents.filter { $0.value.contains(content.identity) }.map(\.key)
          #expect(catalog.isUsed(content) == used.contains(content.identity))
          #expect(catalog.keys(using: content) == users.sorted())
        }
        let some = Set(Self.keys.shuffled(using: &random).prefix(2))
        for (content, others) in catalog.contents(of: some) {
          let users = model.contents.filter { $0.value.contains(content.identity) && !some.contains($0.key) }.map(\.key)
          #expect(Set(others.compactMap(\.key)) == Set(users) && others.count == users.count)
        }
        let all = some.flatMap { model.contents[$0] ?? [] }
        #expect(catalog.contents(of: some).map(\.content.identity).sorted() == all.sorted())
      }
    }
  }

  @Test func `A bank has the samples in memory that a search through all keys leaves`() async throws {
    let folder = try SoundFolder()
    let paths = try (0..<4).map { index in
      let length = Duration.milliseconds(1 << index)
      return try folder.write("\(index).wav", TestSignal.silence(duration: length, format: Self.samples.format))
    }
    let world = AudioWorld(in: try OfflineRenderer(format: .mono(sampleRate: 48_000)).context, voiceLimit: 1)
    let bank = SoundBank(in: world)
    var random = SplitMix64(seed: 41)
    // The files of each key, and the files and loop ranges that are in memory.
    struct Load: Hashable {
      let path: String
      let loopRange: Range<Int>?
    }
    var sounds: [SoundKey: [Load]] = [:]
    var loaded: Set<Load> = []
    func isLoaded(_ key: SoundKey) -> Bool { sounds[key, default: []].allSatisfy { loaded.contains($0) } }
    func drop(_ dropped: [Load], except keys: [SoundKey]) {
      let kept = Set(keys.flatMap { sounds[$0] ?? [] }.map(\.path))
      let paths = Set(dropped.map(\.path)).subtracting(kept)
      loaded = loaded.filter { !paths.contains($0.path) }
    }
    let keys = Self.keys.prefix(6)
    for _ in 0..<600 {
      let key = keys[Int.random(in: 0..<6, using: &random)]
      switch Int.random(in: 0..<4, using: &random) {
      case 0:
        let own = paths.shuffled(using: &random).prefix(Int.random(in: 1...2, using: &random))
        var sound = Sound(anyOf: Array(own))
        sound.loopRange = Bool.random(using: &random) ? nil : 0..<5
        bank.define(key, sound)
        let old = sounds.updateValue(own.map { Load(path: $0, loopRange: sound.loopRange) }, forKey: key)
        drop(old ?? [], except: Array(sounds.keys))
      case 1, 2:
        guard sounds[key] != nil else { continue }
        try await bank.load(key)
        loaded.formUnion(sounds[key] ?? [])
      default:
        let other = keys[Int.random(in: 0..<6, using: &random)]
        bank.unload(key, other)
        let others = sounds.keys.filter { ![key, other].contains($0) && isLoaded($0) }
        drop([key, other].flatMap { sounds[$0] ?? [] }, except: others)
      }
      for key in sounds.keys { #expect(bank.isLoaded(key) == isLoaded(key)) }
      let frames = loaded.reduce(0) { sum, load in sum + (paths.firstIndex(of: load.path).map { 48 << $0 } ?? 0) }
      #expect(bank.byteCount == frames * 4)
    }
  }

  @Test func `A key of many is defined, defined anew and unloaded without a look at the other keys`() throws {
    try expectGrowth(of: "keys", from: 2_000) { count in
      let world = AudioWorld(in: try OfflineRenderer(format: .mono(sampleRate: 48_000)).context, voiceLimit: 1)
      let bank = SoundBank(in: world)
      let keys = (0..<count).map { SoundKey("\($0)") }
      for key in keys { bank.define(key, Sound("\(key).wav")) }
      for key in keys { bank.define(key, Sound("\(key).ogg")) }
      for key in keys { bank.unload(key) }
      #expect(bank.keys.count == count)
    }
  }
}
