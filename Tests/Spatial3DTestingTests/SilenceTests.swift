import Spatial3DTesting
import TestSupport
import Testing

@Suite struct SilenceTests {
  @Test func `A mix is silent up to a level and including it`() throws {
    #expect(PCMBuffer<Float>(format: Signals.stereo).isSilent())
    #expect(try Signals.mono([0, 0, 0]).isSilent(below: .silence))
    #expect(try Signals.mono([0, 3e-5, 0]).isSilent())
    #expect(try !Signals.mono([0, 4e-5, 0]).isSilent())
    #expect(try Signals.mono([0.5]).isSilent(below: Decibels(factor: 0.5)))
    #expect(try !Signals.mono([0, .nan]).isSilent())
    // The last bit of 16 passes by default, and the bit before it does not.
    #expect(try PCMBuffer(samples: [1, -1] as [Int16], format: Signals.mono).isSilent())
    #expect(try !PCMBuffer(samples: [0, 2] as [Int16], format: Signals.mono).isSilent())
  }

  @Test func `The sounding frames reach from the first loud frame of any channel to the last`() throws {
    let buffer = try Signals.stereo([0, 0, 0.1, 0, 0, 0], [0, 0, 0, 0, -0.1, 0])
    #expect(buffer.soundingFrames() == 2..<5)
    #expect(buffer.soundingFrames(above: -10) == 0..<0)
    #expect(PCMBuffer<Float>(format: Signals.stereo).soundingFrames() == 0..<0)
    #expect(try Signals.mono([1]).soundingFrames() == 0..<1)
  }

  @Test func `Random gaps are found where they were made`() throws {
    var generator = SplitMix64(seed: 2)
    for round in 0..<300 {
      let channelCount = round % 3 + 1
      let format = PCMFormat(sampleRate: 1_000, layout: .discrete(channelCount))
      var expected: [Range<Int>] = []
      var samples: [Float] = []
      for _ in 0..<Int.random(in: 0...6, using: &generator) {
        for _ in 0..<Int.random(in: 1...20, using: &generator) {
          let loud = Int.random(in: 0..<channelCount, using: &generator)
          samples += (0..<channelCount).map { $0 == loud ? -0.5 : 0 }
        }
        let gap = Int.random(in: 1...20, using: &generator)
        let start = samples.count / channelCount
        if gap >= 10 { expected.append(start..<(start + gap)) }
        samples += [Float](repeating: 1e-6, count: gap * channelCount)
      }
      let buffer = try PCMBuffer(samples: samples, format: format)
      #expect(buffer.silences(lasting: .milliseconds(10)) == expected)
    }
  }

  @Test func `A duration below a frame finds every silent frame`() throws {
    let buffer = try Signals.mono([0, 1, 0, 0, 1])
    #expect(buffer.silences(lasting: .zero) == [0..<1, 2..<4])
    #expect(buffer.silences(lasting: .seconds(1)) == [])
    #expect(PCMBuffer<Float>(format: Signals.mono).silences(lasting: .zero) == [])
  }
}
