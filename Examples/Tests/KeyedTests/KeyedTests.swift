import ArgumentParser
import FileDecode
import Spatial3D
import Stage
import Testing

@testable import keyed

@Suite final class KeyedTests {
  private let renderer: OfflineRenderer
  private let bank: SoundBank

  init() throws {
    renderer = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    bank = SoundBank(in: renderer.context)
    try bank.load("bell", from: ExampleSounds.bell)
    try bank.load("brook", from: ExampleSounds.brook, isLooping: true)
  }

  @Test func `A key plays over itself, and its sources are used again`() throws {
    for count in 1...4 {
      try bank.play("bell")
      #expect(try bank.playingCount("bell") == count)
    }
    #expect(try bank.isPlaying("bell") && !bank.isPlaying("brook"))
    try bank.stop("bell")
    #expect(try !bank.isPlaying("bell"))
    // The loop exceeds the library's limit of sources unless the bank reuses them.
    for _ in 0..<300 {
      try bank.play("bell")
      try bank.stop("bell")
    }
  }

  @Test func `A sound that was rewound is silent, and plays from its beginning`() throws {
    var renderer = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let bank = SoundBank(in: renderer.context)
    try bank.load("bell", from: ExampleSounds.bell)
    try bank.play("bell")
    let beginning = renderer.render(frameCount: 4_800)
    try bank.rewind("bell")
    #expect(try !bank.isPlaying("bell"))
    _ = renderer.render(frameCount: 4_800)
    #expect(renderer.render(frameCount: 4_800).samples.allSatisfy { $0 == 0 })
    try bank.play("bell")
    let again = renderer.render(frameCount: 4_800)
    #expect(zip(beginning.samples, again.samples).allSatisfy { abs($0 - $1) < 1e-3 })
    #expect(beginning.samples.contains { abs($0) > 0.01 })
  }

  @Test func `A key that is loaded again leaks nothing and falls silent`() throws {
    weak var first: SoundBuffer?
    first = try bank.load("brook", from: ExampleSounds.brook, isLooping: true)
    try bank.play("brook")
    try bank.play("brook")
    #expect(first != nil)
    let second = try bank.load("brook", from: ExampleSounds.crickets)
    #expect(first == nil)
    #expect(try !bank.isPlaying("brook"))
    #expect(second.frameCount == 288_000)
    #expect(bank.keys == ["bell", "brook"])
  }

  @Test func `A file that cannot be read leaves the key what it has`() throws {
    try bank.play("bell")
    let error = #expect(throws: BankError.self) { try bank.load("bell", from: "missing.wav") }
    #expect("\(try #require(error))".contains("missing.wav"))
    #expect(try bank.isPlaying("bell"))
  }

  @Test func `Two files of one key are refused by name, and one alone stays a loop`() throws {
    let refusal = #expect(throws: (any Error).self) { _ = try Keyed.parse(["a/tone.wav", "bell.ogg", "b/tone.flac"]) }
    let message = Keyed.message(for: try #require(refusal))
    #expect(message.contains("a/tone.wav and b/tone.flac have the same key, tone"))
    _ = try Keyed.parse(["a/tone.wav", "a/bell.wav"])

    var renderer = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let session = try Session(with: [ExampleSounds.bell], in: renderer.context)
    for step in session.steps { _ = session.perform(step) }
    // Renders far beyond the end of a bell that plays once.
    for _ in 0..<10 { _ = renderer.render(frameCount: 48_000) }
    #expect(try session.bank.isPlaying("bell"))
    #expect(session.balance == "3 sounds were loaded, 1 is kept for 1 key.")
  }

  @Test func `A name that nobody has is told with those that there are`() throws {
    for act in [{ try self.bank.play("bel") }, { try self.bank.stop("bel") }, { try self.bank.rewind("bel") }] {
      let error = #expect(throws: BankError.self) { try act() }
      #expect("\(try #require(error))" == "There is no sound called bel: there are bell, brook.")
    }
    bank.unload("bell")
    #expect(bank.keys == ["brook"])
  }
}
