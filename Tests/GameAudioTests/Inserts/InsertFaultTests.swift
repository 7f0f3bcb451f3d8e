import PCM
import SignalProcessing
import Spatial3D
import Testing

@testable import GameAudio

/// The numbers that an insert does not take as they are, and the ranges of the processors.
@Suite struct InsertFaultTests {
  /// The faults of an insert as the second of a list.
  private static func faults(_ insert: Insert, sampleRate: Int = 48_000) -> [ValueFault] {
    [.gate(), insert].faults(sampleRate: sampleRate)
  }

  @Test func `Default inserts have no fault`() {
    let inserts: [Insert] = [
      .equalizer([]), .highPass(90), .lowPass(5_000), .compressor(), .gate(), .limiter(), .leveler(), .distortion(),
      .bitCrusher(), .delay(), .chorus(), .chorus(.flanger), .chorus(.vibrato), .width(1), .closure("name") { _, _ in },
      .convolution("hall.wav"),
    ]
    #expect(inserts.faults(sampleRate: 48_000).isEmpty)
    for preset in [[Insert].radio, .telephone, .megaphone, .underwater, .nextRoom, .nightMode, .voice] {
      #expect(preset.faults(sampleRate: 44_100).isEmpty)
    }
  }

  @Test(arguments: NumberCase.all)
  func `A number has a fault outside of the range of its processor alone`(_ number: NumberCase) throws {
    let (lower, upper) = (number.used(-1e30), number.used(1e30))
    #expect(lower < upper)
    // Ends that are not in the range by a rounding are no faults.
    for value in [lower, (lower + upper) / 2, upper] { #expect(Self.faults(number.insert(value)).isEmpty, "\(value)") }
    let name = "inserts[1].\(number.name)"
    for (value, used) in [(-1e30, lower), (1e30, upper), (lower - 1, lower), (upper * 1.01 + 1, upper)] {
      // The rate of held samples has no highest number: from the rate of the mix on it has no effect.
      if number.name == "bitCrusher.sampleRate", value > upper { continue }
      let faults = Self.faults(number.insert(value))
      try #require(faults.map(\.property) == [name], "\(value)")
      guard case .outside(_, _, let stated) = faults[0].cause else { throw Unexpected() }
      let number = try #require(Self.number(stated))
      #expect(abs(number - used) <= 1e-4 * max(abs(used), 1), "\(number) is not \(used)")
    }
  }

  private struct Unexpected: Error {}

  private static func number(_ value: FaultValue) -> Double? {
    switch value {
    case .float(let number): Double(number)
    case .level(let level): Double(level.rawValue)
    case .int(let number): Double(number)
    case .duration(let duration): duration / .seconds(1)
    default: nil
    }
  }

  @Test(arguments: NumberCase.all.filter(\.canBeNaN))
  func `NaN has a fault with the number that the processor uses`(_ number: NumberCase) throws {
    let faults = Self.faults(number.insert(.nan))
    try #require(faults.map(\.property) == ["inserts[1].\(number.name)"])
    guard case .unusable(.other(let sentence)) = faults[0].cause else { throw Unexpected() }
    #expect(sentence.hasSuffix(" is used"))
    let stated = try #require(Float(sentence.split(separator: " ")[0]))
    #expect(stated == Float(number.used(.nan)))
  }

  @Test func `An insert without a fault forms no name`() {
    let inserts: [Insert] = [.compressor(), .highPass(90), .chorus(.flanger), .delay(.seconds(1))]
    for insert in inserts {
      let faults = insert.faults(
        named: {
          Issue.record("a name was formed")
          return ""
        },
        sampleRate: 48_000
      )
      #expect(faults.isEmpty)
    }
  }

  @Test func `A fault names the band and its property`() {
    let insert = Insert.equalizer([.init(.bell, 1_000), .init(.bell, 1_000, level: 25, q: .nan)])
    #expect(
      Self.faults(insert).map(\.property) == [
        "inserts[1].equalizer.bands[1].level", "inserts[1].equalizer.bands[1].q",
      ]
    )
    let mix = Insert(.width(.init(3)), mix: -1)
    #expect(Self.faults(mix).map(\.property) == ["inserts[1].mix", "inserts[1].width.width"])
    #expect([mix].faults(named: "limiter", sampleRate: 1).first?.property == "limiter[0].mix")
  }

  @Test func `The highest frequency of a band depends on the sample rate`() {
    let insert = Insert.lowPass(12_000)
    #expect(Self.faults(insert, sampleRate: 48_000).isEmpty)
    #expect(Self.faults(insert, sampleRate: 22_050).count == 1)
    for rate in [Int.min, -1, 0, 1, .max] { #expect(Self.faults(.lowPass(1), sampleRate: rate).count == 1) }
  }

  @Test func `The depth of a chorus is at most its delay`() {
    var chorus = Insert.Chorus()
    (chorus.delay, chorus.depth) = (.milliseconds(5), .milliseconds(6))
    #expect(Self.faults(.chorus(chorus)).map(\.property) == ["inserts[1].chorus.depth"])
    chorus.depth = .milliseconds(5)
    #expect(Self.faults(.chorus(chorus)).isEmpty)
  }

  @Test(arguments: [
    Duration(attoseconds: .min), .seconds(Int64.min), Duration(attoseconds: -1), Duration(attoseconds: 1),
    .seconds(Int64.max), Duration(attoseconds: .max),
  ])
  func `An extreme time has a fault, and traps nowhere`(time: Duration) {
    var (compressor, gate, limiter) = (Insert.Compressor(), Insert.Gate(), Insert.Limiter())
    (compressor.attack, compressor.release) = (time, time)
    (gate.attack, gate.hold, gate.release) = (time, time, time)
    (limiter.lookAhead, limiter.release) = (time, time)
    var chorus = Insert.Chorus()
    (chorus.delay, chorus.depth) = (time, time)
    let inserts = [
      Insert(.compressor(compressor)), Insert(.gate(gate)), Insert(.limiter(limiter)), .chorus(chorus), .delay(time),
    ]
    let faults = inserts.faults(sampleRate: 48_000)
    #expect(faults.allSatisfy { !"\($0.value)".isEmpty })
    // A delay of an attosecond, and a depth, are within their ranges.
    #expect(faults.count == (time == Duration(attoseconds: 1) ? 8 : 10))
    let steps = inserts.compactMap { $0.step() }
    var chain = ProcessorChain(steps, format: .stereo(sampleRate: 48_000))
    var sound = [Float](repeating: 0.5, count: 4_096)
    var samples = sound.mutableSpan
    chain.process(&samples, at: 0)
    #expect(steps.count == 5 && sound.allSatisfy(\.isFinite))
  }
}
