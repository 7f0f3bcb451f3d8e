import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// A `SharedTimeline`: the frames that its reader has read, and the changes that are possible beside the reader.
@Suite struct SharedTimelineTests {
  private static let format = PCMFormat.mono(sampleRate: 50)

  private struct Nothing: PCMReader, Sendable {
    let format: PCMFormat
    var frameCount: Int? { 0 }

    func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) -> Int { 0 }
    func seek(toFrame frame: Int) {}
  }

  /// Sounds of some frames; each sample encodes its sound and its frame.
  private static func sounds(_ counts: [Int]) throws -> TimelineSounds {
    var sounds = TimelineSounds()
    for (index, count) in counts.enumerated() {
      let samples = (0..<count).map { Float(index) + Float($0 + 1) / 1_024 }
      let pcm = try PCMBuffer(samples: samples, format: format)
      let content = SoundContent(name: "opened \(index)", source: .samples(pcm))
      sounds[index] = try OpenedSound(Sound(contents: [content]))
    }
    return sounds
  }

  private static func timeline(_ counts: [Int]) throws -> SharedTimeline {
    let pieces = counts.enumerated().map { PlaybackTimeline.Piece(id: $0, frameCount: $1) }
    return SharedTimeline(PlaybackTimeline(pieces), try sounds(counts), format)
  }

  @Test func `A timeline names the file that it waits for, and none beside a reader of the game`() throws {
    let file = try SoundFile(TestSignal.silence(duration: .seconds(1), format: .mono(sampleRate: 8_000)))
    let kept = Sound(TestSignal.silence(duration: .seconds(1), format: Self.format))
    let read = file.sound(streamed: true)
    let game = Sound(streaming: "game") { try AudioFile(opening: file.path) }
    for (list, waits) in [
      ([kept], false), ([read], true), ([kept, read], true), ([game], false), ([read, game], false),
    ] as [([Sound], Bool)] {
      let opened = try list.map { try OpenedSound($0) }
      let pieces = list.indices.map { PlaybackTimeline.Piece(id: $0, frameCount: 50) }
      var sounds = TimelineSounds()
      for index in list.indices { sounds[index] = opened[index] }
      let stream = LoadedSound(SharedTimeline(PlaybackTimeline(pieces), sounds, Self.format)).stream
      #expect(stream?.file == (waits ? file.path : nil) && stream?.lane == .readers)
    }
  }

  @Test func `The sounds of a timeline are found by their pieces, whichever of them was first`() throws {
    let opened = try (0..<5).map { _ in try OpenedSound(Sound(PCMBuffer(samples: [0.5], format: Self.format))) }
    var random = RandomSequence(seed: 71)
    var (sounds, expected) = (TimelineSounds(), [Int: OpenedSound]())
    for _ in 0..<500 {
      let id = Int.random(in: 0..<5, using: &random)
      if Bool.random(using: &random) {
        (sounds[id], expected[id]) = (opened[id], opened[id])
      } else {
        #expect(sounds.remove(id) === expected.removeValue(forKey: id))
      }
      for id in 0..<5 { #expect(sounds[id] === expected[id]) }
    }
    let stream = try OpenedSound(Sound(streaming: "nothing") { Nothing(format: Self.format) })
    #expect(sounds.areInMemory && TimelineSounds().areInMemory)
    for id in [0, 7] {
      sounds[id] = stream
      #expect(!sounds.areInMemory)
      sounds[id] = nil
    }
  }

  @Test func `A change is possible where the present reader has not read`() throws {
    let timeline = try Self.timeline([100])
    func allows(_ position: Int?) -> Bool { timeline.change { _ in position } != .late }
    // Nobody reads yet.
    #expect(allows(0) && allows(5) && allows(nil))
    let first = timeline.beginReading()
    #expect(allows(0))
    let request = try #require(timeline.request(at: 10, upTo: 30, in: first))
    #expect(request.id == 0 && request.frame == 10 && request.lap == 0 && request.count == 30 && request.loop == nil)
    #expect(!allows(39) && allows(40) && allows(nil) && !allows(0))
    #expect(timeline.request(at: 90, upTo: 30, in: first)?.count == 10)
    #expect(!allows(99) && allows(100))
    #expect(timeline.request(at: 100, upTo: 30, in: first) == nil)
    #expect(!allows(100) && !allows(5_000) && allows(nil))
    let second = timeline.beginReading()
    #expect(second != first && allows(0))
    // The reader before changes nothing.
    _ = timeline.request(at: 0, upTo: 60, in: first)
    _ = timeline.request(at: 100, upTo: 60, in: first)
    timeline.record(try PCMBuffer(samples: [0.5, 0.5], format: Self.format), at: 30, in: first)
    #expect(allows(0) && timeline.level(at: 0) == 0)
    _ = timeline.request(at: 100, upTo: 60, in: second)
    #expect(!allows(5_000))
    timeline.record(try PCMBuffer(samples: [0.5, 0.5], format: Self.format), at: 30, in: second)
    #expect(!allows(31) && allows(32) && timeline.level(at: 30) == 0.5)
    #expect(timeline.readings(at: 30, gain: 1) == [MeterReading(average: 0.5, peak: 0.5)])
  }

  @Test func `A change that is not possible leaves the timeline and the sounds`() throws {
    let timeline = try Self.timeline([100])
    let other = try #require(try Self.sounds([1, 7])[1])
    let session = timeline.beginReading()
    _ = timeline.request(at: 0, upTo: 60, in: session)
    let refused = timeline.change(adding: (1, other)) { timeline in
      _ = timeline.append(PlaybackTimeline.Piece(id: 1, frameCount: 7))
      return 59
    }
    #expect(refused == .late && timeline.copy.pieces.map(\.id) == [0] && timeline.removeSounds(of: [1]).isEmpty)
    let kept = timeline.change(adding: (1, other)) { timeline in
      _ = timeline.append(PlaybackTimeline.Piece(id: 1, frameCount: 7))
      return nil
    }
    #expect(kept == .none && timeline.copy.pieces.map(\.id) == [0] && timeline.removeSounds(of: [1]).isEmpty)
    let changed = timeline.change(adding: (1, other)) { $0.append(PlaybackTimeline.Piece(id: 1, frameCount: 7)) }
    #expect(changed == .made && timeline.copy.pieces.map(\.id) == [0, 1] && timeline.copy.length == 107)
    #expect(timeline.request(at: 103, upTo: 60, in: session)?.id == 1)
    #expect(timeline.request(at: 103, upTo: 60, in: session)?.count == 4)
    #expect(timeline.name == "opened 0" && timeline.isInMemory)
    #expect(timeline.removeSounds(of: [0, 5]).map(\.name) == ["opened 0"])
    // A piece without its sound is the end.
    #expect(timeline.request(at: 3, upTo: 60, in: session) == nil && timeline.name == "of a player")
  }

  @Test func `A sound ends at the frame of its request, and the problem is that of the present reader`() throws {
    for sentence in [nil, "cut"] as [String?] {
      let timeline = try Self.timeline([100, 20])
      let old = timeline.beginReading()
      let session = timeline.beginReading()
      let request = try #require(timeline.request(at: 40, upTo: 60, in: session))
      timeline.end(request, at: 40, because: sentence, in: old)
      #expect(timeline.copy.length == 60 && timeline.takeProblems(until: .max).isEmpty)
      timeline.end(request, at: 40, because: sentence, in: session)
      #expect(timeline.takeProblems(until: 39).isEmpty)
      let problems = timeline.takeProblems(until: 40)
      #expect(problems.map(\.sentence) == [sentence].compactMap(\.self) && problems.allSatisfy { $0.position == 40 })
      #expect(timeline.takeProblems(until: .max).isEmpty)
    }
    let timeline = try Self.timeline([10])
    let session = timeline.beginReading()
    for position in [5, 1, 9] { timeline.report("at \(position)", at: position, in: session) }
    #expect(
      timeline.takeProblems(until: 5).map(\.position) == [5, 1]
        && timeline.takeProblems(until: 9).map(\.position) == [9]
    )
  }

  @Test func `A timeline forgets what is over for a second, and what no reader needs any more`() throws {
    for (position, hasReader, end, left, passed) in [
      (149, false, 0, 3, 1), (150, false, 0, 2, 1), (249, false, 0, 2, 2), (250, false, 0, 1, 2), (99, false, 0, 3, 0),
      (900, false, 0, 1, 2), (250, true, 0, 3, 0), (250, true, 250, 1, 2), (150, true, 250, 2, 1),
      (900, true, 140, 3, 1), (900, true, 150, 2, 1), (900, true, 99, 3, 0),
    ] as [(Int, Bool, Int, Int, Int)] {
      let timeline = try Self.timeline([100, 100, 100])
      let session = timeline.beginReading()
      if end > 0 { _ = timeline.request(at: end - 9, upTo: 9, in: session) }
      let sounds = timeline.pass(position, hasReader: hasReader)
      #expect(sounds.count == passed, "\(position), \(hasReader), \(end)")
      #expect(timeline.copy.pieces.count == left && timeline.copy.length == 300, "\(position), \(hasReader), \(end)")
    }
  }

  @Test(arguments: 1...8 as ClosedRange<UInt64>)
  func `A reader has the frames of a timeline in any pieces, from any place`(seed: UInt64) throws {
    var random = SplitMix64(seed: 700 + seed)
    for _ in 0..<60 {
      let counts = (0..<Int.random(in: 1...3, using: &random)).map { _ in Int.random(in: 1...40, using: &random) }
      let sounds = try Self.sounds(counts)
      var (pieces, expected): ([PlaybackTimeline.Piece], [Float]) = ([], [])
      for (index, count) in counts.enumerated() {
        let lower = Int.random(in: 0..<count, using: &random)
        let loop = lower..<Int.random(in: lower + 1...count, using: &random)
        let repeats = Int.random(in: 0...3, using: &random)
        pieces.append(PlaybackTimeline.Piece(id: index, frameCount: count, loopRange: loop, repeats: .times(repeats)))
        let frames = (0..<count).map { Float(index) + Float($0 + 1) / 1_024 }
        expected += frames[..<loop.upperBound]
        for _ in 0..<repeats { expected += frames[loop] }
        expected += frames[loop.upperBound...]
      }
      let timeline = SharedTimeline(PlaybackTimeline(pieces), sounds, Self.format)
      var reader = TimelineReader(timeline)
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
      #expect(timeline.takeProblems(until: .max).isEmpty)
    }
  }
}
