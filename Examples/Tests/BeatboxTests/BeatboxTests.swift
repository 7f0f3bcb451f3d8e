import GameAudio
import Testing

@testable import beatbox

@Suite struct BeatboxTests {
  @Test func `Each bar begins at its frame in the mix, before and after the tempo change`() throws {
    let recording = try Recording(to: nil)
    #expect(recording.bars.map(\.tick.bar) == Array(1...Song.bars))
    #expect(recording.bars.map(\.tempo) == [100, 100, 100, 100, 132, 132, 132, 132])
    #expect(recording.bars.allSatisfy { recording.lateness(of: $0) == 0 })
  }

  @Test func `A line of the score has a letter for each sixteenth note`() {
    #expect(Score.line(of: 4, at: .seconds(7.4), tempo: 100).hasSuffix("  K·h·S·h·K·h·TTTT"))
    #expect(Score.line(of: 1, at: .seconds(0.2), tempo: 100) == "  1    0.200 s    100  K·h·S·h·K·h·S·h·")
    #expect(Song.hits(at: 0) == [.kick, .hat] && Song.hits(at: 1) == [] && Song.hits(at: 1_000) == [])
  }

  @Test func `A hit begins at full level and does not clip`() throws {
    for drum in Drum.allCases {
      let samples = try drum.pcm().samples
      #expect(samples.allSatisfy { abs($0) <= 0.5 } && abs(samples.last ?? 1) < 0.01)
    }
  }
}
