import TestSupport
import Testing

@testable import PCM

@Suite struct RecentFiltersTests {
  /// Shapes of small tables.
  private static let shapes = [(1, 2), (1, 3), (1, 4), (2, 1), (3, 1)].map {
    ResamplingFilter.Shape(RateRatio(input: $0.0, output: $0.1))
  }

  @Test func `The filter that was not used for the longest time goes first`() {
    var recent = RecentFilters(limit: 3)
    for shape in Self.shapes[..<3] { _ = recent.keep(ResamplingFilter(shape)) }
    #expect(recent.shapes == Array(Self.shapes[..<3]))
    #expect(recent.filter(of: Self.shapes[0])?.shape == Self.shapes[0])
    _ = recent.keep(ResamplingFilter(Self.shapes[3]))
    #expect(recent.shapes == [2, 0, 3].map { Self.shapes[$0] })
    #expect(recent.filter(of: Self.shapes[1]) == nil)
  }

  @Test func `Two threads that compute the same filter leave one`() {
    var recent = RecentFilters(limit: 3)
    for _ in 0..<2 {
      for shape in Self.shapes[..<2] { #expect(recent.keep(ResamplingFilter(shape)).shape == shape) }
    }
    #expect(recent.shapes == Array(Self.shapes[..<2]))
  }

  @Test func `Any sequence of uses keeps the last shapes, each once`() {
    var generator = SplitMix64(seed: 5)
    for limit in 1...4 {
      var recent = RecentFilters(limit: limit)
      var expected: [ResamplingFilter.Shape] = []
      for _ in 0..<100 {
        let shape = Self.shapes[Int.random(in: 0..<Self.shapes.count, using: &generator)]
        let known = recent.filter(of: shape)
        #expect((known != nil) == expected.contains(shape))
        if known == nil { _ = recent.keep(ResamplingFilter(shape)) }
        expected.removeAll { $0 == shape }
        expected = Array((expected + [shape]).suffix(limit))
        #expect(recent.shapes == expected)
      }
    }
  }
}
