import TestSupport
import Testing

@testable import GameAudio

/// The differences between the lines of two snapshots, without a world.
@Suite struct LineDifferenceTests {
  /// Lines of random numbers; some are zeros.
  private static func lines(_ count: Int, using random: inout SplitMix64) -> [EmitterLine] {
    (0..<count).map { _ in
      var line = EmitterLine()
      guard Int.random(in: 0..<4, using: &random) > 0 else { return line }
      for index in 0..<EmitterLine.count { line[index] = UInt32.random(in: 0 ... .max, using: &random) }
      return line
    }
  }

  /// Changes some numbers of some lines, and appends lines.
  private static func change(_ lines: inout [EmitterLine], using random: inout SplitMix64) {
    let share = Int.random(in: 1...20, using: &random)
    for line in lines.indices where Int.random(in: 0..<share, using: &random) == 0 {
      for _ in 0..<Int.random(in: 1...EmitterLine.count, using: &random) {
        lines[line][Int.random(in: 0..<EmitterLine.count, using: &random)] = .random(in: 0...2, using: &random)
      }
    }
    lines += Self.lines(Int.random(in: 0...3, using: &random), using: &random)
  }

  private static func numbers(_ lines: some Sequence<EmitterLine>) -> [[UInt32]] {
    lines.map { line in (0..<EmitterLine.count).map { line[$0] } }
  }

  @Test func `Thousands of random differences give the later lines`() {
    var random = SplitMix64(seed: 11)
    var buffer: [UInt32] = []
    for _ in 0..<250 {
      var lines = Self.lines(Int.random(in: 0...40, using: &random), using: &random)
      var copy: [EmitterLine] = []
      var known: [EmitterLine] = []
      for _ in 0..<20 {
        let difference = LineDifference(from: known, to: lines, &buffer)
        let isWhole = difference.apply(to: &copy)
        #expect(isWhole && Self.numbers(copy) == Self.numbers(lines))
        known = lines
        Self.change(&lines, using: &random)
      }
    }
  }

  @Test func `Equal lines take no bytes, and a changed number takes two or three numbers`() {
    var random = SplitMix64(seed: 12)
    var buffer: [UInt32] = []
    let lines = (0..<50).map { index in
      var line = EmitterLine()
      line[.id] = UInt32(index + 1)
      return line
    }
    #expect(LineDifference(from: lines, to: lines, &buffer).byteCount == 0)
    for _ in 0..<100 {
      var other = lines
      let line = Int.random(in: 1..<50, using: &random)
      let index = Int.random(in: 0..<EmitterLine.count, using: &random)
      other[line][index] = 4_000_000_000
      // The lines before, the bits, and the value.
      #expect(LineDifference(from: lines, to: other, &buffer).byteCount == 12)
      other = lines
      other[0][index] = 4_000_000_000
      #expect(LineDifference(from: lines, to: other, &buffer).byteCount == 8)
    }
  }

  @Test func `A difference that is cut at any number is refused, or gives the lines ahead of the cut`() {
    var random = SplitMix64(seed: 13)
    var buffer: [UInt32] = []
    let old = Self.lines(20, using: &random)
    var new = old
    for _ in 0..<4 { Self.change(&new, using: &random) }
    _ = LineDifference(from: old, to: new, &buffer)
    let whole = buffer
    #expect(whole.count > 100)
    var refusedCount = 0
    for count in 0..<whole.count {
      var lines = old
      let isWhole = LineDifference(lineCount: new.count, numbers: Array(whole.prefix(count))).apply(to: &lines)
      if !isWhole { refusedCount += 1 }
      // Each line is the earlier or the later one; at most the last one is between them.
      let earlier = Self.numbers(old) + Array(repeating: Array(repeating: 0, count: EmitterLine.count), count: 20)
      let mixed = zip(zip(earlier, Self.numbers(new)), Self.numbers(lines)).count { $0.0 != $1 && $0.1 != $1 }
      #expect(mixed == 0 || !isWhole, "\(count)")
      #expect(lines.count == new.count)
    }
    #expect(refusedCount > 50)
  }

  @Test func `Damaged numbers never reach beyond the lines`() {
    var random = SplitMix64(seed: 14)
    for _ in 0..<5_000 {
      let numbers = (0..<Int.random(in: 1...12, using: &random)).map { _ in
        UInt32.random(in: 0 ... .max, using: &random) >> UInt32.random(in: 0...31, using: &random)
      }
      var lines = Self.lines(6, using: &random)
      _ = LineDifference(lineCount: 7, numbers: numbers).apply(to: &lines)
      #expect(lines.count == 7)
    }
    var lines = Self.lines(2, using: &random)
    #expect(!LineDifference(lineCount: 2, numbers: [1 << 31 | 3]).apply(to: &lines))
    #expect(!LineDifference(lineCount: 2, numbers: [1 << 31 | 2, 1, 0]).apply(to: &lines))
    #expect(!LineDifference(lineCount: 2, numbers: [1 << 30]).apply(to: &lines))
    #expect(LineDifference(lineCount: 2, numbers: [1 << 31 | 1, 1, 9]).apply(to: &lines) && lines[1][0] == 9)
  }

  @Test func `The values of a line are independent`() {
    var random = SplitMix64(seed: 15)
    for _ in 0..<1_000 {
      var status = EmitterLine.Status()
      let state = EmitterRecord.Status(rawValue: .random(in: 0...6, using: &random)) ?? .idle
      let silence = EmitterLine.SilenceKind(rawValue: .random(in: 0...5, using: &random)) ?? .none
      let behavior = VirtualBehavior.allCases.randomElement(using: &random) ?? .stop
      let priority = Priority(Int.random(in: 0...100, using: &random))
      let listener = Int.random(in: 0...3, using: &random)
      let (isPlaced, isWaiting) = (Bool.random(using: &random), Bool.random(using: &random))
      (status.isWaiting, status.isPlaced, status.listener) = (true, true, 3)
      (status.priority, status.behavior, status.silence) = (100, .stop, .outrankedByStreams)
      (status.listener, status.priority, status.behavior) = (listener, priority, behavior)
      (status.silence, status.state) = (silence, state)
      (status.isPlaced, status.isWaiting) = (isPlaced, isWaiting)
      #expect(status.state == state && status.silence == silence && status.behavior == behavior)
      #expect(status.priority == priority && status.listener == listener)
      #expect(status.isPlaced == isPlaced && status.isWaiting == isWaiting)
      var line = EmitterLine()
      let place = Double.random(in: -1e9...1e9, using: &random)
      (line.place, line.status, line[vector: .x], line[number: .gain]) = (place, status, [1, -2, 3], 0.5)
      #expect(line.place == place && line.status.state == state && line[vector: .x] == [1, -2, 3])
      #expect(line[number: .gain] == 0.5 && line[.velocityX] == 0 && !line.isUsed)
    }
    #expect(EmitterLine.Field.allCases.count == EmitterLine.count)
  }
}
