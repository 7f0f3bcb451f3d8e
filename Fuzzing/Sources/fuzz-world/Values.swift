import FuzzSupport
import GameAudio
import Spatial3D

/// Random values of the types that the calls take, tame or extreme.
struct Values: Sendable {
  var random: SplitMix64
  let hasExtremes: Bool

  private static let extremes: [Float] = [
    0, -0.0, .leastNonzeroMagnitude, .leastNormalMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude,
    .infinity, -.infinity, .nan, .signalingNaN, 1e9, -1e9, 1e18, -1e30, .ulpOfOne, 1 - .ulpOfOne,
  ]
  private static let longDurations: [Duration] = [
    .seconds(Int64.max), .seconds(Int64.min), .nanoseconds(1), .nanoseconds(-1), .seconds(-1), .seconds(1 << 40),
    Duration(secondsComponent: 0, attosecondsComponent: 1), .seconds(31_536_000), .seconds(Int64.max / 2),
  ]
  private static let wideIntegers: [Int] = [.min, .max, .max - 1, -1, 0, 1 << 31, 1 << 40, 1 << 52, -(1 << 40)]

  mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &random) < probability }

  /// Whether a value is extreme now.
  private mutating func isExtreme() -> Bool { hasExtremes && chance(0.2) }

  mutating func int(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  /// A count of a property that takes any integer.
  mutating func count(_ range: ClosedRange<Int>) -> Int {
    isExtreme() ? element(of: Self.wideIntegers) : int(range)
  }

  mutating func element<Element>(of elements: [Element]) -> Element { elements[int(0...elements.count - 1)] }

  mutating func number(_ range: ClosedRange<Float>) -> Float {
    isExtreme() ? element(of: Self.extremes) : Float.random(in: range, using: &random)
  }

  mutating func vector(_ size: Float = 20) -> SIMD3<Float> {
    chance(0.1) ? .zero : [number(-size...size), number(-size...size), number(-size...size)]
  }

  /// A level that does not amplify, unless values are extreme.
  mutating func level(_ range: ClosedRange<Float> = -40...0) -> Decibels {
    chance(0.05) ? .silence : Decibels(number(range))
  }

  /// A gain that does not amplify, unless values are extreme.
  mutating func gain(_ range: ClosedRange<Decibels> = -40...0) -> Gain {
    if isExtreme() { return Gain(element(of: Self.extremes)) }
    return .decibels(level(range.lowerBound.rawValue...range.upperBound.rawValue))
  }

  mutating func duration(upTo milliseconds: Int) -> Duration {
    if isExtreme() { return element(of: Self.longDurations) }
    return chance(0.1) ? .zero : .microseconds(int(0...milliseconds * 1_000))
  }

  /// A moment of a clock, shortly behind or ahead.
  mutating func moment(of clock: Duration) -> Duration {
    if isExtreme() { return element(of: Self.longDurations) }
    return clock + .microseconds(int(-20_000...200_000))
  }

  /// A fade of at least the usual 10 ms, unless values are extreme: a shorter one clicks.
  mutating func fade() -> Fade {
    let curve = element(of: Fade.Curve.allCases)
    if hasExtremes, chance(0.3) { return Fade(duration(upTo: 200), curve) }
    return chance(0.3) ? .declick : Fade(.milliseconds(int(10...300)), curve)
  }

  mutating func repeats() -> Repeats { chance(0.2) ? .forever : .times(count(0...3)) }

  /// Frames of a sound of half a second, or any others.
  mutating func frames() -> Range<Int> {
    if hasExtremes, chance(0.3) {
      let bounds = [element(of: Self.wideIntegers), element(of: Self.wideIntegers), int(0...24_000)].sorted()
      return bounds[0]..<bounds[1 + int(0...1)]
    }
    let start = int(0...20_000)
    return start..<start + int(1...4_000)
  }

  mutating func limit() -> PlaybackLimit {
    let spacing: Duration = chance(0.5) ? .zero : duration(upTo: 100)
    return PlaybackLimit(count(0...4), whenReached: element(of: PlaybackLimit.Overflow.allCases), spacing: spacing)
  }

  mutating func listener() -> Listener {
    Listener(
      position: vector(),
      orientation: chance(0.5) ? .identity : Orientation(forward: vector(1), up: vector(1)),
      gain: hasExtremes ? Gain(number(0...1)) : Gain(.random(in: 0.2...1, using: &random))
    )
  }

  mutating func reverb() -> Reverb { Reverb(element(of: RoomPreset.allCases), level: level(-40 ... -6)) }

  /// An effect of a unit: a reverb, an echo, or one with a modulation.
  mutating func effect() -> Effect {
    switch int(0...4) {
    case 0...2: .reverb(reverb())
    case 3: .echo(Effect.Echo())
    default: chance(0.5) ? .chorus(.chorus) : .flanger(.flanger)
    }
  }

  /// A range of pitches in semitones; an end that would be NaN gives 0.
  mutating func pitches() -> ClosedRange<Float> {
    let bounds = [number(-3...0), number(0...3)].sorted()
    return bounds[0] <= bounds[1] ? bounds[0]...bounds[1] : 0...0
  }

  mutating func levels() -> ClosedRange<Decibels> {
    let (first, last) = (level(-12 ... -6), level(-5...0))
    return first <= last ? first...last : -6...0
  }

  mutating func curve() -> RolloffCurve {
    RolloffCurve((0..<int(0...4)).map { _ in RolloffCurve.Point(number(0...50), level()) })
  }

  mutating func attenuation() -> DistanceAttenuation {
    DistanceAttenuation(
      referenceDistance: number(0.5...5),
      maximumDistance: number(10...100),
      rolloffFactor: number(0...2),
      model: chance(0.5) ? nil : element(of: DistanceModel.allCases)
    )
  }

  mutating func zone() -> ReverbZone {
    let shape: ReverbZone.Shape
    switch int(0...3) {
    case 0...1: shape = .sphere(center: vector(), radius: number(1...20))
    case 2: shape = .box(center: vector(), size: abs(vector()), yaw: number(0...6))
    default: shape = .hull((0..<int(0...9)).map { _ in vector() })
    }
    let name = element(of: ["", "hall", "cave", "hall 2"])
    return ReverbZone(shape, reverb(), fade: number(0...5), priority: count(-2...2), name: name)
  }

  private func abs(_ vector: SIMD3<Float>) -> SIMD3<Float> { vector.replacing(with: -vector, where: vector .< 0) }

  mutating func portal() -> Portal {
    let names: [String?] = [nil, "hall", "cave", "nowhere"]
    return Portal(
      between: element(of: names),
      and: element(of: names),
      at: vector(),
      radius: number(0.1...3),
      openness: number(0...1)
    )
  }

  /// A tempo that the type takes: it traps on none.
  mutating func tempo() -> Tempo { Tempo(Double(number(30...900))) }
}
