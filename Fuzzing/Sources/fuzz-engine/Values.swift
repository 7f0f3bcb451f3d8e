import FuzzSupport
import Spatial3D

/// Random arguments: tame values, the bounds of a range, and every extreme of a parameter's type.
struct Values: Sendable {
  var random: SplitMix64
  /// Whether extremes are among them.
  let hasExtremes: Bool
  /// Rates that a mix may have.
  let mixRates: [Int]
  /// Whether rooms may have other acoustics than a preset's.
  let hasOwnRooms: Bool

  /// Values of a generator, without the kinds that the options exclude.
  init(random: SplitMix64, hasExtremes: Bool = false, options: Options) {
    self.random = random
    self.hasExtremes = hasExtremes && options.allowsValues("extremes")
    hasOwnRooms = options.allowsValues("ownRooms")
    mixRates = Self.rates.filter { $0 >= 44_100 || options.allowsValues("lowRates") }
  }

  /// The largest magnitude of a tame value.
  static let tame: Float = 1e6

  private static let extremes: [Float] = [
    0, -0.0, .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude,
    -.greatestFiniteMagnitude, .infinity, -.infinity, .nan, -.nan, .signalingNaN, 1e9, -1e9, 1e18, -1e18, 1e30, -1e30,
    .ulpOfOne, 1 - .ulpOfOne,
  ]

  mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &random) < probability }

  mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func element<Element>(of elements: [Element]) -> Element { elements[int(0...elements.count - 1)] }

  /// A number for a parameter with a range: mostly in the range, sometimes at or beside a bound, sometimes any number.
  mutating func number(_ range: ClosedRange<Float>) -> Float {
    let tame = range.clamped(to: -Self.tame...Self.tame)
    switch int(0...19) {
    case 0: return range.lowerBound
    case 1: return range.upperBound
    case 2: return hasExtremes ? range.lowerBound.nextDown : tame.lowerBound
    case 3: return hasExtremes ? range.upperBound.nextUp : tame.upperBound
    case 4: return Float.random(in: -Self.tame...Self.tame, using: &random)
    case 5...7 where hasExtremes: return element(of: Self.extremes)
    case 8...10: return min(max(Float(int(-2...4)), tame.lowerBound), tame.upperBound)
    default: return Float.random(in: tame, using: &random)
    }
  }

  /// A factor of the amplitude, as a number.
  mutating func gain(_ range: ClosedRange<Float>) -> Gain { Gain(number(range)) }

  /// A number in a range.
  mutating func within(_ range: ClosedRange<Float>) -> Float {
    switch int(0...7) {
    case 0: range.lowerBound
    case 1: range.upperBound
    default: Float.random(in: range, using: &random)
    }
  }

  /// A position, a velocity or a direction.
  mutating func vector(_ usual: Float = 20) -> SIMD3<Float> {
    if hasExtremes, chance(0.15) {
      return [number(-usual...usual), number(-usual...usual), number(-usual...usual)]
    }
    let size = chance(0.1) ? Self.tame : usual
    switch int(0...9) {
    case 0: return .zero
    case 1: return [0, 0, within(-size...size)]
    default: return [within(-size...size), within(-size...size), within(-size...size)]
    }
  }

  /// A level in decibels.
  mutating func level(_ range: ClosedRange<Float>) -> Decibels {
    chance(0.05) ? .silence : Decibels(number(range))
  }

  /// A length of time, mostly of some milliseconds.
  mutating func duration(upTo milliseconds: Int) -> Duration {
    if hasExtremes, chance(0.15) { return element(of: Self.longDurations) }
    return chance(0.1) ? .zero : .microseconds(int(0...milliseconds * 1_000))
  }

  private static let longDurations: [Duration] = [
    .seconds(Int64.max), .seconds(Int64.min), .nanoseconds(1), .nanoseconds(-1), .seconds(-1),
    Duration(secondsComponent: 0, attosecondsComponent: 1), .seconds(1 << 40), .seconds(31_536_000),
  ]

  /// A frame in a sound, or near its ends.
  mutating func frame(of frameCount: Int) -> Int {
    switch int(0...11) {
    case 0: 0
    case 1: frameCount - 1
    case 2: frameCount
    case 3 where hasExtremes: element(of: [.max, .min, -1, 1 << 31, 1 << 40])
    default: int(0...max(frameCount, 1))
    }
  }
}
