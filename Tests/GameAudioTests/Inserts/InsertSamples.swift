import GameAudio
import Spatial3D
import TestSupport

// Inserts with random numbers, for tests of all kinds.

/// The names of the kinds, as in files.
let kindNames = [
  "equalizer", "compressor", "gate", "limiter", "leveler", "convolution", "distortion", "bitCrusher", "delay", "chorus",
  "width",
  "custom",
]

extension Insert {
  /// An insert with random numbers within their ranges; each number may be its default.
  static func random(_ name: String, _ random: inout SplitMix64) -> Insert {
    var insert = Insert(.random(name, &random))
    if .random(using: &random) { insert.mix = .random(in: 0...1, using: &random) }
    insert.isBypassed = .random(using: &random)
    return insert
  }
}

extension Insert.Kind {
  fileprivate static func random(_ name: String, _ random: inout SplitMix64) -> Insert.Kind {
    func number(_ range: ClosedRange<Float>, _ standard: Float) -> Float {
      .random(using: &random) ? .random(in: range, using: &random) : standard
    }
    func level(_ range: ClosedRange<Float>, _ standard: Float) -> Decibels { Decibels(number(range, standard)) }
    func time(_ milliseconds: ClosedRange<Int>) -> Duration {
      .nanoseconds(
        Int.random(in: milliseconds.lowerBound * 1_000_000...milliseconds.upperBound * 1_000_000, using: &random)
      )
    }
    switch name {
    case "equalizer":
      let bands = (0..<Int.random(in: 0...12, using: &random)).map { _ in
        Insert.Equalizer.Band(
          .allCases.randomElement(using: &random) ?? .bell,
          number(10...20_000, 1_000),
          level: level(-24...24, 0),
          q: number(0.1...20, 0.707_106_77)
        )
      }
      return .equalizer(Insert.Equalizer(bands))
    case "compressor":
      var compressor = Insert.Compressor(threshold: level(-80...0, -18), ratio: number(1...1_000, 3))
      (compressor.knee, compressor.makeup) = (level(0...24, 6), level(-24...24, 0))
      (compressor.attack, compressor.release) = (time(1...1_000), time(1...10_000))
      compressor.detector = .random(using: &random) ? .peak : .rms
      compressor.keyHighPass = number(10...20_000, 0)
      return .compressor(compressor)
    case "gate":
      var gate = Insert.Gate(threshold: level(-100...0, -50))
      (gate.depth, gate.ratio) = (level(-120...0, -60), number(1...100, 10))
      (gate.hysteresis, gate.attack) = (level(0...24, 4), time(1...1_000))
      (gate.hold, gate.release) = (time(10...10_000), time(1...10_000))
      return .gate(gate)
    case "limiter":
      var limiter = Insert.Limiter(ceiling: level(-60...0, -1), isTruePeak: .random(using: &random))
      (limiter.lookAhead, limiter.release) = (time(1...20), time(10...5_000))
      return .limiter(limiter)
    case "leveler":
      var leveler = Insert.Leveler(target: level(-60...0, -23))
      (leveler.range, leveler.speed) = (level(0...24, 9), level(0.01...20, 1))
      return .leveler(leveler)
    case "convolution":
      var convolution = Insert.Convolution(
        "hall \(Int.random(in: 0...9, using: &random)).wav",
        level: level(-80...40, 0)
      )
      (convolution.predelay, convolution.longest) = (time(0...1_000), time(10...10_000))
      return .convolution(convolution)
    case "distortion":
      var distortion = Insert.Distortion(.allCases.randomElement(using: &random) ?? .soft, drive: level(0...48, 12))
      (distortion.tone, distortion.level) = (number(100...20_000, 8_000), level(-48...24, 0))
      return .distortion(distortion)
    case "bitCrusher":
      return .bitCrusher(Insert.BitCrusher(bits: number(1...24, 8), sampleRate: number(100...48_000, 11_025)))
    case "delay":
      var delay = Insert.Delay(time(0...10_000), feedback: number(0...0.98, 0.35))
      (delay.tone, delay.crossesOver) = (number(100...20_000, 6_000), .random(using: &random))
      return .delay(delay)
    case "chorus":
      var chorus = Insert.Chorus()
      (chorus.voices, chorus.delay) = (.random(in: 1...4, using: &random), time(1...50))
      (chorus.depth, chorus.rate) = (min(time(0...50), chorus.delay), number(0.01...20, 0.7))
      chorus.feedback = number(-0.95...0.95, 0)
      return .chorus(chorus)
    case "width":
      var width = Insert.Width(number(0...2, 1))
      (width.balance, width.level) = (number(-1...1, 0), level(-80...24, 0))
      return .width(width)
    default:
      return Insert.closure("name \(UInt64.random(in: 0...9, using: &random))") { _, _ in }.kind
    }
  }
}
