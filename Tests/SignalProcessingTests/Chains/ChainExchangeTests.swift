import PCM
import TestSupport
import Testing

@testable import SignalProcessing

@Suite struct ChainExchangeTests {
  private static let format = PCMFormat.stereo(sampleRate: 48_000)

  private static func aligned(_ steps: [ProcessorStep], latency: Int = 0) -> AlignedChain {
    AlignedChain(ProcessorChain(steps, format: format), latency: latency)
  }

  private static func width(gain: Double) -> ProcessorStep {
    var settings = StereoWidth.Settings()
    settings.gain = gain
    return ProcessorStep(.stereoWidth(settings))
  }

  private static func limiter(ceiling: Double = -1, isTruePeak: Bool = true) -> ProcessorStep {
    var settings = LookAheadLimiter.Settings()
    (settings.ceiling, settings.isTruePeak) = (ceiling, isTruePeak)
    return ProcessorStep(.limiter(settings))
  }

  private static func sines(_ frames: Int, amplitude: Double = 0.4) -> [Float] {
    interleaved([
      sine(997, 48_000, frames: frames, amplitude: amplitude), sine(440, 48_000, frames: frames, amplitude: amplitude),
    ])
  }

  /// The largest second difference of the left and of the right channel.
  private static func bend(_ sound: ArraySlice<Float>) -> Float {
    var largest: Float = 0
    for index in sound.indices.dropFirst(4) {
      let bend: Float = sound[index] - 2 * sound[index - 2] + sound[index - 4]
      largest = max(largest, bend.magnitude)
    }
    return largest
  }

  @Test func `An exchange between equal chains changes nothing`() {
    let lists: [[ProcessorStep]] = [
      [], [Self.width(gain: -3)], [Self.limiter()], [Self.limiter(), ProcessorStep(.custom(lateHalf))],
      [ProcessorStep(.distortion(Distortion.Settings()), mix: 0)],
    ]
    let sound = Self.sines(9_600)
    for list in lists {
      var exchange = ChainExchange(Self.aligned(list))
      var plain = ProcessorChain(list, format: Self.format)
      let expected = plain.played(sound)
      var result = exchange.played(Array(sound[..<6_000]))
      let hasReplaced = exchange.exchange(to: Self.aligned(list), over: 480) != nil
      result += exchange.played(Array(sound[6_000...]))
      let hasRetired = exchange.hasRetired
      let isLeaving = exchange.takeRetired() != nil
      #expect(!hasReplaced && hasRetired && isLeaving && !exchange.hasRetired)
      #expect(difference(result, expected) < 1e-6)
    }
  }

  @Test func `A chain without sound is replaced at once, also a new one`() {
    let (soft, loud) = ([Self.width(gain: -6)], [Self.width(gain: 6), Self.limiter()])
    var exchange = ChainExchange(Self.aligned(soft))
    #expect(exchange.isResting && exchange.canGlide(to: [Self.width(gain: 3)]) && !exchange.canGlide(to: loud))
    let former = exchange.replace(by: Self.aligned(loud)).latency
    let isStillResting = exchange.isResting
    let other = exchange.replace(by: Self.aligned(soft)).latency
    #expect(former == 0 && isStillResting && other > 0)
    let sound = Self.sines(2_000)
    var plain = ProcessorChain(soft, format: Self.format)
    let expected = plain.played(sound)
    #expect(exchange.played(sound) == expected && !exchange.isResting)
  }

  @Test(arguments: StepKind.allCases)
  func `A chain that glides in silence has no sound, and does not rest`(kind: StepKind) {
    var random = SplitMix64(seed: 23)
    let (first, second) = (ProcessorStep(kind.settings(&random), mix: 0.25), ProcessorStep(kind.settings(&random)))
    var exchange = ChainExchange(Self.aligned([first]))
    var (isSilent, isGliding) = (exchange.isSilent, false)
    #expect(isSilent)
    for sound in [[Float](), Self.sines(2_000)] {
      _ = exchange.played(sound)
      isSilent = exchange.isSilent
      #expect(isSilent == sound.isEmpty)
      _ = exchange.played([Float](repeating: 0, count: 2 * 200_000))
      (isSilent, isGliding) = (exchange.isSilent, exchange.set([second], over: 480))
      #expect(isSilent)
      // Some settings need a chain of their own.
      guard isGliding else { continue }
      isSilent = exchange.isSilent
      let isResting = exchange.isResting
      #expect(isSilent && !isResting)
      let result = exchange.played([Float](repeating: 0, count: 2 * 300))
      isSilent = exchange.isSilent
      #expect(isSilent && result.allSatisfy { $0 == 0 })
    }
  }

  @Test func `A chain without steps has sound while it passes`() {
    var exchange = ChainExchange(Self.aligned([]))
    var isSilent = exchange.isSilent
    #expect(isSilent)
    _ = exchange.played(Self.sines(100))
    isSilent = exchange.isSilent
    #expect(!isSilent)
    _ = exchange.played([0, 0])
    let isSet = exchange.set([], over: 480)
    isSilent = exchange.isSilent
    #expect(isSet && isSilent)
  }

  @Test func `The memory of a filter is nearly complete when its chain fades in`() {
    let list = [ProcessorStep(.equalizer([FilterBand(.bell, 4_000, gain: 6, quality: 1)]))]
    var exchange = ChainExchange(Self.aligned(list))
    var plain = ProcessorChain(list, format: Self.format)
    let sound = Self.sines(9_600)
    _ = exchange.exchange(to: Self.aligned(list), over: 0)
    let (result, expected) = (exchange.played(sound), plain.played(sound))
    #expect(difference(result, expected) < 2e-5)
  }

  @Test func `A sound crosses over linearly after the warm-up`() {
    let sound = [Float](repeating: 0.5, count: 2 * 4_800)
    var exchange = ChainExchange(Self.aligned([Self.width(gain: 0)]))
    _ = exchange.exchange(to: Self.aligned([Self.width(gain: -80)]), over: 960)
    let result = exchange.played(sound)
    // 480 frames of the warm-up, 960 frames of the fade.
    #expect(result[..<960].allSatisfy { $0 == 0.5 })
    #expect(abs(result[960 + 960] - 0.25) < 0.001)
    #expect(result[(2 * 1_440)...].allSatisfy { abs($0 - 0.000_05) < 1e-7 })
  }

  @Test(arguments: 0..<10)
  func `An exchange between different chains makes no click`(part: UInt64) {
    let kinds: [StepKind] = [.equalizer, .compressor, .limiter, .delay, .modulatedDelay, .stereoWidth, .custom]
    let sound = Self.sines(24_000)
    for seed in part * 12..<(part + 1) * 12 {
      var random = SplitMix64(seed: seed)
      let lists = (0..<2).map { _ in
        (0..<Int.random(in: 0...3, using: &random)).map { _ in randomStep(&random, kinds: kinds) }
      }
      var exchange = ChainExchange(Self.aligned(lists[0]))
      var result = exchange.played(Array(sound[..<24_000]))
      _ = exchange.exchange(to: Self.aligned(lists[1]), over: 0)
      result += exchange.played(Array(sound[24_000...]))
      // Each chain alone is as smooth as its settings make it.
      let bends = lists.map { list in
        var chain = ProcessorChain(list, format: Self.format)
        return Self.bend(chain.played(sound)[12_000...])
      }
      let largest = max(bends[0], bends[1])
      // The fade adds its own bend: twice the difference of a step of both sounds over its 480 frames.
      let bend = Self.bend(result[20_000...])
      #expect(bend < 1.3 * largest + 0.002, "seed \(seed): \(bend) against \(largest)")
    }
  }

  @Test func `Chains of one latency stay in time, and latencies that differ change with the fade`() {
    var exchange = ChainExchange(Self.aligned([], latency: 100))
    var impulse = [Float](repeating: 0, count: 4_000)
    (impulse[0], impulse[1]) = (0.5, 0.5)
    func place(_ exchange: inout ChainExchange) -> Int? {
      exchange.played(impulse).firstIndex { abs($0) > 0.2 }.map { $0 / 2 }
    }
    let before = place(&exchange)
    _ = exchange.exchange(to: Self.aligned([Self.limiter()], latency: 100), over: 0)
    let (during, after) = (place(&exchange), place(&exchange))
    #expect(before == 100 && during == 100 && after == 100 && exchange.latency == 100)
    _ = exchange.takeRetired()
    _ = exchange.exchange(to: Self.aligned([]), over: 0)
    _ = place(&exchange)
    let last = place(&exchange)
    #expect(last == 0 && exchange.latency == 0)
    let longer = Self.aligned([Self.limiter(), Self.limiter()], latency: 20)
    let (total, own) = (longer.latency, longer.chain.latency)
    #expect(total == own && own > 100)
  }

  @Test func `A chain waits during a fade, and the newest one replaces it`() {
    var exchange = ChainExchange(Self.aligned([Self.width(gain: 0)]))
    let sound = [Float](repeating: 0.5, count: 2 * 512)
    _ = exchange.exchange(to: Self.aligned([Self.width(gain: -6)]), over: 0)
    _ = exchange.played(sound)
    let first = exchange.exchange(to: Self.aligned([Self.limiter()]), over: 0) != nil
    var replacedLatency = 0
    if let replaced = exchange.exchange(to: Self.aligned([Self.width(gain: -20)]), over: 0) {
      replacedLatency = replaced.latency
    }
    #expect(!first && replacedLatency > 0)
    for _ in 0..<8 { _ = exchange.played(sound) }
    // The second exchange waits for the owner, who has not taken the first chain.
    let waiting = exchange.played(sound)
    #expect(waiting.allSatisfy { abs($0 - 0.250_6) < 0.001 } && exchange.isExchanging)
    let retired = exchange.takeRetired() != nil
    for _ in 0..<4 { _ = exchange.played(sound) }
    let result = exchange.played(sound)
    let last = exchange.takeRetired() != nil
    let none = exchange.takeRetired() == nil
    #expect(retired && last && none && !exchange.isExchanging)
    #expect(result.allSatisfy { abs($0 - 0.05) < 1e-6 })
  }

  @Test func `New values reach the newest chain`() {
    var exchange = ChainExchange(Self.aligned([Self.width(gain: 0)]))
    let sound = [Float](repeating: 0.5, count: 2 * 4_800)
    _ = exchange.exchange(to: Self.aligned([Self.limiter()]), over: 0)
    let refused = exchange.set([Self.width(gain: -6)], over: 0)
    let waiting = exchange.set([Self.limiter(ceiling: -20)], over: 0)
    let result = exchange.played(sound)
    let present = exchange.set([Self.limiter(ceiling: -26)], over: 0)
    let last = exchange.played(sound)
    #expect(!refused && waiting && present)
    #expect(abs((result.last ?? 0) - 0.1) < 0.001 && abs((last.last ?? 0) - 0.05) < 0.001)
  }

  @Test(arguments: 0..<6)
  func `An exchange returns the same samples for any cut into blocks`(part: UInt64) {
    for seed in part * 40..<(part + 1) * 40 {
      var random = SplitMix64(seed: seed)
      let lists = (0..<2).map { _ in (0..<Int.random(in: 0...3, using: &random)).map { _ in randomStep(&random) } }
      let latency = Int.random(in: 0...1, using: &random) * 300
      let sound = noise(2 * 3_000, amplitude: 0.9, seed: seed)
      let keys = [noise(6_000, seed: seed + 2), noise(6_000, amplitude: 0.2, seed: seed + 3)]
      var results: [[Float]] = []
      for blocks in [[512], [1_000], [63, 65, 7, 200]] {
        var exchange = ChainExchange(Self.aligned(lists[0], latency: latency))
        let start = exchange.played(Array(sound[..<2_000]), blocks: blocks, keys: keys.map { Array($0[..<2_000]) })
        _ = exchange.exchange(to: Self.aligned(lists[1], latency: latency), over: 700)
        let end = exchange.played(Array(sound[2_000...]), blocks: blocks, keys: keys.map { Array($0[2_000...]) })
        results.append(start + end)
      }
      let areEqual = results[0] == results[1] && results[0] == results[2]
      #expect(areEqual, "seed \(seed)")
    }
  }

  @Test func `An exchange rests with an aligned chain, and wakes as one that did not rest`() {
    let sound = noise(4_000) + [Float](repeating: 0, count: 140_002) + noise(4_000, seed: 2)
    let list = [Self.limiter(isTruePeak: false), Self.width(gain: -3)]
    var exchange = ChainExchange(Self.aligned(list, latency: 333))
    var chain = ProcessorChain(list, format: Self.format, rests: false)
    let expected = delayed(chain.played(sound), by: 333 - chain.latency, channels: 2)
    var hasRested = false
    let result = play(sound) { samples, keys, frame in
      exchange.process(&samples, keys: keys, at: frame)
      hasRested = hasRested || exchange.isResting
    }
    let first = result.indices.first { result[$0] != expected[$0] }
    #expect(first == nil)
    #expect(hasRested && exchange.tail ?? 0 >= 333)
  }

  @Test func `A fault of the next chain is reported`() {
    let custom = CustomProcessor("faulty") { _ in Broken() }
    var exchange = ChainExchange(Self.aligned([]))
    _ = exchange.exchange(to: Self.aligned([ProcessorStep(.custom(custom))]), over: 0)
    let sound = [Float](repeating: 0.5, count: 2_400 * 2)
    let result = exchange.played(sound)
    let (fault, again) = (exchange.takeFault(), exchange.takeFault())
    #expect(fault?.processor == custom && again == nil)
    // Its first block failed in the warm-up: the step fades to the dry sound while the chains cross over.
    #expect(result.allSatisfy { $0 > 0.37 } && result.last == 0.5)
  }
}

private final class Broken: CustomProcessing, @unchecked Sendable {
  func process(_ samples: inout MutableSpan<Float>, at frame: Int) { samples[0] = .nan }
}
