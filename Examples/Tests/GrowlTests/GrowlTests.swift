import ArgumentParser
import FileDecode
import Spatial3D
import Stage
import Testing

@testable import growl

@Suite struct GrowlTests {
  @Test func `Each beast waits for the one before, to the piece of the mix`() async throws {
    var renderer = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let conversation = try Conversation(of: Beast.all(), turns: 4, in: renderer.context)
    conversation.begin()
    _ = renderer.render(.seconds(5))
    var lines: [String] = []
    for await line in conversation.lines { lines.append(line) }
    let names = lines.map { $0.split(separator: "  ").last.map(String.init) ?? "" }
    let beasts = ["bear on the left", "wolf on the right", "troll behind you", "bear on the left"]
    #expect(names == beasts.flatMap { ["The \($0) growls", "The \($0) is silent"] })
  }

  @Test func `Files take the place of voices, as far as there are any`() throws {
    let bell = try MonoSound(opening: ExampleSounds.bell).pcm
    let beasts = Beast.all(growling: [bell])
    #expect(beasts.count == 3)
    #expect(beasts[0].growl == bell)
    #expect(beasts[1].growl == Beast.all()[1].growl)
  }

  @Test func `More voices than beasts are refused`() {
    #expect(throws: (any Error).self) { _ = try Growl.parse(["a", "b", "c", "d"]) }
    #expect(throws: (any Error).self) { _ = try Growl.parse(["--turns", "0"]) }
  }
}
