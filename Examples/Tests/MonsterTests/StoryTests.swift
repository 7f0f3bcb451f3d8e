import Foundation
import Spatial3D
import Testing

@testable import monster

@Suite struct StoryTests {
  /// The story is rendered once for all tests.
  private static let levels = Result { try Levels(of: Growl.pcm(), recordingTo: nil) }

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
    let levels = try Self.levels.get()
    func chapter(_ title: String) throws -> (dry: Double, wet: Double) {
      let index = try #require(Story.chapters.firstIndex { $0.title == title })
      return levels.levels(from: Story.chapters[index].start + 0.5, to: Story.end(ofChapter: index))
    }
    // First dry, then two rooms; the second is louder and longer.
    #expect(try chapter("dry").wet < -100)
    #expect(try chapter("chamber").wet > -70)
    #expect(try chapter("basement").wet > chapter("chamber").wet + 3)
    // The door affects both paths, the pillar the direct one, and the stairs lead away.
    #expect(try chapter("door").dry < chapter("basement").dry - 5)
    #expect(try chapter("door").wet < chapter("basement").wet - 5)
    #expect(try chapter("stairs").dry < chapter("door").dry - 5)
  }

  @Test func `The pillar takes highs from the direct sound and leaves the room alone`() throws {
    let levels = try Self.levels.get()
    // Compares the part behind the pillar with the same part of the growl one lap earlier, through the door.
    let lap = 4.0
    let (open, behind) = (levels.highLevels(from: 20.5 - lap, to: 21.3 - lap), levels.highLevels(from: 20.5, to: 21.3))
    #expect(behind.dry < open.dry - 10, "\(open.dry), then \(behind.dry)")
    #expect(abs(behind.wet - open.wet) < 2, "\(open.wet), then \(behind.wet)")
  }
}
