import Foundation
@_spi(Drawing) import Spatial3DReports
import Testing

@Suite struct TicksTests {
  @Test func `Ticks are multiples of a round step and fill the range`() {
    for (start, extent, count) in cases() {
      let range = start...start + extent
      let ticks = Ticks(in: range, about: count)
      let mantissa = ticks.step / pow(10, log10(ticks.step * 1.000_001).rounded(.down))
      #expect([1.0, 2, 5].contains { abs($0 - mantissa) < 1e-6 }, "\(range): \(ticks.step)")
      #expect(ticks.values.allSatisfy { abs($0 / ticks.step - ($0 / ticks.step).rounded()) < 1e-6 })
      #expect(
        ticks.values.allSatisfy { range.lowerBound - 1e-6 * extent <= $0 && $0 <= range.upperBound + 1e-6 * extent }
      )
      #expect(
        range.upperBound - (ticks.values.last ?? start) < ticks.step * 1.000_001,
        "\(range) ends beyond its ticks"
      )
      #expect((count / 2...2 * count + 1).contains(ticks.values.count), "\(range): \(ticks.values.count) for \(count)")
    }
  }

  @Test func `Ticks of seconds are what a clock shows`() {
    #expect(Ticks(inSeconds: 0...24, about: 12).values == stride(from: 0, through: 24, by: 2).map { Double($0) })
    #expect(Ticks(inSeconds: 0...2, about: 12).step == 0.2)
    #expect(Ticks(inSeconds: 0...90, about: 12).step == 10)
    #expect(Ticks(inSeconds: 0...600, about: 12).step == 60)
    #expect(Ticks(inSeconds: 0...3_600, about: 12).step == 300)
  }

  @Test func `A range without extent has one tick`() {
    #expect(Ticks(in: 3...3, about: 5).values == [3])
  }

  @Test func `Zero is never minus zero`() {
    for tick in Ticks(in: -1...1, about: 5).values + Ticks(inSeconds: 0...24, about: 12).values where tick == 0 {
      #expect(tick.sign == .plus)
    }
  }

  /// Ranges with lengths from a hundredth to ten thousand, on both sides of zero.
  private func cases() -> [(start: Double, extent: Double, count: Int)] {
    stride(from: -1_000, through: 1_000, by: 76.3).flatMap { start in
      stride(from: -2, through: 4, by: 0.37).flatMap { power in
        (4...15).map { (start, pow(10, power), $0) }
      }
    }
  }
}

@Suite struct LinearScaleTests {
  @Test func `A scale is straight between its ends and stops at them`() {
    let scale = LinearScale(-60...0, from: 200, to: 0)
    #expect(scale(-60) == 200)
    #expect(scale(-30) == 100)
    #expect(scale(0) == 0)
    #expect(scale(12) == 0)
    #expect(scale(-.infinity) == 200)
    #expect(scale(.nan) == 200)
  }

  @Test func `A range without extent lies at the start`() {
    #expect(LinearScale(4...4, from: 10, to: 20)(4) == 10)
  }
}
