@testable import SignalProcessing
import Testing

/// The static curves of dynamics.
@Suite struct GainCurvesTests {
  @Test func `A compressor has its ratio above the knee, and no gain below it`() {
    let curve = CompressionCurve(threshold: -20, ratio: 4, knee: 6)
    #expect(curve.gain(at: -100) == 0 && curve.gain(at: -23) == 0)
    #expect(abs(curve.gain(at: 0) + 15) < 1e-12)
    #expect(abs(curve.gain(at: -17) + 2.25) < 1e-12)
    // The middle of the knee: (1/R - 1) · W/8.
    #expect(abs(curve.gain(at: -20) + 0.5625) < 1e-12)
  }

  @Test func `A knee is smooth, and without a knee the curve has a corner`() {
    let curve = CompressionCurve(threshold: -20, ratio: 3, knee: 10)
    var slope = 0.0
    for step in 0..<300 {
      let level = -30 + Double(step) / 10
      let next = (curve.gain(at: level + 1e-3) - curve.gain(at: level)) / 1e-3
      #expect(next <= slope + 1e-9 && next >= slope - 0.01)
      slope = next
    }
    #expect(abs(slope + 2.0 / 3) < 1e-6)
    let corner = CompressionCurve(threshold: -20, ratio: 2, knee: 0)
    #expect(corner.gain(at: -20) == 0 && corner.gain(at: -18) == -1)
  }

  @Test func `A ratio of 1 changes nothing, and a large one is a limiter`() {
    #expect(CompressionCurve(threshold: -20, ratio: 1, knee: 6).gain(at: -5) == 0)
    #expect(CompressionCurve(threshold: -20, ratio: .infinity, knee: 0).gain(at: -5) == -15)
  }

  @Test func `An expander has its ratio below the threshold, down to its depth`() {
    let curve = ExpansionCurve(threshold: -50, ratio: 3, depth: -40)
    #expect(curve.gain(at: -50) == 0 && curve.gain(at: 0) == 0)
    #expect(curve.gain(at: -55) == -10 && curve.gain(at: -80) == -40)
  }
}
