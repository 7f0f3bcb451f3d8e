import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// Curves of level over distance.
@Suite struct RolloffCurveTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let curve = RolloffCurve([.init(1, 0), .init(10, -12), .init(40, -60)])

  /// Distances and the levels of the curve there.
  static let levels: [(Float, Float)] = [
    (0, 0), (1, 0), (5.5, -6), (10, -12), (25, -36), (40, -60), (1e9, -60), (.infinity, -60),
  ]

  @Test(arguments: levels)
  func `The level is straight in decibels between the points`(distance: Float, level: Float) {
    #expect(abs(Self.curve.level(at: distance).rawValue - level) < 0.001)
  }

  @Test func `Points in any order make the same curve, and unusable ones none`() {
    let points: [RolloffCurve.Point] = [
      .init(40, -60), .init(-1, 3), .init(.nan, 3), .init(1, 0), .init(.infinity, 3), .init(3, Decibels(.nan)),
      .init(10, -12),
    ]
    #expect(RolloffCurve(points) == Self.curve)
    #expect(RolloffCurve([]).level(at: 7) == 0)
    #expect(RolloffCurve([.init(0, 999)]).level(at: 7) == 24)
  }

  @Test func `Two points at one distance are a step, and a silent point is silent`() {
    let curve = RolloffCurve([.init(0, 0), .init(5, 0), .init(5, -20), .init(9, .silence)])
    #expect(curve.level(at: 5) == 0)
    #expect(abs(curve.level(at: 5.0001).rawValue + 20) < 0.1)
    #expect(abs(curve.level(at: 7).rawValue + 58) < 0.1)
    #expect(curve.level(at: 9) == .silence && curve.level(at: 10) == .silence)
  }

  @Test func `The bound of 1,000 random curves is nowhere below them`() {
    var random = SplitMix64(seed: 91)
    for round in 0..<1_000 {
      let points = (0..<Int.random(in: 0...6, using: &random)).map { _ in
        RolloffCurve.Point(
          Bool.random(using: &random)
            ? .random(in: 0...50, using: &random) : Float(Int.random(in: 0...4, using: &random)),
          Decibels(.random(in: -110...12, using: &random))
        )
      }
      let curve = RolloffCurve(points)
      let bound = curve.bound
      let excess = (0...400).lazy.map { Float($0) * 0.15 }.filter { distance in
        curve.level(at: distance).factor > curve.peak * bound.gain(at: distance, model: .inverseClamped).rawValue
          * 1.0001
      }
      #expect(excess.first == nil, "curve \(round): \(curve)")
    }
  }

  @Test func `The bound of a falling curve falls`() {
    #expect(Self.curve.bound.gain(at: 40, model: .inverseClamped) < 0.2)
  }

  @Test(arguments: levels.dropLast(2).dropFirst())
  func `The mix and the explanation follow the curve`(distance: Float, level: Float) throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    var sound = Sound(TestSignal.sine(frequency: 400, duration: .seconds(1), format: Self.mono))
    sound.attenuation.rolloffFactor = 9
    sound.rolloffCurve = Self.curve
    let emitter = Emitter(playing: sound, in: world)
    emitter.position = [0, 0, -distance]
    emitter.play()
    let rendered = offline.render(.milliseconds(300)).frames(4_800..<14_400).level(at: 400)
    // A sine of half the full scale.
    #expect(abs(rendered.rawValue + 9.031 - level) < 0.05)
    let explanation = world.explain(emitter)
    let factor = explanation.factors.first { $0.kind == .attenuation(distance: distance, through: nil) }
    #expect(abs((factor?.level.rawValue ?? 99) - level) < 0.01, "\(explanation)")
  }

  @Test func `A source that moves along a curve does not click`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    var sound = Sound(TestSignal.sine(frequency: 400, duration: .seconds(2), format: Self.mono))
    sound.rolloffCurve = Self.curve
    let emitter = Emitter(playing: sound, in: world)
    emitter.position = [0, 0, -1]
    emitter.play()
    var samples = offline.render(frameCount: 4_096).samples
    for frame in 0..<60 {
      emitter.position = [0, 0, -1 - Float(frame) * 0.3]
      samples += offline.render(frameCount: 800).samples
    }
    let mix = try PCMBuffer(samples: samples, format: Self.mono)
    #expect(mix.clicks(highestFrequency: 400).isEmpty)
    #expect(mix.frames(48_000..<52_000).level < -20)
  }

  @Test func `A step at the first distance, and a curve of one level, have a bound that falls or stays`() {
    let step = RolloffCurve([.init(1, 0), .init(1, -3), .init(10, -23), .init(100, -43)])
    #expect(step.bound.gain(at: 50, model: .inverseClamped) < 0.5)
    let rising = RolloffCurve([.init(1, -20), .init(50, 0)])
    #expect(rising.peak == 1 && rising.bound.gain(at: 50, model: .inverseClamped) == 1)
    for points in [
      [RolloffCurve.Point(0, -6)], [.init(0, -6), .init(0, -9)], [.init(3, .silence), .init(9, .silence)],
    ] {
      let curve = RolloffCurve(points)
      let peak = curve.points.map(\.level.factor).max() ?? 1
      #expect(
        curve.peak == peak
          && curve.bound.gain(at: 5, model: .inverseClamped).rawValue * peak >= curve.level(at: 5).factor
      )
    }
    #expect(RolloffCurve([]).peak == 1 && RolloffCurve([]).bound.gain(at: 9, model: .inverseClamped) == 1)
    #expect(RolloffCurve([.init(3, -96), .init(9, -97)]).points.map(\.level) == [-96, -96])
    #expect(RolloffCurve([.init(3, 24), .init(9, 25)]).points.map(\.level) == [24, 24])
    #expect(RolloffCurve([.init(9, -20), .init(-1, 0), .init(3, -6)]).points.map(\.distance) == [3, 9])
    // Points of one distance stay in their order.
    let equal = RolloffCurve((0..<20).map { .init(5, Decibels(-Float($0))) })
    #expect(equal.points.map(\.level.rawValue) == (0..<20).map { -Float($0) })
  }
}
