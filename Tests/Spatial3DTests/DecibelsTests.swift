import Spatial3D
import Testing

@Suite struct DecibelsTests {
  @Test(arguments: [(Float(0), Float(1)), (-6.020_6, 0.5), (-20, 0.1), (20, 10), (-40, 0.01), (6.020_6, 2)])
  func `Reference levels convert to their gains and back`(level: Float, gain: Float) {
    #expect(abs(Decibels(level).factor - gain) < gain * 1e-5)
    #expect(abs(Decibels(factor: gain).rawValue - level) < 1e-4)
    #expect(abs(Decibels(factor: -gain).rawValue - level) < 1e-4)
  }

  @Test func `Silence converts to a gain of zero and back`() {
    #expect(Decibels(factor: 0) == .silence)
    #expect(Decibels.silence.factor == 0)
    #expect(Decibels.silence < -1_000)
  }

  @Test func `Levels add up where gains multiply`() {
    for step in -100...40 {
      let level = Decibels(Float(step))
      #expect(abs((level + -6).factor - level.factor * Decibels(-6).factor) <= level.factor * 1e-5)
      #expect(abs((Decibels(factor: level.factor) - level).rawValue) < 1e-4)
    }
  }
}
