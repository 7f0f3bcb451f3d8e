import Spatial3DTesting
import Testing

@testable import GameAudio

/// The definitions of a bank, without its samples, and the sentences of its errors.
@Suite struct BankCatalogTests {
  private static func identities(_ catalog: BankCatalog, _ key: SoundKey) -> [Int] {
    catalog.definitions[key]?.sound.variations.map(\.identity) ?? []
  }

  @Test func `A file is one content, however its path is written, and a stream of it is another one`() {
    var catalog = BankCatalog(bank: 7)
    let paths = ["steps/a.wav", "./steps/a.wav", "steps//a.wav", "steps/./a.wav", "/steps/a.wav", "steps/b.wav"]
    for (index, path) in paths.enumerated() {
      let unused = catalog.define(SoundKey("\(index)"), Sound(path), .beforehand, isPlaced: true)
      #expect(unused.isEmpty)
    }
    _ = catalog.define("stream", Sound("steps/a.wav", streamed: true), .onDemand, isPlaced: false)
    let own = (0..<6).flatMap { Self.identities(catalog, SoundKey("\($0)")) }
    #expect(Set(own[..<4]).count == 1 && Set(own).count == 3)
    #expect(!own.contains(Self.identities(catalog, "stream")[0]))
    #expect(catalog.paths == ["steps/a.wav", "/steps/a.wav", "steps/b.wav"])
    #expect(catalog.contents(of: "./steps//a.wav").map(\.identity) == [own[0], Self.identities(catalog, "stream")[0]])
    #expect(catalog.contents(of: "steps/b.wav").map(\.identity) == [own[5]] && catalog.contents(of: "c.wav").isEmpty)
    #expect(catalog.contents(of: "steps/a.wav").map(\.isStreamed) == [false, true])
    #expect(catalog.contents(of: "steps/a.wav").allSatisfy { $0.bank == 7 })
    let content = catalog.contents(of: "steps/a.wav")[0]
    #expect(catalog.keys(using: content) == ["0", "1", "2", "3"])
    #expect(catalog.definitions["stream"]?.loading == .onDemand && catalog.definitions["stream"]?.isPlaced == false)
    #expect(catalog.definitions["0"]?.loading == .beforehand && catalog.definitions["0"]?.isPlaced == true)
    #expect(catalog.definitions["stream"]?.sound.runsWhileLoading == true)
    #expect(catalog.definitions["0"]?.sound.runsWhileLoading == false)
  }

  @Test func `Another sound of a key counts as the same one, and names the contents that nobody uses any more`() {
    var catalog = BankCatalog(bank: 1)
    _ = catalog.define("step", Sound(anyOf: ["a.wav", "b.wav"]), .beforehand, isPlaced: true)
    _ = catalog.define("jump", Sound("b.wav"), .beforehand, isPlaced: true)
    let (identity, old) = (catalog.definitions["step"]?.sound.identity, Self.identities(catalog, "step"))
    #expect(identity != catalog.definitions["jump"]?.sound.identity)
    let unused = catalog.define("step", Sound(anyOf: ["c.wav", "d.wav"]), .beforehand, isPlaced: true)
    #expect(unused.map(\.identity) == [old[0]] && unused.map(\.path) == ["a.wav"])
    #expect(catalog.definitions["step"]?.sound.identity == identity)
    #expect(catalog.definitions["step"]?.sound.key == "step")
    #expect(catalog.paths == ["b.wav", "c.wav", "d.wav"] && catalog.contents(of: "a.wav").isEmpty)
    // A file that comes back is another content.
    _ = catalog.define("back", Sound("a.wav"), .beforehand, isPlaced: true)
    #expect(Self.identities(catalog, "back") != [old[0]])
    let pcm = TestSignal.silence(duration: .milliseconds(1), format: .mono(sampleRate: 48_000))
    #expect(catalog.define("back", Sound(pcm), .beforehand, isPlaced: true).map(\.path) == ["a.wav"])
    #expect(catalog.define("back", Sound(pcm), .beforehand, isPlaced: true).map(\.path) == [nil])
    #expect(catalog.paths == ["b.wav", "c.wav", "d.wav"])
  }

  @Test func `A content that was read again takes its place in each key, once`() {
    var catalog = BankCatalog(bank: 1)
    _ = catalog.define("both", Sound(anyOf: ["a.wav", "b.wav", "a.wav"]), .beforehand, isPlaced: true)
    _ = catalog.define("one", Sound("a.wav"), .beforehand, isPlaced: true)
    let old = catalog.contents(of: "a.wav")[0]
    let new = old.copy(for: 1)
    let others = [Self.identities(catalog, "both")[1]]
    let isReplaced = catalog.replace(old, by: new)
    #expect(isReplaced && catalog.contents(of: "a.wav").map(\.identity) == [new.identity])
    #expect(Self.identities(catalog, "both") == [new.identity] + others + [new.identity])
    #expect(Self.identities(catalog, "one") == [new.identity])
    #expect(catalog.keys(using: new) == ["both", "one"] && catalog.keys(using: old).isEmpty)
    let isReplacedAgain = catalog.replace(old, by: old.copy(for: 1))
    #expect(!isReplacedAgain && Self.identities(catalog, "one") == [new.identity])
    let pcm = TestSignal.silence(duration: .milliseconds(1), format: .mono(sampleRate: 48_000))
    let samples = SoundContent(name: "samples", source: .samples(pcm), bank: 1)
    let isSamplesReplaced = catalog.replace(samples, by: samples.copy(for: 1))
    #expect(!isSamplesReplaced)
  }

  @Test func `The error of an unknown key has the first twelve keys`() {
    func message(_ count: Int) -> String {
      GameAudioError.unknownKey("x", known: (0..<count).map { SoundKey("k\($0)") }).message
    }
    let twelve = (0..<12).map { "k\($0)" }.joined(separator: ", ")
    #expect(message(0) == "There is no sound of the key x: the bank has no key yet. Define it first.")
    #expect(message(1) == "There is no sound of the key x: the keys are k0. Define it first.")
    #expect(message(12) == "There is no sound of the key x: the keys are \(twelve). Define it first.")
    #expect(message(13) == "There is no sound of the key x: the keys are \(twelve), …. Define it first.")
  }

  @Test func `The error of a loading counts the failures behind the first one`() {
    let failures = (0..<3).map {
      GameAudioError(.soundUnavailable, "Failure \($0).", key: SoundKey("k\($0)"), path: "p")
    }
    for count in 1...3 {
      let error = failures[0].listing(Array(failures.prefix(count)))
      let rest = ["", " 1 more failed: see failures.", " 2 more failed: see failures."][count - 1]
      #expect(error.message == "Failure 0." + rest && error.failures.count == count)
      #expect(error.code == .soundUnavailable && error.key == "k0" && error.path == "p")
    }
    let cancelled = GameAudioError.cancelled(2, of: 5, failures)
    #expect(cancelled.code == .cancelled && cancelled.failures.count == 3 && cancelled.key == nil)
    #expect(cancelled.message.hasPrefix("The loading was cancelled: 2 of 5 sounds are in memory."))
  }

  @Test func `A budget is no less than 0`() throws {
    let world = AudioWorld(in: try OfflineRenderer(format: .mono(sampleRate: 48_000)).context, voiceLimit: 1)
    for (budget, used) in [(nil, nil), (-5, 0), (0, 0), (7, 7)] as [(Int?, Int?)] {
      let bank = SoundBank(in: world, budget: budget)
      #expect(bank.budget == used && bank.keys.isEmpty && bank.byteCount == 0)
      bank.budget = 3
      bank.budget = budget
      #expect(bank.budget == used)
    }
  }
}
