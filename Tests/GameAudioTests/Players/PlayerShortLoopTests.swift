import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// Loops of a player that are shorter than what a seek costs.
@Suite struct PlayerShortLoopTests {
  private final class Count: Sendable {
    private let value = Lock(0)
    var now: Int { value.withLock { $0 } }
    func add() { value.withLock { $0 += 1 } }
  }

  /// A reader that counts its seeks.
  private struct Counting: PCMReader, Sendable {
    let samples: PCMBuffer<Float>
    let seeks: Count
    var next = 0
    var format: PCMFormat { samples.format }
    var frameCount: Int? { samples.frameCount }

    mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) -> Int {
      // A decoder delivers fewer frames than there is room for.
      let count = min(maxFrames, samples.frameCount - next, 300)
      let part = samples.frames(next..<next + count).samples
      buffer.removeAll(adopting: format)
      next += count
      return buffer.append(frames: count) { room in for sample in part { room.append(sample) } }
    }

    mutating func seek(toFrame frame: Int) {
      next = min(frame, samples.frameCount)
      seeks.add()
    }
  }

  @Test(arguments: [1, 2, 333, 4_096, 4_097], [3, 40])
  func `The laps of a short loop need no seek, and are exact to the sample`(length: Int, laps: Int) throws {
    var fixture = try PlayerFixture(PlayerFixture.mono)
    let noise = try PlayerFixture.noise(6_000, PlayerFixture.mono)
    let seeks = Count()
    let sound = Sound(streaming: "a counting reader") { Counting(samples: noise, seeks: seeks) }
    let player = try SoundPlayer(
      playing: sound,
      in: fixture.world,
      on: fixture.world.mixer.makeBus("music", kind: .direct)
    )
    let range = 1_000..<1_000 + length
    (player.loopRange, player.repeats) = (range, .times(laps))
    player.play()
    let loop = PlayerFixture.samples(noise, range)
    let expected =
      PlayerFixture.samples(noise, 0..<1_000) + (0...laps).flatMap { _ in loop }
      + PlayerFixture.samples(noise, range.upperBound..<6_000)
    let mix = fixture.offline.render(frameCount: expected.count).samples
    let peak = expected.map(\.magnitude).max() ?? 0
    let factor = (mix.map(\.magnitude).max() ?? 0) / peak
    #expect(factor > 0.5 && largestDifference(mix, expected.map { $0 * factor }) < 1e-4)
    // One for the loop, and one for what follows it.
    let count = seeks.now
    if length <= SharedTimeline.ShortLoop.mostFrames { #expect(count <= 3) } else { #expect(count >= laps) }
    #expect(!player.isPlaying || laps > 0)
  }

  @Test func `A loop of one frame that is ended goes on behind itself`() throws {
    var fixture = try PlayerFixture(PlayerFixture.mono)
    let noise = try PlayerFixture.noise(4_000, PlayerFixture.mono)
    let seeks = Count()
    let sound = Sound(streaming: "a counting reader") { Counting(samples: noise, seeks: seeks) }
    let player = try SoundPlayer(playing: sound, in: fixture.world)
    (player.loopRange, player.repeats) = (1_000..<1_001, .forever)
    let ends = Count()
    let token = player.observe { event in if case .finished = event { ends.add() } }
    player.play()
    fixture.offline.render(frameCount: 96_000)
    #expect(player.isPlaying && seeks.now <= 3)
    player.repeats = 0
    fixture.offline.render(frameCount: 48_000)
    #expect(!player.isPlaying && ends.now == 1 && seeks.now <= 9)
    withExtendedLifetime(token) {}
  }

  @Test(arguments: 1...200)
  func `A short loop has the frames of its places`(seed: Int) {
    var random = SplitMix64(seed: UInt64(seed))
    let frames = Int.random(in: 1...50, using: &random)
    let low = Int.random(in: 0..<frames, using: &random)
    let range = low..<Int.random(in: low + 1...frames, using: &random)
    let repeats: Repeats = Bool.random(using: &random) ? .forever : .times(Int.random(in: 0...9, using: &random))
    let timeline = PlaybackTimeline([
      PlaybackTimeline.Piece(id: 0, frameCount: frames, loopRange: range, repeats: repeats)
    ])
    for _ in 0..<50 {
      let (position, limit) = (Int.random(in: 0...300, using: &random), Int.random(in: 1...60, using: &random))
      guard let place = timeline.location(at: position) else { continue }
      guard let loop = timeline.shortLoop(at: place, upTo: limit) else {
        // The frame is outside of the loop, or in the last lap.
        #expect(place.frame < range.lowerBound || place.lap == repeats.count || place.frame >= range.upperBound)
        continue
      }
      #expect((1...limit).contains(loop.count) && loop.range == range)
      for index in 0..<loop.count {
        let frame = range.lowerBound + (place.frame - range.lowerBound + index) % range.count
        #expect(timeline.location(at: position + index)?.frame == frame)
      }
      let next = timeline.location(at: position + loop.count)
      #expect(loop.count == limit || next?.lap == repeats.count || next == nil)
    }
  }
}
