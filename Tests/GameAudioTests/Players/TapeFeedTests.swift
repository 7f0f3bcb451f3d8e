import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// A `TapeFeed`: the frames that its reader has read, and the changes that are possible beside the reader.
@Suite struct TapeFeedTests {
  private static let format = PCMFormat.mono(sampleRate: 50)

  /// Tracks of some frames; each sample encodes its track and its frame.
  private static func tracks(_ counts: [Int]) throws -> [Int: Track] {
    var tracks: [Int: Track] = [:]
    for (index, count) in counts.enumerated() {
      let samples = (0..<count).map { Float(index) + Float($0 + 1) / 1_024 }
      let pcm = try PCMBuffer(samples: samples, format: format)
      let content = SoundContent(name: "track \(index)", source: .samples(pcm))
      tracks[index] = try Track(Sound(contents: [content]))
    }
    return tracks
  }

  private static func feed(_ counts: [Int]) throws -> TapeFeed {
    let pieces = counts.enumerated().map { Tape.Piece(id: $0, frameCount: $1) }
    return TapeFeed(Tape(pieces), try tracks(counts), format)
  }

  @Test func `A change is possible where the present reader has not read`() throws {
    let feed = try Self.feed([100])
    func allows(_ position: Int?) -> Bool { feed.change { _ in position } != .late }
    // Nobody reads yet.
    #expect(allows(0) && allows(5) && allows(nil))
    let first = feed.beginReading()
    #expect(allows(0))
    let request = try #require(feed.request(at: 10, upTo: 30, in: first))
    #expect(request.id == 0 && request.frame == 10 && request.lap == 0 && request.count == 30 && request.loop == nil)
    #expect(!allows(39) && allows(40) && allows(nil) && !allows(0))
    #expect(feed.request(at: 90, upTo: 30, in: first)?.count == 10)
    #expect(!allows(99) && allows(100))
    #expect(feed.request(at: 100, upTo: 30, in: first) == nil)
    #expect(!allows(100) && !allows(5_000) && allows(nil))
    let second = feed.beginReading()
    #expect(second != first && allows(0))
    // The reader before changes nothing.
    _ = feed.request(at: 0, upTo: 60, in: first)
    _ = feed.request(at: 100, upTo: 60, in: first)
    feed.note(try PCMBuffer(samples: [0.5, 0.5], format: Self.format), at: 30, in: first)
    #expect(allows(0) && feed.level(at: 0) == 0)
    _ = feed.request(at: 100, upTo: 60, in: second)
    #expect(!allows(5_000))
    feed.note(try PCMBuffer(samples: [0.5, 0.5], format: Self.format), at: 30, in: second)
    #expect(!allows(31) && allows(32) && feed.level(at: 30) == 0.5)
    #expect(feed.readings(at: 30, gain: 1) == [MeterReading(average: 0.5, peak: 0.5)])
  }

  @Test func `A change that is not possible leaves the tape and the tracks`() throws {
    let feed = try Self.feed([100])
    let other = try #require(try Self.tracks([1, 7])[1])
    let session = feed.beginReading()
    _ = feed.request(at: 0, upTo: 60, in: session)
    let refused = feed.change(adding: (1, other)) { tape in
      _ = tape.append(Tape.Piece(id: 1, frameCount: 7))
      return 59
    }
    #expect(refused == .late && feed.tape.pieces.map(\.id) == [0] && feed.removeTracks(of: [1]).isEmpty)
    let kept = feed.change(adding: (1, other)) { tape in
      _ = tape.append(Tape.Piece(id: 1, frameCount: 7))
      return nil
    }
    #expect(kept == .none && feed.tape.pieces.map(\.id) == [0] && feed.removeTracks(of: [1]).isEmpty)
    let changed = feed.change(adding: (1, other)) { $0.append(Tape.Piece(id: 1, frameCount: 7)) }
    #expect(changed == .made && feed.tape.pieces.map(\.id) == [0, 1] && feed.tape.length == 107)
    #expect(feed.request(at: 103, upTo: 60, in: session)?.id == 1)
    #expect(feed.request(at: 103, upTo: 60, in: session)?.count == 4)
    #expect(feed.name == "track 0" && feed.isInMemory)
    #expect(feed.removeTracks(of: [0, 5]).map(\.name) == ["track 0"])
    // A piece without its track is the end.
    #expect(feed.request(at: 3, upTo: 60, in: session) == nil && feed.name == "of a player")
  }

  @Test func `A sound ends at the frame of its request, and the problem is that of the present reader`() throws {
    for sentence in [nil, "cut"] as [String?] {
      let feed = try Self.feed([100, 20])
      let old = feed.beginReading()
      let session = feed.beginReading()
      let request = try #require(feed.request(at: 40, upTo: 60, in: session))
      feed.end(request, at: 40, because: sentence, in: old)
      #expect(feed.tape.length == 60 && feed.takeProblems(until: .max).isEmpty)
      feed.end(request, at: 40, because: sentence, in: session)
      #expect(feed.takeProblems(until: 39).isEmpty)
      let problems = feed.takeProblems(until: 40)
      #expect(problems.map(\.sentence) == [sentence].compactMap(\.self) && problems.allSatisfy { $0.position == 40 })
      #expect(feed.takeProblems(until: .max).isEmpty)
    }
    let feed = try Self.feed([10])
    let session = feed.beginReading()
    for position in [5, 1, 9] { feed.report("at \(position)", at: position, in: session) }
    #expect(
      feed.takeProblems(until: 5).map(\.position) == [5, 1] && feed.takeProblems(until: 9).map(\.position) == [9]
    )
  }

  @Test func `A tape forgets what is over for a second, and what no reader needs any more`() throws {
    for (position, hasReader, end, left, passed) in [
      (149, false, 0, 3, 1), (150, false, 0, 2, 1), (249, false, 0, 2, 2), (250, false, 0, 1, 2), (99, false, 0, 3, 0),
      (900, false, 0, 1, 2), (250, true, 0, 3, 0), (250, true, 250, 1, 2), (150, true, 250, 2, 1),
      (900, true, 140, 3, 1), (900, true, 150, 2, 1), (900, true, 99, 3, 0),
    ] as [(Int, Bool, Int, Int, Int)] {
      let feed = try Self.feed([100, 100, 100])
      let session = feed.beginReading()
      if end > 0 { _ = feed.request(at: end - 9, upTo: 9, in: session) }
      let tracks = feed.pass(position, hasReader: hasReader)
      #expect(tracks.count == passed, "\(position), \(hasReader), \(end)")
      #expect(feed.tape.pieces.count == left && feed.tape.length == 300, "\(position), \(hasReader), \(end)")
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `A reader has the frames of a tape in any pieces, from any place`(seed: UInt64) throws {
    var random = SplitMix64(seed: 700 + seed)
    for _ in 0..<60 {
      let counts = (0..<Int.random(in: 1...3, using: &random)).map { _ in Int.random(in: 1...40, using: &random) }
      let tracks = try Self.tracks(counts)
      var (pieces, expected): ([Tape.Piece], [Float]) = ([], [])
      for (index, count) in counts.enumerated() {
        let lower = Int.random(in: 0..<count, using: &random)
        let loop = lower..<Int.random(in: lower + 1...count, using: &random)
        let repeats = Int.random(in: 0...3, using: &random)
        pieces.append(Tape.Piece(id: index, frameCount: count, loopRange: loop, repeats: .times(repeats)))
        let frames = (0..<count).map { Float(index) + Float($0 + 1) / 1_024 }
        expected += frames[..<loop.upperBound]
        for _ in 0..<repeats { expected += frames[loop] }
        expected += frames[loop.upperBound...]
      }
      let feed = TapeFeed(Tape(pieces), tracks, Self.format)
      var reader = TapeReader(feed)
      var buffer = PCMBuffer<Float>(format: Self.format)
      for _ in 0..<4 {
        let start = Bool.random(using: &random) ? 0 : Int.random(in: 0..<expected.count, using: &random)
        reader.seek(toFrame: start)
        var samples: [Float] = []
        while true {
          let count = reader.read(into: &buffer, maxFrames: Int.random(in: 1...50, using: &random))
          #expect(count == buffer.frameCount)
          if count == 0 { break }
          samples += buffer.samples
        }
        #expect(samples == Array(expected[start...]) + [0])
      }
      #expect(feed.takeProblems(until: .max).isEmpty)
    }
  }
}
