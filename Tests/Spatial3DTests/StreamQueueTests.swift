import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// The chunks of a stream: in its queue, and as the reader delivers them.
@Suite struct StreamQueueTests {
  private func segment(_ start: Int, _ frames: Int, _ startsLap: Bool = false) -> StreamQueue.Segment {
    .init(start: start, frameCount: frames, startsLap: startsLap)
  }

  @Test func `A queue of several segments has their frames, one after the other`() {
    var queue = StreamQueue()
    #expect(queue.position(at: 0) == 0 && queue.position(at: 9) == 0 && queue.frameCount == 0 && !queue.hasLaps)
    queue.append([segment(50, 3), segment(10, 2, true)])
    queue.append([segment(12, 4)])
    #expect((0..<10).map { queue.position(at: $0) } == [50, 51, 52, 10, 11, 12, 13, 14, 15, 16])
    // A frame before the queue is its first.
    #expect(queue.position(at: -5) == 50)
    #expect(queue.frameCount == 9 && queue.chunkCount == 2 && queue.hasLaps)
    check(queue.laps(before: 3), [])
    check(queue.countedChunks, 0)
    check(queue.laps(before: 5), [3])
    check(queue.countedChunks, 1)
    check(queue.laps(before: 5), [])
    check(queue.laps(before: 2), [])
    queue.removeFirst(1)
    #expect(queue.frameCount == 4 && queue.chunkCount == 1 && !queue.hasLaps && queue.countedChunks == 0)
    #expect(queue.position(at: 0) == 12)
    // More than there are.
    queue.removeFirst(5)
    #expect(queue.frameCount == 0 && queue.chunkCount == 0)
    // Removed chunks are no longer counted.
    queue.append([segment(0, 5, true)])
    check(queue.laps(before: 1), [0])
    queue.removeAll()
    #expect(queue.frameCount == 0 && queue.chunkCount == 0)
    queue.append([segment(0, 5, true), segment(0, 5, true)])
    check(queue.laps(before: 10), [0, 5])
  }

  @Test func `A lap begins at the first frame that is mixed, not before and not twice`() {
    var queue = StreamQueue()
    for _ in 0..<3 { queue.append([segment(0, 2, true), segment(0, 3, true)]) }
    var found: [Int] = []
    for frame in 0...15 {
      let laps = queue.laps(before: frame)
      #expect(laps.allSatisfy { $0 == frame - 1 })
      found += laps
    }
    #expect(found == [0, 2, 5, 7, 10, 12])
    #expect(queue.countedChunks == 3)
  }

  @Test func `Silence ahead of a queue stays at the queue's first frame`() {
    var queue = StreamQueue()
    #expect(StreamQueue.Segment(start: 0, frameCount: 1, startsLap: false).isSilent == false)
    queue.prepend(silence: 2)
    #expect(queue.position(at: 0) == 0 && queue.position(at: 2) == 0 && queue.position(at: 5) == 0)
    queue.removeAll()
    queue.append([segment(40, 3)])
    queue.prepend(silence: 2)
    #expect((0..<7).map { queue.position(at: $0) } == [40, 40, 40, 41, 42, 43, 43])
    #expect(queue.frameCount == 5 && queue.chunkCount == 2 && !queue.hasLaps)
    check(queue.laps(before: 5), [])
    queue.removeFirst(1)
    #expect(queue.position(at: 1) == 41 && queue.countedChunks == 1)
  }

  /// A reader's frames and laps, one frame after the other.
  private struct Model {
    let length: Int
    let chunkLength: Int
    var next = 0
    var startsLap = false

    mutating func read(_ request: StreamState.Request) -> (frames: [Int], laps: [Int], isEnd: Bool, isEmptyLap: Bool) {
      if let target = request.target { (next, startsLap) = (target, false) }
      var (frames, laps): ([Int], [Int]) = ([], [])
      while frames.count < chunkLength {
        let loop = request.loop.flatMap { next < $0.upperBound ? $0 : nil }
        if next < length {
          if startsLap { laps.append(frames.count) }
          frames.append(next)
          (next, startsLap) = (next + 1, false)
          guard request.loop?.upperBound == next else { continue }
        } else {
          guard let loop, !startsLap, next > loop.lowerBound else { return (frames, laps, true, request.loop != nil) }
        }
        (next, startsLap) = (request.loop?.lowerBound ?? 0, true)
        if frames.count >= chunkLength / 2 { break }
      }
      return (frames, laps, false, false)
    }
  }

  @Test func `A reader's chunks have the frames and laps of a reader frame by frame`() {
    for seed in 0..<1_500 {
      var random = SplitMix64(seed: UInt64(seed))
      let length = Int.random(in: 1...300, using: &random)
      let format = seed % 3 == 0 ? Scenes.stereo : Scenes.mono
      let samples = (0..<length * format.channelCount).map { Float($0 + 1) / 1_024 }
      guard let pcm = try? PCMBuffer(samples: samples, format: format) else {
        Issue.record("No samples")
        return
      }
      var reader = SampleReader(pcm)
      if seed % 2 == 0 { reader.blockLength = Int.random(in: 1...80, using: &random) }
      var model = Model(length: length, chunkLength: Int.random(in: 64...200, using: &random))
      let chunks = StreamReader(reader, chunkLength: model.chunkLength)
      #expect(chunks.format == format)
      var loop: Range<Int>?
      for number in 0..<12 {
        if Int.random(in: 0..<4, using: &random) == 0 {
          let lower = Int.random(in: 0..<length, using: &random)
          let upper = Int.random(in: lower + 1...max(lower + 1, length), using: &random)
          loop = [nil, lower..<upper, 0..<Int.max, lower..<length + 5].randomElement(using: &random) ?? nil
        }
        let isMoved = number == 0 || Int.random(in: 0..<4, using: &random) == 0
        let target = isMoved ? Int.random(in: 0..<length, using: &random) : nil
        let request = StreamState.Request(generation: 0, target: target, loop: loop)
        let expected = model.read(request)
        let delivery = chunks.read(request)
        let frames = delivery.chunk.flatMap { Array($0.start..<$0.start + $0.frameCount) }
        var (laps, start): ([Int], Int) = ([], 0)
        for segment in delivery.chunk {
          if segment.startsLap { laps.append(start) }
          start += segment.frameCount
        }
        #expect(frames == expected.frames && laps == expected.laps, "\(seed) \(request)")
        #expect(
          delivery.isEnd == expected.isEnd && delivery.isEmptyLap == expected.isEmptyLap && delivery.failure == nil
        )
        let fade = min(64, frames.count)
        let heard = frames.enumerated().flatMap { index, frame in
          (0..<format.channelCount).map { channel -> Float in
            let sample = samples[frame * format.channelCount + channel]
            return (target ?? 0) > 0 ? sample * Float(min(index, fade)) / Float(fade) : sample
          }
        }
        #expect(delivery.samples.samples == heard, "\(seed) \(request)")
        if delivery.isEnd { break }
      }
    }
  }

  private final class Log: Sendable {
    let calls = Lock<[String]>([])
  }

  /// A reader that reports its seeks and reads.
  private struct Observed: PCMReader, Sendable {
    var reader: SampleReader
    let report: @Sendable (String) -> Void
    var format: PCMFormat { reader.format }
    var frameCount: Int? { reader.frameCount }

    mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) throws(SampleReader.Broken) -> Int {
      report("\(maxFrames)")
      return try reader.read(into: &buffer, maxFrames: maxFrames)
    }

    mutating func seek(toFrame frame: Int) throws(SampleReader.Broken) {
      report("to \(frame)")
      try reader.seek(toFrame: frame)
    }
  }

  @Test func `A reader is moved only where it is elsewhere, and reads a short loop once`() {
    let log = Log()
    func calls() -> [String] {
      log.calls.withLock { calls in
        defer { calls = [] }
        return calls
      }
    }
    let observed = Observed(reader: SampleReader(frames: 500)) { call in log.calls.withLock { $0.append(call) } }
    let reader = StreamReader(observed, chunkLength: 100)
    func read(_ target: Int?, _ loop: Range<Int>?) { _ = reader.read(.init(generation: 0, target: target, loop: loop)) }
    read(0, nil)
    #expect(calls() == ["to 0", "100"])
    read(nil, nil)
    #expect(calls() == ["100"])
    read(nil, 0..<230)
    // A chunk that is shorter than half goes on in the next lap.
    #expect(calls() == ["30", "to 0", "70"])
    read(nil, 0..<230)
    read(nil, 0..<230)
    #expect(calls() == ["100", "60"])
    read(300, 310..<410)
    #expect(calls() == ["to 300", "100"])
    read(310, 310..<410)
    #expect(calls() == ["to 310", "100"])
    read(nil, 310..<410)
    #expect(calls() == [])
    read(310, 310..<411)
    #expect(calls() == ["to 310", "100"])
  }

  @Test func `A reader that fails delivers what it had read, and the sample that cannot be played`() throws {
    var reader = SampleReader(frames: 500)
    reader.failingFrame = 30
    reader.blockLength = 20
    let failing = StreamReader(reader, chunkLength: 100)
    let delivery = failing.read(.init(generation: 0, target: 0, loop: nil))
    #expect(delivery.failure?.message == "\"music.ogg\" is damaged" && delivery.failure?.code == .readFailed)
    #expect(delivery.chunk.map(\.frameCount) == [20, 10] && delivery.samples.frameCount == 30 && !delivery.isEnd)
    var samples = [Float](repeating: 0, count: 400)
    samples[2 * 150 + 1] = .nan
    let bad = SampleReader(try PCMBuffer(samples: samples, format: Scenes.stereo))
    let stereo = StreamReader(bad, chunkLength: 100)
    check(stereo.read(.init(generation: 0, target: 0, loop: nil)).failure, nil)
    let message = try #require(stereo.read(.init(generation: 0, target: nil, loop: nil)).failure?.message)
    #expect(message.hasPrefix("frame 150 of the sound has the sample nan in channel 1,"), "\(message)")
  }

  @Test func `A chunk is an eighth of the look-ahead, which lies between 60 ms and a second`() {
    for (milliseconds, frames) in [
      (0, 360), (59, 360), (60, 360), (61, 366), (500, 3_000), (999, 5_994), (1_000, 6_000), (5_000, 6_000), (-5, 360),
    ] {
      #expect(LookAhead(.milliseconds(milliseconds)).chunkLength(at: 48_000) == frames)
    }
    #expect(LookAhead(.seconds(1)).chunkLength(at: 511) == 64 && LookAhead(.seconds(1)).chunkLength(at: 520) == 65)
  }
}
