import Testing

@testable import Spatial3D

/// Rooms beyond the limits of the library, compared with reference values of a second implementation in NumPy.
@Suite struct LimitedRoomTests {
  private static let old = LibraryVersion(1, 19, 1)
  private static let new = LibraryVersion(1, 25, 2)

  /// Rooms with a version, the rate of the mix, and the limited values.
  ///
  /// A room is its density, diffusion, decay in seconds, the ratios at high and at low frequencies, their references,
  /// the gain in air, whether air limits the decay, and the depth of the modulation. The limited values are the two
  /// ratios, the low reference and the gain in air.
  private static let rooms: [([Float], LibraryVersion, Double, [Float])] = [
    ([1, 0, 0.7, 0.1, 0.1, 20000, 250, 0.9943, 1, 0], old, 8000, [0.1528005, 0.1528005, 250, 0.99430001]),
    ([1, 1, 1.1, 0.1, 0.1, 1000, 1000, 0.892, 0, 0], old, 48000, [0.1185452, 0.1011772, 1000, 0.89200002]),
    ([1, 0, 1.1, 0.1, 2, 20000, 40, 0.892, 0, 1], old, 48000, [0.1029568, 1.9, 48.62024, 0.89200002]),
    ([1, 1, 1.1, 0.1, 1.9, 20000, 20, 0.892, 1, 0], old, 48000, [0.1011772, 1.9, 48.13235, 0.89200002]),
    ([1, 0, 0.7, 0.13, 1.99, 5000, 20, 1, 1, 0], old, 48000, [0.1720782, 1.9, 53.06591, 1]),
    ([1, 0.5, 0.5, 0.17, 1.9, 1000, 40, 0.97, 0, 0], old, 48000, [0.2857199, 1.9, 53.60381, 0.97000003]),
    ([1, 0, 0.7, 0.13, 2, 5000, 1000, 0.9943, 0, 0], old, 48000, [0.1621532, 1.9, 1000, 0.99430001]),
    ([0.9, 0, 0.7, 0.13, 0.17, 1000, 250, 0.9943, 0, 0], old, 192000, [0.2247874, 0.17, 250, 0.99430001]),
    ([1, 0, 0.7, 0.13, 1.99, 5000, 250, 0.97, 0, 1], old, 8000, [0.1528005, 1.9, 250, 0.97000003]),
    ([1, 0, 0.5, 0.17, 1.5, 5000, 20, 1, 1, 1], old, 48000, [0.2016001, 1.5, 20, 1]),
    ([1, 0, 0.5, 0.17, 1.5, 5000, 20, 1, 1, 1], old, 48000, [0.2016001, 1.5, 20, 1]),
    ([1, 0, 0.7, 0.17, 0.13, 1000, 40, 0.97, 0, 1], old, 48000, [0.176868, 0.1528005, 40, 0.97000003]),
    ([0.9, 0.5, 0.7, 2, 0.1, 1000, 40, 0.97, 0, 1], old, 192000, [1.9, 0.147093, 40, 0.97000003]),
    ([0.9, 0, 0.7, 0.99, 0.13, 5000, 40, 0.97, 0, 1], old, 48000, [0.99, 0.1483093, 40, 0.97000003]),
    ([0.9, 0, 0.7, 0.99, 0.13, 5000, 40, 0.97, 0, 1], old, 48000, [0.99, 0.1483093, 40, 0.97000003]),
    ([0.5, 0.5, 0.2, 0.13, 2, 1000, 100, 1, 1, 0], old, 192000, [0.530604, 1.9, 292.5258, 1]),
    ([0.9, 0, 1.1, 0.1, 1.99, 1000, 20, 0.97, 0, 1], old, 192000, [0.2638811, 1.9, 218.4261, 0.97000003]),
    ([0.5, 0, 0.5, 0.1, 1.99, 1000, 20, 1, 0, 1], new, 192000, [0.3622722, 1.9, 208.0249, 1]),
    ([0, 0.5, 1.49, 1.5, 1.99, 1000, 250, 0.892, 1, 1], old, 192000, [0.1384438, 1.9, 888.9172, 0.90706187]),
    ([1, 1, 0.5, 0.99, 1.99, 1000, 40, 0.892, 1, 0], new, 192000, [0.396542, 1.9, 210.1336, 0.90349436]),
    ([0.9, 1, 0.5, 0.13, 1.5, 1000, 40, 0.892, 0, 0], old, 192000, [0.3091959, 1.5, 68.41354, 0.89200002]),
    ([1, 0, 0.7, 0.13, 1.5, 1000, 40, 1, 1, 1], new, 192000, [0.2639413, 1.5, 71.83421, 1]),
    ([0.9, 1, 5, 1, 1.9, 1000, 100, 0.892, 1, 0], old, 192000, [0.1067359, 1.9, 476.4933, 0.96299839]),
    ([1, 0.5, 0.5, 0.99, 1.9, 1000, 100, 0.892, 1, 0], new, 192000, [0.396542, 1.9, 218.2873, 0.90349436]),
    ([0.9, 0.5, 5, 0.1, 1.99, 5000, 20, 0.892, 1, 1], new, 192000, [0.1, 1.9, 373.5827, 0.92454743]),
    ([0.5, 1, 5, 0.1, 1.9, 1000, 20, 0.892, 1, 0], old, 48000, [0.1, 1.9, 105.0668, 0.91702884]),
    ([0, 0, 5, 0.17, 1.9, 1000, 100, 0.97, 0, 1], old, 192000, [0.7073938, 1.720888, 1000, 0.97000003]),
    ([0, 0, 5, 0.17, 1.9, 1000, 20, 1, 0, 0], new, 192000, [0.7073938, 1.720888, 1000, 1]),
    ([0.01, 0.5, 5, 1.01, 1.9, 1000, 40, 0.892, 1, 0], old, 192000, [0.6866358, 1.862745, 1000, 0.99415624]),
    ([0, 0, 5, 0.1, 1.9, 1000, 250, 0.97, 1, 0], new, 192000, [0.7102591, 1.720888, 1000, 0.99435008]),
    ([0.9, 0.5, 0.1, 1.99, 1.9, 5000, 40, 0.9943, 0, 0], old, 192000, [1.9, 1.862745, 1000, 0.99430001]),
    ([0.9, 0.5, 0.1, 1.99, 2, 1000, 40, 0.892, 0, 1], new, 192000, [1.9, 1.826221, 1000, 0.89200002]),
    ([1, 0.5, 0.1, 0.5, 1.99, 5000, 100, 1, 0, 0], old, 192000, [0.5, 1.862745, 1000, 1]),
    ([0, 0.5, 5, 1.5, 2, 1000, 20, 0.97, 0, 0], old, 192000, [1.5, 1.755306, 1000, 0.97000003]),
    ([0, 0, 5, 0.5, 1.9, 5000, 250, 0.9943, 0, 1], new, 192000, [0.5, 1.862745, 1000, 0.99430001]),
    ([1, 0, 0.1, 1.9, 2, 1000, 20, 0.9943, 1, 1], new, 192000, [1.9, 1.790412, 1000, 0.99430001]),
    ([0.9, 0, 5, 2, 2, 1000, 20, 1, 1, 1], old, 192000, [1.9, 1.9, 392.2618, 1]),
    ([0.01, 0.5, 5, 1.99, 2, 20000, 20, 0.892, 0, 0], old, 192000, [1.9, 1.9, 815.4835, 0.89200002]),
    ([0.01, 0, 5, 1.99, 2, 20000, 40, 0.892, 0, 0], new, 48000, [1.9, 1.9, 200.1272, 0.89200002]),
    ([0.01, 0.5, 5, 2, 1.99, 5000, 20, 0.97, 0, 0], new, 192000, [1.9, 1.9, 815.4835, 0.97000003]),
    ([0.9, 0, 5, 2, 1.01, 1000, 20, 0.892, 0, 1], old, 192000, [1.9, 1.01, 82.32259, 0.89200002]),
    ([0, 0.5, 1.1, 2, 1.9, 20000, 20, 0.9943, 0, 0], old, 192000, [1.9, 1.9, 551.9515, 0.99430001]),
    ([0, 1, 0.12, 1.99, 1.9, 5000, 20, 1, 1, 0], new, 48000, [1.9, 1.9, 48.13235, 1]),
    ([0.5, 1, 0.12, 1.99, 1.9, 1000, 20, 0.892, 0, 1], new, 192000, [1.9, 1.9, 454.092, 0.89200002]),
    ([0, 1, 1.1, 0.13, 1.99, 20000, 20, 0.892, 0, 1], old, 48000, [0.13, 1.9, 134.0948, 0.89200002]),
    ([0.9, 1, 0.1, 1.5, 2, 1000, 20, 1, 1, 0], old, 192000, [1.5, 1.9, 991.2251, 1]),
    ([1, 0.5, 0.1, 1.9, 1.99, 5000, 20, 0.9943, 0, 1], new, 48000, [1.9, 1.9, 307.3474, 0.99430001]),
    ([0.9, 1, 0.1, 1.01, 1.99, 20000, 20, 0.97, 0, 1], new, 192000, [1.01, 1.9, 991.2251, 0.97000003]),
    ([0, 0, 5, 0.13, 1.5, 1000, 40, 0.892, 1, 0], old, 48000, [0.13, 1.5, 111.4384, 0.89200002]),
    ([0.9, 0.5, 0.1, 0.99, 1.9, 20000, 20, 0.9943, 0, 0], old, 192000, [0.99, 1.9, 991.2251, 0.99430001]),
    ([0.9, 0, 0.5, 1, 1.9, 20000, 100, 0.97, 1, 0], new, 192000, [1, 1.9, 155.1328, 0.97000003]),
    ([0, 0.5, 1.49, 0.17, 1.9, 1000, 20, 0.892, 1, 1], new, 192000, [0.17, 1.9, 739.6676, 0.89200002]),
    ([0, 0.5, 5, 0.17, 2, 1000, 1000, 1, 1, 0], new, 192000, [0.7073938, 1.755306, 1000, 1]),
    ([0.01, 0.5, 5, 1.01, 2, 1000, 1000, 0.97, 1, 1], old, 192000, [0.6835801, 1.862745, 1000, 0.99413019]),
    ([1, 1, 20, 0.1, 1.5, 1000, 20, 0.892, 1, 0], old, 48000, [0.1, 1.5, 20, 0.90349448]),
    ([0.9, 0.5, 1.49, 0.99, 1, 1000, 250, 0.892, 1, 0], old, 192000, [0.1205236, 1, 250, 0.89400125]),
    ([1, 1, 20, 1.9, 1.9, 1000, 20, 0.892, 1, 0], new, 192000, [0.1, 1.9, 20, 0.94001663]),
    ([0.9, 1, 0.2, 0.1, 2, 1000, 1000, 0.9943, 1, 1], old, 192000, [0.5412161, 1.9, 1000, 0.99430001]),
    ([1, 0, 1.1, 0.1, 1.99, 1000, 1000, 0.97, 1, 0], new, 192000, [0.2343189, 1.9, 1000, 0.97000003]),
    ([0.9, 0.5, 1.49, 0.99, 1.99, 1000, 100, 0.892, 1, 0], old, 48000, [0.1253928, 1.9, 100, 0.89789945]),
    ([1, 1, 1.49, 1.5, 2, 1000, 250, 0.892, 1, 0], new, 192000, [0.2183118, 1.9, 250, 0.94001591]),
    ([0.5, 1, 0.5, 0.1, 1.5, 1000, 100, 0.9943, 1, 0], old, 192000, [0.2638958, 1.5, 100, 0.99430001]),
    ([0.9, 0, 0.7, 0.17, 1.9, 1000, 1000, 0.97, 1, 1], old, 192000, [0.3018936, 1.9, 1000, 0.97000003]),
    ([0.9, 0.5, 1.1, 0.13, 1.9, 1000, 1000, 1, 1, 0], new, 192000, [0.2308598, 1.9, 1000, 1]),
    ([1, 0, 0.1, 1.99, 1.9, 20000, 1000, 0.97, 1, 1], old, 192000, [1.9, 1.862745, 1000, 0.97000003]),
    ([0, 1, 5, 1.99, 2, 20000, 1000, 1, 1, 1], new, 192000, [1.9, 1.862745, 1000, 1]),
    ([0.9, 0.5, 0.1, 1.9, 1.99, 1000, 1000, 0.97, 1, 1], old, 192000, [1.9, 1.826221, 1000, 0.97000003]),
    ([1, 0, 0.1, 1.5, 1.99, 1000, 1000, 0.9943, 0, 1], new, 192000, [1.5, 1.862745, 1000, 0.99430001]),
    ([0, 0.5, 0.1, 1.99, 1.99, 1000, 1000, 1, 1, 0], old, 48000, [1.9, 1.9, 1000, 1]),
    ([0.01, 1, 5, 1.99, 2, 1000, 40, 0.97, 0, 0], new, 8000, [1.9, 1.9, 40, 0.97000003]),
    ([1, 0.5, 1.1, 2, 1.9, 1000, 250, 0.97, 0, 0], old, 48000, [1.9, 1.9, 250, 0.97000003]),
    ([0, 1, 0.5, 2, 0.13, 20000, 250, 0.9943, 0, 0], new, 48000, [1.9, 0.13, 250, 0.99430001]),
    ([0.9, 0, 0.12, 0.17, 1.99, 20000, 250, 0.97, 1, 0], old, 8000, [0.17, 1.9, 250, 0.97000003]),
    ([0.01, 1, 0.12, 1, 2, 1000, 250, 0.892, 1, 0], new, 192000, [1, 1.9, 250, 0.89200002]),
    ([0.5, 0.5, 0.1, 1.9, 1.01, 5000, 250, 0.892, 1, 0], old, 8000, [1.9, 1.01, 250, 0.89200002]),
    ([0.9, 0, 1.49, 1.9, 0.13, 20000, 40, 0.892, 0, 1], new, 8000, [1.9, 0.13, 40, 0.89200002]),
  ]

  private static func room(_ numbers: [Float]) -> RoomAcoustics {
    var room = RoomAcoustics()
    (room.density, room.diffusion, room.decayTime) = (numbers[0], numbers[1], Duration(inSeconds: numbers[2]))
    (room.highFrequencyDecayRatio, room.lowFrequencyDecayRatio) = (numbers[3], numbers[4])
    (room.highFrequencyReference, room.lowFrequencyReference) = (numbers[5], numbers[6])
    (room.airAbsorptionGain, room.limitsHighFrequencyDecay, room.modulationDepth) = (
      Gain(numbers[7]), numbers[8] == 1, numbers[9]
    )
    return room
  }

  @Test func `Each room has the limited values of the reference, and keeps all others`() {
    for (numbers, version, rate, expected) in Self.rooms {
      let room = Self.room(numbers)
      var limited = EffectLimits(version: version, rate: rate).limited(room)
      let found = [
        limited.highFrequencyDecayRatio, limited.lowFrequencyDecayRatio, limited.lowFrequencyReference,
        limited.airAbsorptionGain.rawValue,
      ]
      #expect(zip(found, expected).allSatisfy { abs($0 / $1 - 1) < 1e-6 }, "\(numbers), \(version), \(rate): \(found)")
      limited.highFrequencyDecayRatio = room.highFrequencyDecayRatio
      limited.lowFrequencyDecayRatio = room.lowFrequencyDecayRatio
      limited.lowFrequencyReference = room.lowFrequencyReference
      limited.airAbsorptionGain = room.airAbsorptionGain
      #expect(limited == room)
    }
  }

  @Test func `The feedback of a room has the lengths and responses of the reference`() {
    var second = RoomAcoustics()
    (second.density, second.diffusion, second.lowFrequencyDecayRatio) = (0.5, 0, 0.5)
    (second.modulationDepth, second.modulationTime) = (1, .milliseconds(100))
    var third = RoomAcoustics()
    (third.density, third.diffusion, third.decayTime) = (0, 0.5, .milliseconds(500))
    (third.highFrequencyDecayRatio, third.lowFrequencyDecayRatio, third.limitsHighFrequencyDecay) = (2, 2, false)
    (third.modulationDepth, third.modulationTime) = (0.5, .seconds(4))
    var fourth = RoomAcoustics()
    (fourth.airAbsorptionGain, fourth.decayTime) = (0.892, .seconds(20))
    (fourth.lowFrequencyDecayRatio, fourth.lowFrequencyReference) = (2, 20)
    let longest = [0.109233906204, 0.134471409835, 0.181093208089, 0.206330711720]
    let cases: [(RoomAcoustics, LibraryVersion, Double, [Double], [Double])] = [
      (
        RoomAcoustics(), Self.old, 48_000,
        [1.49, 1.49, 1.236699983, 0.822075529575, 0.602653269122, 1.0000035798, 0.489747998957, 1.00000041472], longest
      ),
      (
        second, Self.new, 48_000,
        [0.745, 1.49, 1.236699983, 0.458448123189, 0.308028136194, 1.00000351493, 0.574773977043, 1.00000040633],
        [0.084737934428, 0.106438205993, 0.146525597272, 0.168225868837]
      ),
      (
        third, Self.new, 11_025,
        [1, 0.5, 1, 1.088556102516, 1.000060342720, 1.00000034110, 1.000015579940, 1.00001557994],
        [0.012283605609, 0.014912512237, 0.019768949555, 0.022397856183]
      ),
      (
        fourth, Self.old, 192_000,
        [20, 20, 0.176059001386, 0.000327436784, 1.038078680976, 1.11475615461, 0.000196791747, 1.00059194866], longest
      ),
    ]
    for (room, version, rate, expected, lengths) in cases {
      let feedback = LateFeedback(room, EffectLimits(version: version, rate: rate))
      let (lowest, highest) = (feedback.lowest, feedback.highest)
      let found = [
        feedback.low, feedback.middle, feedback.high, feedback.leastShelfGain, lowest.gain, lowest.highError,
        highest.gain,
        highest.highError,
      ]
      #expect(zip(found, expected).allSatisfy { abs($0 / $1 - 1) < 1e-7 }, "\(found)")
      #expect(zip(feedback.lengths, lengths).allSatisfy { abs($0 - $1) < 1e-11 }, "\(feedback.lengths)")
      #expect(highest.lowError == 1)
    }
    #expect(LateFeedback(second, EffectLimits(version: Self.new, rate: 48_000)).lowest.lowError > 1.0009)
  }

  @Test func `The limits of a version begin at its number`() {
    func limits(_ version: LibraryVersion?, _ rate: Double = 48_000) -> EffectLimits {
      .init(version: version, rate: rate)
    }
    for (version, isOld, clamps) in [
      (LibraryVersion(1, 19, 9), true, false), (LibraryVersion(1, 20, 0), false, false),
      (LibraryVersion(1, 25, 1), false, false), (LibraryVersion(1, 25, 2), false, true),
      (LibraryVersion(2, 0, 0), false, true),
      (nil, false, true),
    ] as [(LibraryVersion?, Bool, Bool)] {
      let found = limits(version)
      #expect(found.leastShelfGain == (isOld ? 0.000_010_01 : nil))
      #expect(found.modulatesFeedback == !isOld && found.clampsFrequencies == clamps)
      for rate in [8_000.0, 11_024, 11_025, 48_000] {
        #expect(limits(version, rate).hasStableFilters == (clamps || rate >= 11_025))
      }
    }
    #expect(EffectLimits.speedOfSound == 343.3 && EffectLimits.lowestStableRate == 11_025)
    #expect(limits(nil, 10_000).highestShelf == 4_900 && limits(nil, 10_000).highestPeak == 4_800)
  }

  @Test func `A distortion's filters end at 0.47 of its rate, and the report has each change`() {
    let limits = EffectLimits(version: Self.new, rate: 8_000)
    let asked = Effect.Distortion(lowPassCutoff: 16_000, center: 15_041, bandwidth: 24_000)
    let (effect, changes) = limits.limited(.distortion(asked))
    guard case .distortion(let used) = effect else {
      Issue.record("The effect is another one")
      return
    }
    #expect(used.lowPassCutoff == 15_040 && used.center == 15_040)
    #expect(used.bandwidth == 24_000)
    #expect(
      changes.map { "\($0.property) \($0.asked) \($0.used)\($0.unit)" }
        == ["lowPassCutoff of a distortion 16000.0 15040.0 Hz", "center of a distortion 15041.0 15040.0 Hz"]
    )
    let narrow = Effect.Distortion(lowPassCutoff: 15_040, center: 100, bandwidth: 24_000)
    let (limited, report) = limits.limited(.distortion(narrow))
    guard case .distortion(let wide) = limited else {
      Issue.record("The effect is another one")
      return
    }
    #expect(wide.lowPassCutoff == 15_040 && wide.center == 100 && abs(wide.bandwidth - 15_464.697) < 0.01)
    #expect(report.map(\.property) == ["bandwidth of a distortion"] && report.map(\.unit) == [" Hz"])
    #expect(report.map(\.asked) == [24_000] && report.map(\.used) == [wide.bandwidth])
  }

  @Test func `An equalizer's bands end at 0.48 and its shelf at 0.49 of the rate, and the report has each change`() {
    var asked = Effect.Equalizer()
    (asked.band1.center, asked.band2.center, asked.high) = (3_000, 8_000, .init(cutoff: 6_000, level: 5))
    func limited(_ version: LibraryVersion, _ rate: Double) -> ([Float], [String]) {
      let (effect, changes) = EffectLimits(version: version, rate: rate).limited(.equalizer(asked))
      guard case .equalizer(let used) = effect else { return ([], []) }
      #expect(changes.allSatisfy { $0.asked != $0.used })
      return (
        [used.band1.center, used.band2.center, used.high.cutoff, used.high.level.rawValue],
        changes.map { $0.property + $0.unit }
      )
    }
    let (bands, shelf, level) = (
      ["center of an equalizer's band1 Hz", "center of an equalizer's band2 Hz"],
      "cutoff of an equalizer's high shelf Hz",
      "level of an equalizer's high shelf dB"
    )
    #expect(limited(Self.old, 48_000) == ([3_000, 8_000, 6_000, 5], []))
    #expect(limited(Self.old, 16_000) == ([3_000, 7_680, 6_000, 5], [bands[1]]))
    #expect(limited(Self.old, 12_000) == ([3_000, 5_760, 5_880, 5], [bands[1], shelf]))
    #expect(limited(Self.old, 6_000) == ([2_880, 2_880, 6_000, 0], bands + [level]))
    #expect(limited(Self.new, 6_000) == ([2_880, 2_880, 6_000, 5], bands))
    let echo = EffectLimits(version: Self.old, rate: 8_000).limited(.echo(.init()))
    #expect(echo.effect == .echo(.init()) && echo.changes.isEmpty)
  }

  @Test func `A reverb's gains are the highest ones, and the level lowers the slot or raises the sources`() {
    let gains = ReverbGains(of: RoomAcoustics())
    #expect(gains.loudest.gain == 1 && gains.loudest.lateGain == 10)
    #expect(abs(gains.loudest.reflectionsGain.rawValue - 0.05 * 10 / 1.2589) < 1e-6)
    #expect(abs(gains.headroom - 28.0009) < 1e-3)
    #expect(abs(ReverbGains(of: RoomAcoustics(), offset: 3).headroom - 25.0009) < 1e-3)
    #expect(abs(gains.slotGain(0) - 0.3162 * 1.2589 / 10) < 1e-6 && gains.boost(0) == 1)
    #expect(gains.slotGain(40) == 1 && abs(gains.boost(34.0215) - 2) < 1e-3 && gains.boost(100) == 16)
    #expect(gains.reached(10) == 10 && abs(gains.reached(100).rawValue - 52.0833) < 1e-3)
    var room = RoomAcoustics()
    room.lateGain = 0
    #expect(abs(ReverbGains(of: room).loudest.reflectionsGain.rawValue - 3.16) < 1e-6)
    #expect(abs(ReverbGains(of: room).headroom - 46.0151) < 1e-3)
    room.reflectionsGain = 0
    #expect(ReverbGains(of: room).loudest == room && ReverbGains(of: room).headroom == 0)
    var silent = RoomAcoustics()
    silent.gain = 0
    #expect(ReverbGains(of: silent).loudest == silent && ReverbGains(of: silent).headroom == 0)
  }
}
