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
      clamp.property == "pitch" && clamp.value == .float(1_000)
        && clamp.cause == .outside(lower: .float(0.01), upper: .float(100), used: .float(100))
    )
    let count = try #require(ValueFault("count", -2, in: 1...))
    #expect(count.cause == .outside(lower: .int(1), upper: nil, used: .int(1)))
    let nan = ValueFault(unusable: "pitch", .float(.nan))
    #expect(nan.isUnusable && !clamp.isUnusable)
    let keys: Set<ReportKey> = [
      .fault(nan, of: .emitters), .fault(clamp, of: .emitters), .fault(clamp, of: .players),
      .fault(clamp, of: .bus("a")), .fault(clamp, of: .bus("b")),
    ]
    #expect(keys.count == 5)
    #expect(
      Diagnostic.notTaken(clamp, of: "emitter 3").message
        == "The pitch of emitter 3 was set to 1000.0, outside of its range 0.01 to 100.0: 100.0 is used."
        + " This is reported once."
    )
    #expect(
      Diagnostic.notTaken(count, of: "a sound").message
        == "The count of a sound was set to -2, outside of its range 1 and up: 1 is used. This is reported once."
    )
    #expect(
      Diagnostic.notTaken(nan, of: "emitter 3").message
        == "The pitch of emitter 3 was set to nan, which is not usable: it keeps its value. This is reported once."
    )
    #expect(Diagnostic.notTaken(clamp, of: "emitter 3").code == .valueClamped)
    #expect(Diagnostic.notTaken(nan, of: "emitter 3").code == .valueNotUsable)
  }

  @Test func `A vector has the range of each component`() {
    let fault = ValueFault("position", [2e9, 0, 1], used: [1e9, 0, 1])
    #expect(
      Diagnostic.notTaken(fault, of: "emitter 3").message
        == "The position of emitter 3 was set to [2e+09, 0.0, 1.0], outside of its range -1e+09 to 1e+09"
        + " in each component: [1e+09, 0.0, 1.0] is used. This is reported once."
    )
  }
}
