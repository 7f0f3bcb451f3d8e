import Testing

@testable import FileDecode

/// The gains between two layouts, each worked out by hand, and the rates of a loop.
@Suite struct ChannelMixTests {
  private let half = Float(0.5).squareRoot()

  private func gains(_ source: ChannelLayout, _ target: ChannelLayout) -> [[Float]]? {
    ChannelMix(from: source, to: target)?.gains
  }

  /// Gains divided by the largest sum of a row.
  private func scaled(_ gains: [[Float]]) -> [[Float]] {
    let loudest = gains.map { $0.reduce(0, +) }.max() ?? 0
    return gains.map { row in row.map { $0 / loudest } }
  }

  @Test func `A layout of as many channels takes each as it is`() {
    for (source, target) in [
      (ChannelLayout.mono, ChannelLayout.discrete(1)), (.stereo, .stereo), (.quad, .discrete(4)),
      (.discrete(3), .discrete(3)),
    ] {
      let count = source.channelCount
      #expect(gains(source, target) == (0..<count).map { row in (0..<count).map { $0 == row ? 1 : 0 } })
    }
  }

  @Test func `A mono sound plays in front`() {
    #expect(gains(.mono, .stereo) == [[1], [1]] && gains(.mono, .quad) == [[1], [1], [0], [0]])
    #expect(gains(.mono, .surround51) == [[0], [0], [1], [0], [0], [0]])
    #expect(gains(.mono, .surround61) == [[0], [0], [1], [0], [0], [0], [0]])
    #expect(gains(.mono, .surround71) == [[0], [0], [1], [0], [0], [0], [0], [0]])
    #expect(gains(.mono, .discrete(3)) == [[1], [1], [1]])
  }

  @Test func `Unknown positions mix to mono alone, each as loud as the others`() {
    #expect(gains(.discrete(5), .mono) == [[0.2, 0.2, 0.2, 0.2, 0.2]])
    #expect(
      gains(.discrete(5), .stereo) == nil && gains(.stereo, .discrete(5)) == nil
        && gains(.discrete(5), .discrete(3)) == nil
    )
  }

  @Test func `Each channel goes to its own place, or to its neighbours`() {
    #expect(gains(.stereo, .mono) == scaled([[half, half]]))
    #expect(gains(.stereo, .quad) == [[1, 0], [0, 1], [0, 0], [0, 0]])
    #expect(gains(.stereo, .surround51) == [[1, 0], [0, 1], [0, 0], [0, 0], [0, 0], [0, 0]])
    // From left, right, back left and back right.
    #expect(gains(.quad, .mono) == scaled([[half, half, 0.5, 0.5]]))
    #expect(gains(.quad, .stereo) == scaled([[1, 0, half, 0], [0, 1, 0, half]]))
    #expect(
      gains(.quad, .surround51) == [
        [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1],
      ]
    )
    #expect(
      gains(.quad, .surround71) == [
        [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 0, 0], [0, 0, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0, 0, 0], [0, 0, 0, 0],
      ]
    )
    // From left, right, centre, low frequencies and the two sides.
    #expect(gains(.surround51, .mono) == scaled([[half, half, 1, 0, 0.5, 0.5]]))
    #expect(gains(.surround51, .stereo) == scaled([[1, 0, half, 0, half, 0], [0, 1, half, 0, 0, half]]))
    #expect(
      gains(.surround51, .quad)
        == scaled([[1, 0, half, 0, 0, 0], [0, 1, half, 0, 0, 0], [0, 0, 0, 0, 1, 0], [0, 0, 0, 0, 0, 1]])
    )
    // From left, right, centre, low frequencies, the back and the two sides.
    #expect(gains(.surround61, .mono) == scaled([[half, half, 1, 0, 0.5, 0.5, 0.5]]))
    #expect(gains(.surround61, .stereo) == scaled([[1, 0, half, 0, 0.5, half, 0], [0, 1, half, 0, 0.5, 0, half]]))
    #expect(
      gains(.surround61, .quad)
        == scaled([
          [1, 0, half, 0, 0, 0, 0], [0, 1, half, 0, 0, 0, 0], [0, 0, 0, 0, half, 1, 0], [0, 0, 0, 0, half, 0, 1],
        ])
    )
    let sides = scaled([
      [1, 0, 0, 0, 0, 0, 0], [0, 1, 0, 0, 0, 0, 0], [0, 0, 1, 0, 0, 0, 0], [0, 0, 0, 1, 0, 0, 0],
      [0, 0, 0, 0, half, 1, 0],
      [0, 0, 0, 0, half, 0, 1],
    ])
    #expect(gains(.surround61, .surround51) == sides)
    // From left, right, centre, low frequencies, the two backs and the two sides.
    #expect(gains(.surround71, .mono) == scaled([[half, half, 1, 0, 0.5, 0.5, 0.5, 0.5]]))
    #expect(
      gains(.surround71, .stereo) == scaled([[1, 0, half, 0, half, 0, half, 0], [0, 1, half, 0, 0, half, 0, half]])
    )
  }

  @Test func `Mixed frames are the sums of the gains`() throws {
    let mix = try #require(ChannelMix(from: .quad, to: .stereo))
    #expect(mix.sourceCount == 4)
    let samples: [Float] = [1, 2, 4, 8, 16, 32, 64, 128]
    var output: [Float] = []
    output.append(addingCapacity: 4) { mix.append(samples.span, to: &$0) }
    let (front, back) = (1 / (1 + half), half / (1 + half))
    #expect(output == [front + back * 4, front * 2 + back * 8, front * 16 + back * 64, front * 32 + back * 128])
  }

  // MARK: Rates

  @Test func `Frames convert to the nearest of another rate`() {
    for (input, output, frames) in [
      (3, 2, [0, 1, 1, 2, 3, 3, 4]), (2, 3, [0, 2, 3, 5, 6, 8, 9]), (2, 1, [0, 1, 1, 2, 2, 3, 3]),
      (5, 5, [0, 1, 2, 3, 4, 5, 6]),
    ] {
      let ratio = RateRatio(input: input, output: output)
      #expect((0...6).map(ratio.converted) == frames, "\(input), \(output)")
      #expect(ratio.isOne == (input == output))
    }
    #expect(
      RateRatio(input: 1, output: 2).converted(Int.max) == Int.max
        && RateRatio(input: 2, output: 1).converted(Int.max) == 1 << 62
    )
    #expect(RateRatio(input: 44_100, output: 48_000).converted(441_000_000_000_000_000) == 480_000_000_000_000_000)
    for (input, output, count) in [(44_100, 48_000, 4_096), (15, 1, 4_096), (16, 1, 4_352), (768_000, 1_000, 196_864)] {
      #expect(RateRatio(input: input, output: output).settlingTime == count)
    }
  }

  @Test func `A conversion starts at the same time in both rates, 4,096 frames ahead or more`() {
    for (input, output, unit) in [
      (44_100, 48_000, (147, 160)), (48_000, 44_100, (160, 147)), (44_100, 22_050, (2, 1)), (22_050, 44_100, (1, 2)),
      (48_000, 8_000, (6, 1)), (7, 5, (7, 5)), (768_000, 1_000, (768, 1)),
    ] {
      let ratio = RateRatio(input: input, output: output)
      let lead = max(4_096, 256 * (input / output + 1)) / unit.0 + 1
      for steps in [0, 1, lead - 1, lead, lead + 1, lead + 100] {
        for rest in [0, unit.1 - 1] {
          let found = ratio.start(before: steps * unit.1 + rest)
          let count = max(steps - lead, 0)
          #expect(found.input == count * unit.0 && found.output == count * unit.1, "\(input), \(output), \(steps)")
        }
      }
      let last = ratio.start(before: Int.max)
      let limit = Int.max / max(unit.0, unit.1)
      #expect(last.output == min(Int.max / unit.1 - lead, limit) * unit.1)
    }
  }

  @Test func `A loop has whole frames, one or more, between what is in front and behind`() {
    for (source, count, input, output, target, total) in [
      (10..<20, 100, 2, 1, 5..<10, 50), (11..<12, 100, 4, 1, 3..<4, 26), (0..<1, 1, 100, 1, 0..<1, 1),
      (10..<20, 20, 1, 3, 30..<60, 60),
      (10..<20, 5, 1, 3, 30..<60, 60), (1..<4, 9, 2, 3, 2..<7, 15), (5..<6, Int.max, 1, 1, 5..<6, Int.max),
      (0..<10, Int.max, 1, 2, 0..<20, Int.max),
    ] {
      let loop = LoopResampling(source, frameCount: count, RateRatio(input: input, output: output))
      #expect(
        loop.source == source && loop.target == target && loop.frameCount == total,
        "\(source), \(input), \(output)"
      )
      #expect(loop.ratio == RateRatio(input: source.count, output: target.count))
    }
    for (count, laps) in [(1, 4_096), (2, 2_048), (3, 1_366), (4_095, 2), (4_096, 1), (4_097, 1), (100_000, 1)] {
      #expect(LoopResampling(0..<count, frameCount: count, RateRatio(input: 1, output: 1)).lapCount == laps, "\(count)")
    }
  }
}
