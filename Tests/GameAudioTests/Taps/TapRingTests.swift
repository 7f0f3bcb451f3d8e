import AudioSupport
import PCM
import TestSupport
import Testing

@testable import GameAudio

/// The ring between the thread that mixes and the reader of a tap.
@Suite struct TapRingTests {
  private static let stereo = PCMFormat.stereo(sampleRate: 48_000)

  /// The samples of frames of a mix: a number for each frame, which repeats after 10,007 frames.
  private static func samples(_ frames: Range<Int>) -> [Float] {
    let first = frames.lowerBound % 10_007
    return Array(numbers[2 * first..<2 * (first + frames.count)])
  }

  private static let numbers = (0..<2 * 25_000).map { Float($0 / 2 % 10_007) * ($0.isMultiple(of: 2) ? 1 : -1) }

  /// What a reader of a ring has so far.
  private struct Reader {
    var nextFrame: Int?
    var frames = 0
    var lost = 0

    mutating func take(_ ring: TapRing) -> MixChunk? {
      guard let chunk = ring.take() else { return nil }
      let last = chunk.frame + chunk.samples.frameCount
      #expect(chunk.samples.frameCount > 0 && (chunk.frame / 512 + 1) * 512 >= last)
      if let nextFrame { #expect(chunk.frame == nextFrame + chunk.lostFrames) }
      #expect(chunk.samples.samples == TapRingTests.samples(chunk.frame..<last))
      nextFrame = last
      frames += chunk.samples.frameCount
      lost += chunk.lostFrames
      return chunk
    }
  }

  @Test(arguments: [false, true])
  func `Pieces of any length arrive in order, and losses are counted`(endsWithPieces: Bool) {
    var numbers = SplitMix64(seed: 41)
    for _ in 0..<100 {
      let size = Int.random(in: 1...4_096, using: &numbers)
      let ring = TapRing(format: Self.stereo, frameCount: size, endsWithPieces: endsWithPieces)
      var (reader, frame, written) = (Reader(), Int.random(in: 0...5_000, using: &numbers), 0)
      for _ in 0..<60 {
        let count = Int.random(in: 1...1_300, using: &numbers)
        let isReady = ring.write(Self.samples(frame..<frame + count).span, at: frame)
        frame += count
        written += count
        #expect(isReady || !endsWithPieces || ring.lostFrames > 0)
        for _ in 0..<Int.random(in: 0...4, using: &numbers) { _ = reader.take(ring) }
      }
      ring.publish()
      while reader.take(ring) != nil {}
      // Frames that were lost behind the last chunk have no chunk that counts them.
      #expect(reader.frames + ring.lostFrames == written && reader.lost <= ring.lostFrames)
    }
  }

  @Test func `Without a loss, chunks end at multiples of 512 frames`() {
    let ring = TapRing(format: Self.stereo, frameCount: 4_096, endsWithPieces: false)
    var reader = Reader()
    func next() -> [Int]? { reader.take(ring).map { [$0.frame, $0.samples.frameCount] } }
    var isReady = ring.write(Self.samples(100..<300).span, at: 100)
    #expect(!isReady && next() == nil)
    isReady = ring.write(Self.samples(300..<1_200).span, at: 300)
    #expect(isReady && next() == [100, 412])
    #expect(next() == [512, 512])
    #expect(next() == nil && ring.publish() && !ring.publish())
    #expect(next() == [1_024, 176])
  }

  @Test func `A full ring keeps the first frames, and the next chunk counts the others`() {
    let ring = TapRing(format: Self.stereo, frameCount: 1_024, endsWithPieces: false)
    _ = ring.write(Self.samples(0..<10_240).span, at: 0)
    #expect(ring.lostFrames == 10_240 - 4 * 512)
    for frame in [0, 512, 1_024, 1_536] { #expect(ring.take().map { [$0.frame, $0.lostFrames] } == [frame, 0]) }
    #expect(ring.take() == nil)
    _ = ring.write(Self.samples(10_240..<10_752).span, at: 10_240)
    #expect(ring.take().map { [$0.frame, $0.lostFrames] } == [10_240, 8_192])
  }

  @Test func `A gap of the mix is no loss`() {
    let ring = TapRing(format: Self.stereo, frameCount: 4_096, endsWithPieces: false)
    _ = ring.write(Self.samples(0..<100).span, at: 0)
    let isReady = ring.write(Self.samples(300..<400).span, at: 300)
    #expect(isReady)
    #expect(ring.take().map { [$0.frame, $0.samples.frameCount, $0.lostFrames] } == [0, 100, 0])
    ring.publish()
    #expect(ring.take().map { [$0.frame, $0.samples.frameCount, $0.lostFrames] } == [300, 100, 0])
  }

  @Test(.hangLimit) func `A million frames arrive on another thread, none twice`() async throws {
    let ring = TapRing(format: Self.stereo, frameCount: 4_096, endsWithPieces: false)
    let total = 1_000_000
    let writer = Task.detached {
      var (numbers, frame) = (SplitMix64(seed: 7), 0)
      while frame < total {
        let count = min(Int.random(in: 1...1_024, using: &numbers), total - frame)
        _ = ring.write(Self.samples(frame..<frame + count).span, at: frame)
        frame += count
      }
      ring.publish()
    }
    let reader = Task.detached {
      var reader = Reader()
      while reader.frames + ring.lostFrames < total { if reader.take(ring) == nil { await Task.yield() } }
      return reader
    }
    await writer.value
    let result = await reader.value
    #expect(result.frames + ring.lostFrames == total && result.lost <= ring.lostFrames && ring.take() == nil)
  }
}
