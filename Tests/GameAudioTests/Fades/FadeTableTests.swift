import PCM
import Spatial3D
import TestSupport
import Testing

@testable import GameAudio

/// The steps of many fades, without a world.
@Suite struct FadeTableTests {
  private typealias Table = FadeTable<Int, Gain, Int>

  private static let rate = 48_000

  private static func fade(_ key: Int, at begin: Int, frames: Int, from: Gain = .silence, to: Gain = .unity)
    -> Table.Running
  {
    let duration = PCMFormat.mono(sampleRate: rate).duration(ofFrames: frames)
    return Table.Running(key: key, from: from, to: to, begin: begin, fade: Fade(duration, .linear), completion: frames)
  }

  /// The results of a step.
  private static func step(_ table: inout Table, at frame: Int, ahead: Int) -> (moved: [Int: Gain], ended: [Int]) {
    var (moved, ended): ([Int: Gain], [Int]) = ([:], [])
    let now = MixTime(frame: frame, rate: rate)
    table.beginStep()
    while let (key, value) = table.nextMoved(at: now, ahead: ahead) {
      let former = moved.updateValue(value, forKey: key)
      #expect(former == nil)
    }
    while let fade = table.nextEnded() { ended.append(fade.key) }
    return (moved, ended)
  }

  @Test func `Random fades move to their values a tick ahead, and end in the step after their duration`() {
    var random = SplitMix64(seed: 39)
    var table = Table()
    var expected: [Int: (begin: Int, frames: Int)] = [:]
    for tick in 0..<5_000 {
      let now = tick * 512
      for _ in 0..<Int.random(in: 0...2, using: &random) {
        let (key, frames) = (Int.random(in: 0..<8, using: &random), Int.random(in: 1...4_000, using: &random))
        table.begin(Self.fade(key, at: now, frames: frames))
        expected[key] = (now, frames)
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        let key = Int.random(in: 0..<8, using: &random)
        table.remove(key)
        expected[key] = nil
      }
      let (moved, ended) = Self.step(&table, at: now, ahead: 512)
      let over = expected.filter { now - $0.value.begin >= $0.value.frames }.keys
      #expect(Set(ended) == Set(over) && ended.count == over.count)
      for key in over { expected[key] = nil }
      #expect(Set(moved.keys) == Set(expected.keys) && table.running.count == expected.count)
      for (key, fade) in expected {
        let part = min(Float(now + 512 - fade.begin) / Float(fade.frames), 1)
        #expect(abs((moved[key]?.rawValue ?? -1) - part) < 1e-3)
      }
    }
  }

  @Test func `A completion may remove a fade that has ended, and begin other fades`() {
    var table = Table()
    for key in 0..<3 { table.begin(Self.fade(key, at: 0, frames: 100)) }
    table.beginStep()
    let now = MixTime(frame: 512, rate: Self.rate)
    let moved = table.nextMoved(at: now, ahead: 512)
    let first = table.nextEnded()
    #expect(moved == nil && first?.key == 0)
    table.remove(1)
    for key in 3..<8 { table.begin(Self.fade(key, at: 512, frames: 1_000)) }
    let (second, third) = (table.nextEnded(), table.nextEnded())
    #expect(second?.key == 2 && third == nil)
    #expect(table.running.map(\.key).sorted() == Array(3..<8))
    let begun = Self.step(&table, at: 512, ahead: 0).moved
    #expect(begun.count == 5 && begun.values.allSatisfy { $0 == .silence })
  }

  @Test func `A fade of a key replaces the fade before it, and begins at converted frames`() {
    var table = Table()
    table.begin(Self.fade(0, at: 0, frames: 1_000))
    table.begin(Self.fade(0, at: 10, frames: 2_000, from: .unity, to: .silence))
    #expect(table.running.map(\.completion) == [2_000])
    table.convertFrames(FrameConversion(from: 24_000, to: 48_000, at: 0))
    #expect(table.running.map(\.begin) == [20])
    let moved = table.running[0].moved(to: 7, after: 5)
    #expect(moved.key == 7 && moved.begin == 25 && moved.from == .unity && moved.to == .silence)
    table.remove(1)
    #expect(!table.isEmpty)
    table.remove(0)
    #expect(table.isEmpty)
  }
}
