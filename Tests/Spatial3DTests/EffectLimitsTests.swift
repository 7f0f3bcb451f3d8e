import Glibc
import TestSupport
import Testing

@testable import Spatial3D

/// The arithmetic of the values that the library computes with, without the library.
@Suite struct EffectLimitsTests {
  private static let old = LibraryVersion(1, 19, 1)
  private static let new = LibraryVersion(1, 25, 2)
  private static let rates: [Double] = [8_000, 11_025, 22_050, 44_100, 48_000, 96_000, 192_000]

  @Test func `A version is read from OpenAL's text`() {
    #expect(LibraryVersion("1.1 ALSOFT 1.19.1") == Self.old)
    #expect(LibraryVersion("1.1 ALSOFT 1.25.2") == Self.new)
    #expect(LibraryVersion("1.1 ALSOFT 1.26.0-rc1") == LibraryVersion(1, 26, 0))
    #expect(LibraryVersion("1.1 ALSOFT 1.20") == LibraryVersion(1, 20, 0))
    for text in ["", "1.1", "1.1 ALSOFT", "1.1 ALSOFT x.y", "1.1 Creative 1.2.3"] {
      #expect(LibraryVersion(text) == nil)
    }
    #expect(Self.old < LibraryVersion(1, 20, 0) && LibraryVersion(1, 25, 1) < Self.new)
  }

  @Test(arguments: [old, new])
  func `The limited feedback of a room is stable and above the library's minimum gain`(version: LibraryVersion) {
    var numbers = SplitMix64(seed: 7)
    for index in 0..<4_000 {
      let limits = EffectLimits(version: version, rate: Self.rates[index % Self.rates.count])
      let room = limits.limited(Self.room(&numbers))
      #expect(room == room.clamped && room == limits.limited(room))
      for turn in Self.turns(room, limits) {
        #expect(turn.isStable && turn.leastGain > 0.00001 && turn.low < 1 && turn.high < 1, "\(room) \(limits) \(turn)")
      }
    }
  }

  @Test func `A preset is unaltered, unless a band of it never decays`() {
    for version in [Self.old, Self.new] {
      for rate in Self.rates where rate < 96_000 {
        let limits = EffectLimits(version: version, rate: rate)
        #expect(limits.limited(RoomAcoustics()) == RoomAcoustics())
        for preset in RoomPreset.allCases { #expect(limits.limited(RoomAcoustics(preset)) == RoomAcoustics(preset)) }
        for preset in EFXPreset.allCases {
          let room = RoomAcoustics(preset)
          let isEndless = room.lowFrequencyDecayRatio == 2 || room.highFrequencyDecayRatio == 2
          #expect((limits.limited(room) == room) == !isEndless, "\(preset)")
        }
      }
    }
  }

  @Test func `The damping limit changes a room by the smallest stable amount`() {
    var requested = RoomAcoustics()
    (requested.decayTime, requested.highFrequencyDecayRatio) = (.milliseconds(700), 0.1)
    let used = EffectLimits(version: Self.old, rate: 48_000).limited(requested)
    #expect((0.15...0.151).contains(used.highFrequencyDecayRatio))
    var restored = used
    restored.highFrequencyDecayRatio = 0.1
    #expect(restored == requested)
    #expect(EffectLimits(version: Self.new, rate: 48_000).limited(requested) == requested)
    #expect(EffectLimits(version: LibraryVersion(1, 20, 0), rate: 48_000).limited(requested) == requested)
    #expect(EffectLimits(version: nil, rate: 48_000).limited(requested) == requested)
  }

  @Test(arguments: rates)
  func `Every distortion's filters are numbers and stable`(rate: Double) {
    let limits = EffectLimits(version: Self.new, rate: rate)
    let frequencies: [Float] = [80, 100, 139, 1_000, 8_000, 12_000, 15_900, 16_000, 16_500, 22_050, 24_000]
    for cutoff in frequencies {
      for center in frequencies {
        for bandwidth in frequencies {
          let requested = Effect.Distortion(lowPassCutoff: cutoff, center: center, bandwidth: bandwidth)
          guard case .distortion(let used) = limits.limited(.distortion(requested)).effect else { return }
          #expect(used == used.clamped)
          let low = Coefficients(angleOf: used.lowPassCutoff, rate: 4 * Float(rate), octaves: 0.5 / 0.67, gain: 1)
          let band = Coefficients(
            angleOf: used.center,
            rate: 4 * Float(rate),
            octaves: used.bandwidth / (used.center * 0.67),
            gain: 1
          )
          #expect(low.isStable && band.isStable, "\(requested)")
          if rate > 12_800, bandwidth <= 150 * center { #expect(used == requested) }
        }
      }
    }
  }

  @Test(arguments: rates)
  func `Every equalizer's filters are numbers and stable`(rate: Double) {
    for version in [Self.old, Self.new] {
      let limits = EffectLimits(version: version, rate: rate)
      for center in stride(from: Float(1_000), through: 8_000, by: 50) {
        var requested = Effect.Equalizer()
        requested.band2 = .init(center: center, width: 1, level: -18)
        requested.high = .init(cutoff: 2 * center.clamped(to: 2_000...8_000), level: 18)
        let used = limits.limited(requested)
        for gain: Float in [0.126, 1, 7.943] {
          let peak = Coefficients(
            angleOf: used.band2.center,
            rate: Float(rate),
            octaves: used.band2.width,
            gain: gain.squareRoot()
          )
          #expect(peak.isStable, "\(center)")
        }
        let isBelow = Double(used.high.cutoff) < 0.5 * rate
        #expect(isBelow || used.high.level == 0 || limits.clampsFrequencies)
        if rate > 32_653 { #expect(used == requested) }
      }
    }
  }

  private static func room(_ numbers: inout SplitMix64) -> RoomAcoustics {
    var room = RoomAcoustics()
    room.density = [0, 0.01, 0.5, 0.9, 1].randomElement(using: &numbers) ?? 1
    room.diffusion = [0, 0.5, 1].randomElement(using: &numbers) ?? 1
    room.decayTime = .milliseconds(
      [100, 120, 200, 500, 550, 700, 1_100, 1_490, 5_000, 20_000].randomElement(using: &numbers) ?? 1
    )
    let ratios: [Float] = [0.1, 0.13, 0.17, 0.5, 0.99, 1, 1.01, 1.5, 1.9, 1.99, 2]
    room.highFrequencyDecayRatio = ratios.randomElement(using: &numbers) ?? 1
    room.lowFrequencyDecayRatio = ratios.randomElement(using: &numbers) ?? 1
    room.highFrequencyReference = [1_000, 5_000, 20_000].randomElement(using: &numbers) ?? 1
    room.lowFrequencyReference = [20, 40, 100, 250, 1_000].randomElement(using: &numbers) ?? 1
    room.airAbsorptionGain = [0.892, 0.97, 0.9943, 1].randomElement(using: &numbers) ?? 1
    room.limitsHighFrequencyDecay = Bool.random(using: &numbers)
    room.modulationDepth = [0, 1].randomElement(using: &numbers) ?? 0
    return room
  }

  private struct Turn {
    let isStable: Bool
    let leastGain: Float
    let low: Double
    let high: Double
  }

  /// The gain of one turn of each line at 0 Hz and at half the rate.
  ///
  /// The function computes with 24 bits, as the library does.
  private static func turns(_ room: RoomAcoustics, _ limits: EffectLimits) -> [Turn] {
    let feedback = LateFeedback(room, limits)
    let rate = Float(limits.rate)
    return feedback.lengths.map { length in
      let middle = pow(0.001, Float(length) / Float(feedback.middle))
      let low = Float(feedback.shelfGain(feedback.low, length))
      let high = Float(feedback.shelfGain(feedback.high, length))
      let shelves = [
        Coefficients(shelfAngleOf: room.lowFrequencyReference, rate: rate, gain: low, isHigh: false),
        Coefficients(shelfAngleOf: room.highFrequencyReference, rate: rate, gain: high, isHigh: true),
      ]
      return Turn(
        isStable: shelves.allSatisfy { $0.isStable },
        leastGain: min(low, high),
        low: Double(middle) * shelves[0].lowest * shelves[1].lowest,
        high: Double(middle) * shelves[0].highest * shelves[1].highest
      )
    }
  }
}

/// A filter's coefficients in numbers of 24 bits, from the cookbook of Robert Bristow-Johnson.
private struct Coefficients {
  let (b0, b1, b2): (Float, Float, Float)
  let (a1, a2): (Float, Float)

  /// A low-pass, band-pass or peak, whose poles matter.
  init(angleOf frequency: Float, rate: Float, octaves: Float, gain: Float) {
    let angle = 2 * Float.pi * (frequency / rate)
    let alpha = sin(angle) / 2 * (2 * sinh(log(Float(2)) / 2 * octaves * angle / sin(angle)))
    let sum = 1 + alpha / gain
    (b0, b1, b2) = (alpha / sum, 0, -alpha / sum)
    (a1, a2) = (-2 * cos(angle) / sum, (1 - alpha / gain) / sum)
  }

  init(shelfAngleOf frequency: Float, rate: Float, gain: Float, isHigh: Bool) {
    let angle = 2 * Float.pi * min(frequency / rate, 0.49)
    let (cosine, sign): (Float, Float) = isHigh ? (cos(angle), 1) : (-cos(angle), -1)
    let lift = 2 * gain.squareRoot() * (sin(angle) / 2 * Float(2).squareRoot())
    let sum = (gain + 1) - (gain - 1) * cosine + lift
    b0 = gain * ((gain + 1) + (gain - 1) * cosine + lift) / sum
    b1 = -2 * sign * gain * ((gain - 1) + (gain + 1) * cosine) / sum
    b2 = gain * ((gain + 1) + (gain - 1) * cosine - lift) / sum
    a1 = 2 * sign * ((gain - 1) - (gain + 1) * cosine) / sum
    a2 = ((gain + 1) - (gain - 1) * cosine - lift) / sum
  }

  /// Whether all coefficients are finite, and no pole is outside the unit circle by more than its last bit.
  var isStable: Bool {
    let (first, second) = (Double(a1), Double(a2))
    let least = -0x1p-23
    return b0.isFinite && 1 - abs(second) > least && 1 + first + second > least && 1 - first + second > least
  }

  /// The gain at 0 Hz.
  var lowest: Double { abs((Double(b0) + Double(b1) + Double(b2)) / (1 + Double(a1) + Double(a2))) }
  /// The gain at half the rate.
  var highest: Double { abs((Double(b0) - Double(b1) + Double(b2)) / (1 - Double(a1) + Double(a2))) }
}
