import Foundation
import Spatial3D
import Testing

@testable import monster

@Suite struct StoryTests {
  @Test func `Chapters follow each other from the beginning to the end`() {
    #expect(Story.chapters.first?.start == 0)
    for index in Story.chapters.indices { #expect(Story.end(ofChapter: index) > Story.chapters[index].start) }
    #expect(Story.end(ofChapter: Story.chapters.count - 1) == Story.seconds)
  }

  @Test func `The voice is a loop without a seam that does not clip`() throws {
    let samples = try Growl.pcm().samples
    #expect(samples.count == 4 * Growl.format.sampleRate)
    #expect(samples.allSatisfy { abs($0) < 1 } && samples.contains { abs($0) > 0.3 })
    #expect(samples.prefix(100).allSatisfy { $0 == 0 } && samples.suffix(100).allSatisfy { $0 == 0 })
  }

  @Test func `What is told is what is heard`() throws {
    let levels = try Levels(recordingTo: nil)
    func chapter(_ title: String) throws -> (dry: Double, wet: Double) {
      let index = try #require(Story.chapters.firstIndex { $0.title == title })
      return levels.levels(from: Story.chapters[index].start + 0.5, to: Story.end(ofChapter: index))
    }
    // Dry, then in rooms of which the second is louder and longer.
    #expect(try chapter("dry").wet < -100)
    #expect(try chapter("chamber").wet > -70)
    #expect(try chapter("basement").wet > chapter("chamber").wet + 3)
    // The door is on both paths, the pillar on the direct one, and the stairs lead away.
    #expect(try chapter("door").dry < chapter("basement").dry - 5)
    #expect(try chapter("door").wet < chapter("basement").wet - 5)
    #expect(try chapter("stairs").dry < chapter("door").dry - 5)
  }
}
