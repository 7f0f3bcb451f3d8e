import PCM
import SignalProcessing
import TestSupport

/// The kinds of processors in lists of tests.
enum StepKind: CaseIterable {
  case equalizer, compressor, gate, limiter, leveler, convolution, distortion, bitCrusher, delay, modulatedDelay
  case stereoWidth, custom

  /// Random settings of the kind, for rates from 4 kHz on.
  func settings(_ random: inout SplitMix64) -> ProcessorSettings {
    func number(_ range: ClosedRange<Double>) -> Double { .random(in: range, using: &random) }
    switch self {
    case .equalizer:
      let (low, middle) = (number(100...300), number(400...1_500))
      return .equalizer([FilterBand(.highPass, low), FilterBand(.bell, middle, gain: number(-12...12), quality: 2)])
    case .compressor:
      var settings = Compressor.Settings()
      (settings.threshold, settings.ratio, settings.makeup) = (number(-40...(-10)), number(1...8), number(0...6))
      (settings.attack, settings.release) = (number(0.001...0.02), number(0.01...0.05))
      settings.detector = .random(using: &random) ? .peak : .rootMeanSquare
      settings.keyHighPass = .random(using: &random) ? number(100...400) : 0
      return .compressor(settings)
    case .gate:
      var settings = Gate.Settings()
      (settings.threshold, settings.release, settings.hold) = (number(-30...(-3)), number(0.01...0.05), 0.03)
      return .gate(settings)
    case .limiter:
      var settings = LookAheadLimiter.Settings()
      (settings.ceiling, settings.release) = (number(-20...(-3)), number(0.01...0.05))
      settings.isTruePeak = .random(using: &random)
      return .limiter(settings)
    case .leveler:
      var settings = Leveler.Settings()
      (settings.target, settings.speed) = (number(-20...(-10)), 20)
      return .leveler(settings)
    case .convolution:
      return .convolution(PartitionedConvolver.Settings(.random(using: &random) ? shortResponse : longResponse))
    case .distortion:
      var settings = Distortion.Settings()
      (settings.drive, settings.tone) = (number(0...24), number(500...3_000))
      return .distortion(settings)
    case .bitCrusher:
      var settings = BitCrusher.Settings()
      (settings.bits, settings.sampleRate) = (number(3...12), number(900...4_000))
      return .bitCrusher(settings)
    case .delay:
      var settings = FeedbackDelay.Settings()
      (settings.time, settings.feedback) = (number(0.001...0.05), number(0...0.4))
      settings.crossesOver = .random(using: &random)
      return .delay(settings)
    case .modulatedDelay:
      var settings = ModulatedDelay.Settings()
      (settings.delay, settings.rate, settings.feedback) = (number(0.004...0.01), number(0.3...5), number(-0.4...0.4))
      return .modulatedDelay(settings)
    case .stereoWidth:
      var settings = StereoWidth.Settings()
      (settings.width, settings.gain) = (number(0...2), number(-6...6))
      return .stereoWidth(settings)
    case .custom: return .custom(lateHalf)
    }
  }
}

let shortResponse = ImpulseResponse([noise(300, amplitude: 0.1), noise(200, amplitude: 0.1, seed: 3)])
let longResponse = ImpulseResponse([noise(2_300, amplitude: 0.03, seed: 5)])

/// A processor of a program that halves the sound, seven frames late.
final class LateHalf: CustomProcessing, @unchecked Sendable {
  private var line: DelayLine
  let latency = 7
  var tail: Int? { 0 }

  init(channelCount: Int) { line = DelayLine(delay: 7, channelCount: channelCount) }

  func process(_ samples: inout MutableSpan<Float>, at frame: Int) {
    line.process(&samples)
    for index in 0..<samples.count { samples[index] *= 0.5 }
  }

  func reset() { line.reset() }
}

let lateHalf = CustomProcessor("half") { format in LateHalf(channelCount: format.channelCount) }

/// A random step of a random kind.
func randomStep(_ random: inout SplitMix64, kinds: [StepKind] = StepKind.allCases) -> ProcessorStep {
  var step = ProcessorStep((kinds.randomElement(using: &random) ?? .stereoWidth).settings(&random))
  varyShares(of: &step, &random)
  step.key = Int.random(in: 0..<3, using: &random) == 0 ? KeyIndex(.random(in: 0..<3, using: &random)) : nil
  return step
}

func varyShares(of step: inout ProcessorStep, _ random: inout SplitMix64) {
  step.mix = [0, 0.25, 0.5, 1, 1, 1].randomElement(using: &random) ?? 1
  step.isBypassed = Int.random(in: 0..<4, using: &random) == 0
}

/// Processes a sound with keys, as blocks of some lengths in turn.
func play(
  _ sound: [Float],
  channels: Int = 2,
  blocks: [Int] = [512],
  keys: [[Float]] = [],
  _ process: (inout MutableSpan<Float>, Span<Float>, Int) -> Void
) -> [Float] {
  var (result, start, index) = ([Float](), 0, 0)
  result.reserveCapacity(sound.count)
  while start < sound.count {
    let end = min(start + blocks[index % blocks.count] * channels, sound.count)
    var block = Array(sound[start..<end])
    let keyBlock = keys.flatMap { $0[start..<end] }
    var span = block.mutableSpan
    process(&span, keyBlock.span, start / channels)
    result += block
    (start, index) = (end, index + 1)
  }
  return result
}

extension ProcessorChain {
  mutating func played(
    _ sound: [Float],
    blocks: [Int] = [512],
    keys: [[Float]] = []
  ) -> [Float] {
    play(sound, channels: format.channelCount, blocks: blocks, keys: keys) { process(&$0, keys: $1, at: $2) }
  }
}

extension ChainExchange {
  mutating func played(
    _ sound: [Float],
    channels: Int = 2,
    blocks: [Int] = [512],
    keys: [[Float]] = []
  ) -> [Float] {
    play(sound, channels: channels, blocks: blocks, keys: keys) { process(&$0, keys: $1, at: $2) }
  }
}

/// The sound, later by so many frames.
func delayed(_ sound: [Float], by frames: Int, channels: Int) -> [Float] {
  Array(([Float](repeating: 0, count: frames * channels) + sound).prefix(sound.count))
}

/// The largest difference of two sounds.
func difference(_ one: some Sequence<Float>, _ other: some Sequence<Float>) -> Float {
  zip(one, other).reduce(0) { max($0, abs($1.0 - $1.1)) }
}
