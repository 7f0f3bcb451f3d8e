import GameAudio
import Testing

@testable import jukebox

@Suite struct JukeboxTests {
  @Test func `The mix has neither a gap nor a click`() throws {
    let recording = try Recording(to: nil)
    #expect(recording.lines.count == Evening.steps)
    #expect(recording.report.hasSuffix("The mix has 0 gaps and 0 clicks."))
  }

  @Test func `The jingle begins at the end of the loop`() throws {
    let recording = try Recording(to: nil)
    #expect(recording.lines[9].contains("2.50 of 3.00 s"))
    #expect(recording.lines[11].contains("0.50 of 0.75 s"))
  }

  @Test func `Each tune has whole notes and does not clip`() throws {
    for tune in Tune.allCases {
      let pcm = try tune.pcm()
      #expect(pcm.frameCount.isMultiple(of: tune.format.sampleRate / 4))
      #expect(pcm.samples.allSatisfy { abs($0) <= 0.3 })
    }
  }
}
