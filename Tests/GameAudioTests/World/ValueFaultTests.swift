import Testing

@testable import GameAudio

/// The check of a number against its range, without a world.
@Suite struct ValueFaultTests {
  @Test func `A number is outside of its range beyond the rounding of a ten-thousandth`() {
    let table: [(Float, ClosedRange<Float>, isFault: Bool)] = [
      (1, 0...1, false), (1.00005, 0...1, false), (1.001, 0...1, true), (-0.00005, 0...1, false), (-0.001, 0...1, true),
      (0.01, 0.01...100, false), (0.009_999_5, 0.01...100, false), (0.009_9, 0.01...100, true), (0, 0.01...100, true),
      (100.005, 0.01...100, false), (100.1, 0.01...100, true), (.infinity, 0.01...100, true),
      (-.infinity, 0.01...100, true), (.nan, 0.01...100, false),
    ]
    for (value, range, isFault) in table {
      #expect((ValueFault("pitch", value, in: range) != nil) == isFault, "\(value)")
    }
    let loudest = Gain.decibels(12)
    #expect(ValueFault("gain", Gain(loudest.rawValue.nextUp), in: Gain.silence...loudest) == nil)
    #expect(ValueFault("gain", .decibels(12.01), in: Gain.silence...loudest) != nil)
  }

  @Test func `Silence is a level of each range, and a whole number and a time have no rounding`() {
    #expect(ValueFault("depth", Decibels.silence, in: -96...0) == nil)
    #expect(ValueFault("depth", Decibels(-97), in: -96...0) != nil)
    #expect(ValueFault("depth", Decibels(.infinity), in: -96...0) != nil)
    #expect(ValueFault("count", 0, in: 1...) != nil && ValueFault("count", 1, in: 1...) == nil)
    #expect(ValueFault("count", 1_000_001, in: 0...1_000_000) != nil)
    #expect(ValueFault("spacing", Duration(attoseconds: -1), in: Duration.zero...) != nil)
    #expect(ValueFault("spacing", Duration.zero, in: Duration.zero...) == nil)
  }

  @Test func `A fault has the property, the value, the range and the value in force`() throws {
    let clamp = try #require(ValueFault("pitch", Float(1_000), in: 0.01...100))
    #expect(
      clamp.property == "pitch" && clamp.value == "1000.0" && clamp.cause == .outside(range: "0.01 to 100.0")
        && clamp.result == "100.0 is used"
    )
    let count = try #require(ValueFault("count", -2, in: 1...))
    #expect(count.cause == .outside(range: "1 and up") && count.result == "1 is used")
    let nan = ValueFault(unusable: "pitch", "nan")
    #expect(nan.cause == .unusable && nan.result == "it keeps its value")
    #expect(nan.key(of: "emitter") != clamp.key(of: "emitter") && clamp.key(of: "emitter") != clamp.key(of: "player"))
    #expect(
      Diagnostic.notTaken(clamp, of: "emitter 3").message
        == "The pitch of emitter 3 was set to 1000.0, outside of its range 0.01 to 100.0: 100.0 is used."
        + " This is reported once."
    )
    #expect(Diagnostic.notTaken(clamp, of: "emitter 3").code == .valueClamped)
    #expect(Diagnostic.notTaken(nan, of: "emitter 3").code == .valueNotUsable)
  }

  @Test func `A vector has the range of each component`() {
    let fault = ValueFault("position", [2e9, 0, 1], used: [1e9, 0, 1])
    #expect(fault.value == "[2e+09, 0.0, 1.0]" && fault.result == "[1e+09, 0.0, 1.0] is used")
    #expect(fault.cause == .outside(range: "-1e+09 to 1e+09 in each component"))
  }
}
