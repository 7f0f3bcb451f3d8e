import Glibc
import TestSupport
import Testing

@testable import Spatial3D

/// Ranges, laws and small values at their limits, as the documentation states them.
@Suite struct ValueLawTests {
  @Test func `The ranges are those of the documentation`() {
    #expect(Ranges.gain == 0...16 && Ranges.pitch == 0.001...10 && Ranges.silentGain == 1e-30)
    #expect(Ranges.component == 1e9 && Ranges.length == 0...1e9 && Ranges.shortestDistance == 1e-9)
    #expect(Ranges.rolloffFactor == 0...1e9 && Ranges.dopplerFactor == 0...1e9 && Ranges.speedOfSound == 0.001...1e9)
    #expect(Ranges.sample == 1_000_000 && Ranges.filterLevel == -60...0)
    #expect(Ranges.bufferRate == 1_000...768_000 && Ranges.mixRate == 8_000...192_000)
    #expect(Ranges.captureRate == 8_000...192_000 && Ranges.captureCapacity == 64...4_194_304)
    #expect(Ranges.sourceLimit == 1...65_536 && Ranges.sendLimit == 0...16 && Ranges.lastStreamFrame == 1 << 53)
  }

  @Test func `A number becomes the nearest integer or float, and NaN becomes 0`() {
    #expect(Int(saturating: 2.9) == 2 && Int(saturating: -2.9) == -2 && Int(saturating: .nan) == 0)
    #expect(Int(saturating: .infinity) == .max && Int(saturating: -1e300) == .min)
    #expect(Int32(saturating: 2_147_483_647) == .max && Int32(saturating: 2_147_483_648) == .max)
    #expect(Int32(saturating: -2_147_483_648) == .min && UInt8(saturating: -1) == 0 && UInt8(saturating: 256) == 255)
    let largest = Float.greatestFiniteMagnitude
    #expect(Float(nearest: 1e300) == largest && Float(nearest: -1e300) == -largest && Float(nearest: 0.5) == 0.5)
    #expect(Float(nearest: .infinity) == .infinity && Float(nearest: -.infinity) == -.infinity)
    #expect(Float(nearest: .nan).isNaN && Float(nearest: Double(largest)) == largest)
    #expect(SIMD3<Float>(nearest: SIMD3(1e300, 2, -1e300)) == [largest, 2, -largest])
    #expect(Duration.milliseconds(1_500).inSeconds == 1.5 && Duration(inSeconds: 0.007) == .milliseconds(7))
    #expect(Duration(inSeconds: 0.000_000_4) == .zero && Duration(inSeconds: 0.000_000_6) == .microseconds(1))
    for (value, expected) in [(-1, 0), (0, 0), (3, 3), (5, 5), (6, 5)] { #expect(value.clamped(to: 0...5) == expected) }
  }

  @Test func `A vector is finite in all components, and keeps its direction where it is clamped`() {
    for index in 0..<3 {
      var vector = SIMD3<Float>(1, 2, 3)
      #expect(vector.isFinite)
      for bad in [Float.nan, .infinity, -.infinity] {
        vector[index] = bad
        #expect(!vector.isFinite)
      }
      for sign in [Float(1), -1] {
        var long = SIMD3<Float>(repeating: 1e8)
        long[index] = sign * 1e9
        #expect(long.clamped == long)
        long[index] = sign * 2e9
        var expected = SIMD3<Float>(repeating: 5e7)
        expected[index] = sign * 1e9
        #expect((long.clamped - expected).max() < 10 && (long.clamped - expected).min() > -10)
      }
    }
    #expect(SIMD3<Float>(.greatestFiniteMagnitude, 0, 0).clamped == [1e9, 0, 0])
    let limits: ClosedRange<Float> = -3...40
    #expect(limits.clamped == 0...16 && limits.isFinite)
  }

  @Test func `Levels and gains convert by 20 times the decimal logarithm`() {
    for (gain, level) in [(1, 0), (10, 20), (0.1, -20), (0.5, -6.0206), (2, 6.0206), (-10, 20)] as [(Float, Float)] {
      #expect(abs(Decibels(factor: gain).rawValue - level) < 1e-4)
      #expect(abs(Decibels(level).factor - abs(gain)) < 1e-4)
    }
    #expect(Decibels(factor: 0) == .silence && Decibels.silence.factor == 0 && Decibels.zero.rawValue == 0)
    #expect(Decibels(3) + 4 == 7 && Decibels(3) - 4 == -1 && Decibels(3) < 4 && !(Decibels(4) < 4))
    #expect(Decibels(rawValue: -6).description == "-6.0 dB" && (-2.5 as Decibels).rawValue == -2.5)
  }

  @Test func `The gain at a distance is the model's, at its ends and beyond its limits`() {
    func gain(
      _ model: DistanceModel,
      _ distance: Float,
      _ reference: Float = 2,
      _ maximum: Float = 10,
      _ rolloff: Float = 1
    ) -> Float {
      let law = DistanceAttenuation(referenceDistance: reference, maximumDistance: maximum, rolloffFactor: rolloff)
      var own = law
      own.model = model
      #expect(own.gain(at: distance, model: .none) == law.gain(at: distance, model: model))
      return law.gain(at: distance, model: model).rawValue
    }
    let distances: [Float] = [-1, .nan, 0, 1, 2, 4, 10, 20, .infinity]
    let largest = Float.greatestFiniteMagnitude
    #expect(distances.map { gain(.none, $0) } == [Float](repeating: 1, count: 9))
    // A divisor of 0 or less has no law.
    #expect(distances.prefix(8).map { gain(.inverse, $0) } == [1, 1, 1, 2, 1, 0.5, 0.2, 0.1])
    #expect(distances.map { gain(.inverseClamped, $0) } == [1, 1, 1, 1, 1, 0.5, 0.2, 0.2, 0.2])
    #expect(distances.map { gain(.linear, $0) } == [1.25, 1.25, 1.25, 1.125, 1, 0.75, 0, 0, 0])
    #expect(distances.map { gain(.linearClamped, $0) } == [1, 1, 1, 1, 1, 0.75, 0, 0, 0])
    #expect(distances.prefix(8).map { gain(.exponent, $0) } == [1, 1, 1, 2, 1, 0.5, 0.2, 0.1])
    #expect(distances.map { gain(.exponentClamped, $0) } == [1, 1, 1, 1, 1, 0.5, 0.2, 0.2, 0.2])
    #expect(
      gain(.inverse, 4, 2, 10, 3) == 0.25 && gain(.linear, 4, 2, 10, 2) == 0.5 && gain(.exponent, 4, 2, 10, 3) == 0.125
    )
    for model in [DistanceModel.inverseClamped, .linearClamped, .exponentClamped] {
      // A clamped model has no effect if the maximum distance is below the reference distance. Equal distances give
      // gain 1.
      #expect(gain(model, 50, 10, 9) == 1 && gain(model, 50, 10, 10) == 1)
    }
    #expect(gain(.linear, 50, 10, 10) == 1 && gain(.linear, 4, 10, 2) == 0.25)
    #expect(gain(.inverse, 50, 0) == 1 && gain(.exponent, 50, 0) == 1 && gain(.exponent, 0, 2) == 1)
    #expect(gain(.exponent, 1e-9, 1e9, 1e9, 1e9) == largest)
    #expect(DistanceAttenuation(referenceDistance: .nan).gain(at: 5) == 1)
    #expect(DistanceAttenuation().gain(at: 5) == 0.2)
  }

  @Test func `An attenuation is clamped to distances that a gain can be divided by`() {
    for (asked, used) in [(0, 0), (-1, 0), (1e-12, 1e-9), (1e-9, 1e-9), (5, 5), (1e9, 1e9), (2e9, 1e9)]
      as [(Float, Float)]
    {
      let law = DistanceAttenuation(referenceDistance: asked, rolloffFactor: asked).clamped
      #expect(law.referenceDistance == used && law.rolloffFactor == (asked == 1e-12 ? 1e-12 : used))
    }
    #expect(DistanceAttenuation(maximumDistance: 2e9).clamped.maximumDistance == 2e9)
    #expect(DistanceAttenuation(maximumDistance: .infinity).clamped.maximumDistance == .greatestFiniteMagnitude)
    #expect(DistanceAttenuation(maximumDistance: 1e-12).clamped.maximumDistance == 1e-9)
    let parts: [(DistanceAttenuation, Bool)] = [
      (.init(), true), (.init(referenceDistance: .infinity), false), (.init(rolloffFactor: .nan), false),
      (.init(maximumDistance: .infinity), true), (.init(maximumDistance: -.infinity), false),
      (.init(maximumDistance: .nan), false),
    ]
    for (law, isFinite) in parts { #expect(law.isFinite == isFinite) }
  }

  @Test func `Cones, angles and filters are finite in all parts, and have their ranges`() {
    let cone = Cone(innerAngle: 60, outerAngle: 120, outerGain: 0.5)
    let angles: [Float] = [0, 30, -30, 45, -60, 60, 180, 999, .nan, -.infinity]
    #expect(angles.map { cone.gain(at: $0) } == [1, 1, 1, 0.75, 0.5, 0.5, 0.5, 0.5, 1, 0.5])
    #expect(Cone(innerAngle: 90, outerAngle: 90, outerGain: 0.25).gain(at: 45) == 1)
    #expect(Cone(innerAngle: 90, outerAngle: 60, outerGain: 0.25).gain(at: 46) == 0.25)
    #expect(Cone(innerAngle: .nan).gain(at: 90) == 1 && Cone().gain(at: 180) == 1)
    for (low, high) in [(Float(-1), Float(361)), (0, 360)] {
      let cone = Cone(innerAngle: high, outerAngle: high, outerGain: Gain(high), outerHighFrequencyGain: Gain(high))
        .clamped
      #expect(cone == Cone(innerAngle: 360, outerAngle: 360, outerGain: 1, outerHighFrequencyGain: 1))
      let none = Cone(innerAngle: low, outerAngle: low, outerGain: Gain(low), outerHighFrequencyGain: Gain(low)).clamped
      #expect(none == Cone(innerAngle: 0, outerAngle: 0, outerGain: 0, outerHighFrequencyGain: 0))
    }
    let cones = [
      Cone(innerAngle: .nan), Cone(outerAngle: .nan), Cone(outerGain: Gain(.nan)),
      Cone(outerHighFrequencyGain: Gain(.nan)),
    ]
    #expect(cones.allSatisfy { !$0.isFinite } && Cone().isFinite)
    #expect(StereoAngles(left: -181, right: 181).clamped == StereoAngles(left: -180, right: 180))
    #expect(StereoAngles(left: 181, right: -181).clamped == StereoAngles(left: 180, right: -180))
    #expect(!StereoAngles(left: .nan).isFinite && !StereoAngles(right: .nan).isFinite && StereoAngles().isFinite)
    #expect(ToneFilter(low: 1, high: -61).clamped == ToneFilter(low: 0, high: -60))
    #expect(ToneFilter(low: -61, high: 1).clamped == ToneFilter(low: -60, high: 0))
    #expect(!ToneFilter(low: Decibels(.nan)).isFinite && !ToneFilter(high: Decibels(.nan)).isFinite)
    #expect(ToneFilter(low: .silence, high: .silence).isFinite && ToneFilter().isFinite)
    #expect(!ToneFilter(low: Decibels(.infinity)).isFinite)
  }

  @Test func `A relative source is shifted like the same source of the world`() {
    var random = SplitMix64(seed: 9)
    func vector(_ limit: Float) -> SIMD3<Float> {
      func any() -> Float { .random(in: -limit...limit, using: &random) }
      return [any(), any(), any()]
    }
    for _ in 0..<2_000 {
      let listener = Listener(
        position: vector(10),
        velocity: vector(40),
        orientation: Orientation(forward: vector(1), up: vector(1))
      )
      let (place, motion) = (vector(50), vector(60))
      let factor = Float.random(in: 0.1...2, using: &random)
      let effect = DopplerEffect(factor: factor)
      // In double precision: the speeds of both along the line between them.
      let way = SIMD3<Double>(listener.position) - SIMD3<Double>(place)
      let line = way / (way * way).sum().squareRoot()
      let (heard, moved) = ((SIMD3<Double>(listener.velocity) * line).sum(), (SIMD3<Double>(motion) * line).sum())
      let speed = Double(Float(343.3))
      let expected = (speed - heard * Double(factor)) / (speed - moved * Double(factor))
      let shift = effect.shift(of: place, movingAt: motion, heardBy: listener)
      #expect(abs(shift / expected - 1) < 1e-4)
      let relative = effect.shift(
        of: listener.relativePosition(of: place),
        movingAt: listener.orientation.relativeDirection(of: motion - listener.velocity),
        isRelative: true,
        heardBy: listener
      )
      #expect(abs(relative / shift - 1) < 1e-3)
    }
    let still = Listener()
    func shift(_ factor: Float, _ speed: Float, of listener: Float = 0) -> Double {
      let moving = Listener(velocity: [0, 0, listener])
      return DopplerEffect(factor: factor).shift(of: [0, 0, -10], movingAt: [0, 0, speed], heardBy: moving)
    }
    #expect(DopplerEffect(factor: 1).shift(of: .zero, movingAt: [9, 9, 9], heardBy: still) == 1)
    #expect(shift(0, 500) == 1 && shift(1, 343.3) == .infinity && shift(1, 343) > 1_000)
    #expect(shift(1, 0, of: 343.3) == 0 && shift(1, 0, of: 342) < 0.01 && shift(1, 0, of: -343.3) == 2)
    #expect(abs(shift(2, 0, of: -343.3) - 3) < 1e-6 && shift(-1, 100) == 1)
  }

  @Test func `The room of a sound that is read follows its claim up to four times what arrives`() {
    func growth(_ claim: Int?, _ limit: Int = 1 << 40) -> CapacityGrowth { .init(claim: claim, limit: limit) }
    #expect(CapacityGrowth.blockSize == 4_096)
    let initial = [nil, -5, 0, 4_096, 4_097, 1 << 20, (1 << 20) + 1].map { growth($0).initial }
    #expect(initial == [4_096, 4_096, 4_096, 4_096, 4_097, 1 << 20, 1 << 20])
    #expect(growth(nil, 100).initial == 100 && growth(1 << 19, 5_000).initial == 5_000)
    for (claim, limit, next) in [
      (nil, 9_999, 2_000), (999, 9_999, 2_000), (1_000, 9_999, 1_000), (4_000, 9_999, 4_000), (4_001, 9_999, 2_000),
      (nil, 1_500, 1_500), (4_000, 1_500, 1_500), (4_001, 1_500, 1_500), (nil, 1_000, 1_000), (nil, 999, nil),
      (5_000, 999, nil),
    ] as [(Int?, Int, Int?)] {
      #expect(growth(claim, limit).next(after: 600, arriving: 400) == next, "\(String(describing: claim)) \(limit)")
    }
  }

  @Test func `A queue of sounds has the sum of their lengths, and a place by its channels and the game's choice`() {
    var sound = QueuedSound()
    #expect(
      sound.sampleRate == 0 && !sound.isMono && !sound.isQueue && sound.loopRange == 0..<0 && sound.frameCount == 0
    )
    sound.lengths = [10, 20, 30]
    #expect((0...4).map { sound.end(ofFirst: $0) } == [0, 10, 30, 60, 60] && sound.frameCount == 60)
    #expect(Spatialization.allCases.map { sound.isPlaced($0) } == [false, true, false])
    sound.isMono = true
    #expect(Spatialization.allCases.map { sound.isPlaced($0) } == [true, true, false])
  }

  @Test func `A step of the mixer is a whole number of parts, up to the version's limit`() {
    for (version, parts, limit) in [
      (nil, 4_096, 255), (LibraryVersion(1, 19, 1), 4_096, 255), (LibraryVersion(1, 21, 0), 4_096, 10),
      (LibraryVersion(1, 22, 9), 4_096, 10), (LibraryVersion(1, 23, 0), 65_536, 10),
    ] as [(LibraryVersion?, Float, Float)] {
      let step = MixStep(version: version)
      #expect(step.parts == parts && step.limit == limit)
      #expect(step.frames(pitch: limit, soundRate: 1, mixRate: 1) == Double(limit))
      #expect(step.frames(pitch: 1e9, soundRate: 1, mixRate: 1) == Double(limit))
      #expect(step.frames(pitch: .nan, soundRate: 1, mixRate: 1) == 0)
      #expect(
        step.frames(pitch: 1, soundRate: 0, mixRate: 1) == 0 && step.frames(pitch: 1, soundRate: 1, mixRate: 0) == 0
      )
      #expect(step.frames(pitch: 1e-9, soundRate: 1, mixRate: 1) == 1 / Double(parts))
      #expect(step.frames(pitch: 1.5 / parts, soundRate: 1, mixRate: 1) == 2 / Double(parts))
      #expect(step.frames(pitch: 2.5 / parts, soundRate: 1, mixRate: 1) == 2 / Double(parts))
      #expect(step.frames(pitch: 0.5, soundRate: 3, mixRate: 2) == 0.75)
    }
  }
}
