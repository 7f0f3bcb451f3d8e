import ArgumentParser
import GameAudio
import Stage
import Testing

@testable import keyed

@Suite struct KeyedTests {
  @Test func `The keys play over each other, and the errors are sentences`() async throws {
    let renderer = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let session = Session(with: ExampleSounds.all, in: renderer.context)
    var lines: [String] = []
    for step in session.steps { lines.append(await session.perform(step)) }
    #expect(lines.count { $0.contains("bell × 3, brook") } == 2)
    #expect(lines.contains { $0.contains("bell is not in memory") })
    #expect(lines.last?.contains("the keys are bell, brook, crickets") == true)
    #expect(session.balance == "2 of 3 keys are in memory.")
  }

  @Test func `A file that cannot be read is an error, and the other keys are loaded`() async throws {
    let renderer = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let session = Session(with: ["missing.wav", ExampleSounds.bell], in: renderer.context)
    let line = await session.perform(session.steps[0])
    #expect(line.contains("missing.wav"))
    #expect(session.bank.isLoaded("bell") && !session.bank.isLoaded("missing"))
  }

  @Test func `Two files of one key are refused by name, and one alone stays a loop`() async throws {
    let refusal = #expect(throws: (any Error).self) { _ = try Keyed.parse(["a/tone.wav", "bell.ogg", "b/tone.flac"]) }
    let message = Keyed.message(for: try #require(refusal))
    #expect(message.contains("a/tone.wav and b/tone.flac have the same key, tone"))
    _ = try Keyed.parse(["a/tone.wav", "a/bell.wav"])

    var renderer = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let session = Session(with: [ExampleSounds.bell], in: renderer.context)
    for step in session.steps.prefix(2) { _ = await session.perform(step) }
    // Renders far beyond the end of a bell that plays once.
    for _ in 0..<10 { _ = renderer.render(frameCount: 48_000) }
    #expect(session.bank.isPlaying("bell"))
    #expect(session.balance == "1 of 1 key is in memory.")
  }
}
