import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The changes of a loop that a reader repeats, against the ends of its laps.
@Suite struct TimelineChangeTests {
  private static let lap = 100

  /// A loop without an end that is read up to a position.
  private static func loop(readUpTo end: Int) throws -> Playlist {
    let samples = Array(repeating: Float(0.5), count: lap)
    let sound = Sound(try PCMBuffer(samples: samples, format: .mono(sampleRate: 48_000)))
    var playlist = Playlist(try OpenedSound(sound), slot: 0, onTwoLoudspeakers: true)
    guard case .made = playlist.setRepeats(.forever, at: 0, needing: 0) else {
      Issue.record("Nobody reads the timeline yet.")
      return playlist
    }
    let session = playlist.timeline.beginReading()
    #expect(playlist.timeline.request(at: 0, upTo: end, in: session)?.loop?.count == end)
    return playlist
  }

  @Test(arguments: [true, false])
  func `A loop ends with the first lap that its reader, or another reader in time, can end with`(endsLoop: Bool) throws
  {
    var random = SplitMix64(seed: 39)
    for _ in 0..<2_000 {
      let end = Int.random(in: 1...1_000, using: &random)
      let position = Int.random(in: 0..<end, using: &random)
      let needed = Int.random(in: 0...600, using: &random)
      var playlist = try Self.loop(readUpTo: end)
      let old = playlist.timeline
      let change =
        endsLoop
        ? playlist.endLoop(at: position, needing: needed)
        : playlist.setRepeats(0, at: position, needing: needed)
      // The end of the present lap, and the first end that another reader reaches.
      let present = (position / Self.lap + 1) * Self.lap
      let later = ((position + max(needed - 1, 0)) / Self.lap + 1) * Self.lap
      let isPresent = end <= present || present - position >= needed
      #expect(playlist.timeline.copy.length == (isPresent ? present : later))
      let isReloaded = end > (isPresent ? present : later)
      switch change {
      case .made: #expect(!isReloaded && playlist.timeline === old)
      case .reloaded(let previous): #expect(isReloaded && previous === old && playlist.timeline !== old)
      case .none, .late: Issue.record("\(change) at \(position) of \(end)")
      }
    }
  }
}
