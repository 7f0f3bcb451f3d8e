import TestSupport
import Testing

@testable import GameAudio

/// The arithmetic of timeline, against lists of frames.
@Suite struct PlaybackTimelineTests {
  /// A frame of a piece.
  private struct Frame: Hashable {
    let piece: Int
    let frame: Int
    let lap: Int
  }

  /// All frames of pieces, one after the other.
  private func frames(of timeline: PlaybackTimeline) -> [Frame] {
    var frames: [Frame] = []
    for (index, piece) in timeline.pieces.enumerated() {
      var frame = 0
      var lap = 0
      while frame < piece.frameCount {
        frames.append(Frame(piece: index, frame: frame, lap: lap))
        frame += 1
        if lap < piece.repetitions, frame == piece.loopRange.upperBound {
          (frame, lap) = (piece.loopRange.lowerBound, lap + 1)
        }
      }
    }
    return frames
  }

  private func piece(_ id: Int, _ random: inout SplitMix64) -> PlaybackTimeline.Piece {
    let count = Int.random(in: 0...9, using: &random)
    let lower = Int.random(in: -1...9, using: &random)
    let range = lower..<(lower + Int.random(in: 0...9, using: &random))
    let repeats = Repeats.times(Int.random(in: -1...4, using: &random))
    return PlaybackTimeline.Piece(
      id: id,
      frameCount: count,
      loopRange: Bool.random(using: &random) ? range : nil,
      repeats: repeats
    )
  }

  @Test func `Each position of thousands of timelines is the frame of a list`() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<4_000 {
      let timeline = PlaybackTimeline((0..<Int.random(in: 0...3, using: &random)).map { piece($0, &random) })
      let list = frames(of: timeline)
      #expect(timeline.length == list.count)
      #expect(timeline.location(at: list.count) == nil)
      for (position, frame) in list.enumerated() {
        guard let location = timeline.location(at: position) else {
          Issue.record("no location at \(position) of \(timeline)")
          continue
        }
        let found = Frame(piece: location.index, frame: location.frame, lap: location.lap)
        #expect(found == frame)
        let run = list[position...].enumerated().prefix { offset, next in
          next.piece == frame.piece && next.lap == frame.lap && next.frame == frame.frame + offset
        }
        #expect(location.count == run.count)
      }
    }
  }

  @Test func `Positions keep their meaning where a timeline forgets its first pieces`() {
    var random = SplitMix64(seed: 4)
    var forgotten = 0
    for _ in 0..<4_000 {
      let timeline = PlaybackTimeline((0..<Int.random(in: 1...4, using: &random)).map { piece($0, &random) })
      let list = frames(of: timeline)
      let position = Int.random(in: 0...list.count, using: &random)
      var shorter = timeline
      shorter.forget(before: position)
      let count = timeline.pieces.count - shorter.pieces.count
      forgotten += count
      #expect(shorter.length == timeline.length && !shorter.pieces.isEmpty)
      for later in position...list.count + 1 {
        let (old, new) = (timeline.location(at: later), shorter.location(at: later))
        #expect(new?.index == old.map { $0.index - count } && new?.frame == old?.frame)
        #expect(new?.lap == old?.lap && new?.count == old?.count)
        #expect(shorter.laps(at: later) == timeline.laps(at: later))
        #expect(shorter.piece(at: later)?.id == timeline.piece(at: later)?.id)
      }
      // A piece that is over at the position is forgotten, except for the last one.
      if let start = timeline.start(of: 1), start <= position, timeline.pieces.count > 1 { #expect(count > 0) }
      var (changed, expected) = (shorter, timeline)
      #expect(changed.setRepeats(.times(2), at: position) == expected.setRepeats(.times(2), at: position))
      #expect(changed.endWithLap(at: position) == expected.endWithLap(at: position))
      #expect(
        changed.append(PlaybackTimeline.Piece(id: 9, frameCount: 3))
          == expected.append(PlaybackTimeline.Piece(id: 9, frameCount: 3))
      )
      #expect(changed.length == expected.length)
    }
    #expect(forgotten > 500)
  }

  @Test func `A change of the repetitions leaves the frames before its divergence`() {
    var random = SplitMix64(seed: 2)
    var changes = 0
    for _ in 0..<4_000 {
      let timeline = PlaybackTimeline((0..<Int.random(in: 1...3, using: &random)).map { piece($0, &random) })
      let old = frames(of: timeline)
      let position = Int.random(in: 0...max(old.count, 1), using: &random)
      var changed = timeline
      guard let divergence = changed.setRepeats(.times(Int.random(in: 0...6, using: &random)), at: position) else {
        #expect(changed == timeline)
        continue
      }
      changes += 1
      #expect(divergence > position)
      let new = frames(of: changed)
      #expect(new.prefix(divergence) == old.prefix(divergence))
      #expect(new != old)
    }
    #expect(changes > 500)
  }

  @Test func `A timeline that ends with its lap has the frames up to the end of the loop`() {
    var random = SplitMix64(seed: 3)
    for _ in 0..<4_000 {
      let timeline = PlaybackTimeline((0..<Int.random(in: 1...3, using: &random)).map { piece($0, &random) })
      let old = frames(of: timeline)
      let position = Int.random(in: 0...max(old.count, 1), using: &random)
      var changed = timeline
      let end = changed.endWithLap(at: position)
      let new = frames(of: changed)
      #expect(end == new.count)
      #expect(new == Array(old.prefix(new.count)))
      guard position < old.count else { continue }
      let present = timeline.pieces[old[position].piece]
      let isInLoop = old[position].frame < present.loopRange.upperBound
      #expect(new.last?.frame == (isInLoop ? present.loopRange.upperBound : present.frameCount) - 1)
    }
  }

  @Test func `A timeline that repeats forever has positions without an end`() {
    var timeline = PlaybackTimeline([PlaybackTimeline.Piece(id: 0, frameCount: 10, loopRange: 2..<6, repeats: .forever)]
    )
    #expect(timeline.length == nil)
    #expect(timeline.location(at: 2 + 4 * 1_000_000_000 + 1) == .init(index: 0, frame: 3, lap: 1_000_000_000, count: 3))
    #expect(timeline.append(PlaybackTimeline.Piece(id: 1, frameCount: 5)) == .max)
    #expect(timeline.setRepeats(.times(1), at: 11) == 14)
    #expect(timeline.length == 10 + 8 + 5)
  }

  @Test func `A sound that finds its end repeats from there on`() {
    var timeline = PlaybackTimeline([PlaybackTimeline.Piece(id: 0, frameCount: .max, repeats: .times(2))])
    #expect(timeline.length == nil)
    timeline.end(id: 0, atFrame: 7, ofLap: 0, isFailure: false)
    #expect(timeline.length == 21)
    #expect(timeline.location(at: 7) == .init(index: 0, frame: 0, lap: 1, count: 7))
  }

  @Test func `The end of a loop removes the sounds behind one whose length is not known`() {
    var timeline = PlaybackTimeline([
      PlaybackTimeline.Piece(id: 0, frameCount: .max), PlaybackTimeline.Piece(id: 1, frameCount: 4),
    ])
    #expect(timeline.endWithLap(at: 20) == .max && timeline.pieces.map(\.id) == [0])
    #expect(timeline.endWithLap(at: 20) == nil)
  }

  @Test func `A sound that does not know its end does not repeat at that of its loop`() {
    var timeline = PlaybackTimeline([PlaybackTimeline.Piece(id: 0, frameCount: .max, repeats: .forever)])
    #expect(timeline.endWithLap(at: 3) == .max)
    #expect(timeline.endWithLap(at: 3) == nil)
    timeline.end(id: 0, atFrame: 7, ofLap: 0, isFailure: false)
    #expect(timeline.length == 7)
  }

  @Test func `The repetitions of a sound that does not know its end are changed`() {
    var timeline = PlaybackTimeline([PlaybackTimeline.Piece(id: 0, frameCount: .max, repeats: .forever)])
    #expect(timeline.setRepeats(.forever, at: 3) == nil)
    #expect(timeline.setRepeats(.times(1), at: 3) == .max)
    timeline.end(id: 0, atFrame: 7, ofLap: 0, isFailure: false)
    #expect(timeline.length == 14)
  }

  @Test func `A sound that fails ends in its lap`() {
    var timeline = PlaybackTimeline([
      PlaybackTimeline.Piece(id: 0, frameCount: 10, repeats: .forever), PlaybackTimeline.Piece(id: 1, frameCount: 4),
    ])
    timeline.end(id: 0, atFrame: 3, ofLap: 2, isFailure: true)
    #expect(timeline.length == 23 + 4)
    #expect(timeline.location(at: 23)?.index == 1)
  }

  @Test func `A length beyond the largest integer is none`() {
    let pieces = [
      PlaybackTimeline.Piece(id: 0, frameCount: .max / 2 + 1), PlaybackTimeline.Piece(id: 1, frameCount: .max / 2),
    ]
    #expect(pieces[0].length == .max / 2 + 1 && PlaybackTimeline(pieces).start(of: 1) == .max / 2 + 1)
    #expect(PlaybackTimeline(pieces).length == nil && PlaybackTimeline(pieces).start(of: 2) == nil)
    #expect(PlaybackTimeline([PlaybackTimeline.Piece(id: 0, frameCount: 10, repeats: .times(.max - 1))]).length == nil)
    #expect(PlaybackTimeline([PlaybackTimeline.Piece(id: 0, frameCount: 1, repeats: .times(.max - 1))]).length == nil)
    #expect(
      PlaybackTimeline([PlaybackTimeline.Piece(id: 0, frameCount: 1, repeats: .times(.max - 2))]).length == .max - 1
    )
    #expect(PlaybackTimeline.Piece(id: 0, frameCount: .max - 1).length == .max - 1)
    #expect(PlaybackTimeline([]).length == 0 && PlaybackTimeline.Piece(id: 0, frameCount: -5).frameCount == 0)
  }

  @Test func `A loop is short up to 4,096 frames, inside of its range and before its last lap`() {
    func loop(_ count: Int, at position: Int, laps: Int = 3, upTo most: Int = 100_000) -> SharedTimeline.ShortLoop? {
      let range = 10..<10 + count
      let timeline = PlaybackTimeline([
        PlaybackTimeline.Piece(id: 0, frameCount: count + 30, loopRange: range, repeats: .times(laps))
      ])
      return timeline.location(at: position).flatMap { timeline.shortLoop(at: $0, upTo: most) }
    }
    #expect(loop(4_096, at: 10)?.range == 10..<4_106 && loop(4_097, at: 10) == nil)
    #expect(loop(100, at: 9) == nil && loop(100, at: 10) != nil && loop(100, at: 109) != nil)
    // Three laps of 100 frames, up to the end of the last but one; the last lap goes on behind the loop.
    #expect(loop(100, at: 10)?.count == 300 && loop(100, at: 60)?.count == 250 && loop(100, at: 110)?.count == 200)
    #expect(loop(100, at: 210)?.count == 100 && loop(100, at: 309)?.count == 1 && loop(100, at: 310) == nil)
    #expect(loop(100, at: 10, upTo: 299)?.count == 299 && loop(100, at: 10, upTo: 300)?.count == 300)
    #expect(loop(100, at: 10, upTo: 301)?.count == 300 && loop(100, at: 10, laps: 0) == nil)
    #expect(loop(100, at: 10, laps: .max - 1, upTo: 4_000)?.count == 4_000)
  }
}
