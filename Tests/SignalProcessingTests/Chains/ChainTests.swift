import PCM
import TestSupport
import Testing

@testable import SignalProcessing

@Suite struct ChainTests {
  private static let format = PCMFormat.stereo(sampleRate: 8_000)

  @Test func `An empty chain is the identity, to the bit`() {
    var chain = ProcessorChain([], format: Self.format)
    let sound = noise(3_000) + [.nan, .infinity, -0.0, 3e38]
    let result = chain.played(sound, blocks: [441, 37])
    #expect(result.map(\.bitPattern) == sound.map(\.bitPattern))
    let (latency, tail) = (chain.latency, chain.tail)
    #expect(latency == 0 && tail == 0)
  }

  /// A list, and the lists that it glides to, with the frames between them.
  private struct Story {
    var lists: [[ProcessorStep]] = []
    var (sound, keys): ([Float], [[Float]])

    init(seed: UInt64) {
      var random = SplitMix64(seed: seed)
      lists = [(0..<Int.random(in: 1...4, using: &random)).map { _ in randomStep(&random) }]
      for _ in 0..<3 {
        lists.append(
          (lists.last ?? []).map { step in
            var step = step
            varyShares(of: &step, &random)
            return step
          }
        )
      }
      sound = noise(5_000, amplitude: 0.9, seed: seed)
      for index in 1_400..<3_000 where seed % 3 == 0 { sound[index] = 0 }
      keys = [noise(5_000, amplitude: 0.5, seed: seed + 1), [Float](repeating: 0, count: 5_000)]
    }

    func played(blocks: [Int]) -> [Float] {
      var chain = ProcessorChain(lists[0], format: ChainTests.format)
      var result: [Float] = []
      for (index, list) in lists.enumerated() {
        let isSet = index == 0 || chain.set(list, over: 90 * index)
        #expect(isSet)
        let range = index * 1_250..<(index + 1) * 1_250
        result += chain.played(Array(sound[range]), blocks: blocks, keys: keys.map { Array($0[range]) })
      }
      return result
    }
  }

  @Test(arguments: 0..<10)
  func `Random lists return the same samples for any cut into blocks`(part: UInt64) {
    for seed in part * 120..<(part + 1) * 120 {
      let story = Story(seed: seed)
      let whole = story.played(blocks: [512])
      #expect(whole.allSatisfy { $0.isFinite })
      for blocks in [[1_000], [63, 65, 7, 200]] {
        let isEqual = story.played(blocks: blocks) == whole
        #expect(isEqual, "seed \(seed), blocks \(blocks)")
      }
    }
  }

  @Test(arguments: StepKind.allCases, [1, 2, 6])
  func `A step without mix and a bypassed step are the delayed input, to the bit`(kind: StepKind, channels: Int) {
    var random = SplitMix64(seed: UInt64(channels))
    let format = PCMFormat(sampleRate: 48_000, layout: channels == 1 ? .mono : channels == 2 ? .stereo : .surround51)
    let sound = noise(3_000 * channels, amplitude: 0.9)
    for _ in 0..<10 {
      let settings = kind.settings(&random)
      for step in [ProcessorStep(settings, mix: 0), ProcessorStep(settings, mix: 0.5, isBypassed: true)] {
        var chain = ProcessorChain([step], format: format)
        let expected = delayed(sound, by: chain.latency, channels: channels)
        let result = chain.played(sound, blocks: [441, 37, 1_024])
        #expect(result == expected)
      }
    }
  }

  @Test(arguments: StepKind.allCases)
  func `A step returns what its processor returns, and has its latency`(kind: StepKind) {
    var random = SplitMix64(seed: 4)
    let settings = kind.settings(&random)
    var chain = ProcessorChain([ProcessorStep(settings)], format: .stereo(sampleRate: 48_000))
    let expected =
      switch settings {
      case .limiter(let settings): LookAheadLimiter(settings, channelCount: 2, sampleRate: 48_000).latency
      case .distortion(let settings): Distortion(settings, channelCount: 2, sampleRate: 48_000).latency
      case .custom: 7
      default: 0
      }
    let (latency, tail) = (chain.latency, chain.tail)
    #expect(latency == expected && tail ?? 0 >= expected)
    // The dry path shows the same number: half of both has one impulse, and it is at the latency.
    var impulse = [Float](repeating: 0, count: 4_000)
    (impulse[0], impulse[1]) = (0.1, 0.1)
    let wet = chain.played(impulse)
    var dry = ProcessorChain([ProcessorStep(settings, mix: 0)], format: .stereo(sampleRate: 48_000))
    let dryImpulse = dry.played(impulse).firstIndex { $0 != 0 }
    #expect(dryImpulse == expected * 2)
    // A limiter and a custom processor are flat: their impulse is one sample.
    if kind == .limiter || kind == .custom { #expect(wet.firstIndex { $0 != 0 } == expected * 2) }
    if kind == .distortion {
      let largest = wet.indices.max { abs(wet[$0]) < abs(wet[$1]) } ?? 0
      #expect(abs(largest / 2 - expected) <= 2)
    }
  }

  @Test func `Half of a limiter adds up, without a comb`() {
    var step = ProcessorStep(.limiter(LookAheadLimiter.Settings()), mix: 0.5)
    var chain = ProcessorChain([step], format: .stereo(sampleRate: 48_000))
    var impulse = [Float](repeating: 0, count: 2_000)
    (impulse[100], impulse[101]) = (0.4, -0.3)
    let both = chain.played(impulse)
    #expect(difference(both, delayed(impulse, by: chain.latency, channels: 2)) < 1e-7)
    // A loud sine keeps its phase: dry and limited sound are delayed alike.
    step.mix = 0.5
    let sound = interleaved([sine(500, 48_000, frames: 9_600, amplitude: 2), sine(500, 48_000, frames: 9_600)])
    var loud = ProcessorChain([step], format: .stereo(sampleRate: 48_000))
    let result = loud.played(sound)
    let distance = 2 * loud.latency
    let gains = (9_000..<19_000).filter { abs(sound[$0 - distance]) > 0.5 }.map { result[$0] / sound[$0 - distance] }
    #expect(gains.allSatisfy { abs($0 - gains[0]) < 0.01 })
  }

  @Test func `A keyed compressor is a compressor with this key`() {
    var settings = Compressor.Settings()
    (settings.threshold, settings.ratio) = (-30, 6)
    let (sound, silence) = (noise(40_000, amplitude: 0.5), [Float](repeating: 0, count: 40_000))
    let key = noise(20_000, amplitude: 0.8, seed: 9) + Array(silence[..<20_000])
    var chain = ProcessorChain(
      [ProcessorStep(.compressor(settings), key: KeyIndex(1))],
      format: .stereo(sampleRate: 48_000)
    )
    var compressor = Compressor(settings, channelCount: 2, sampleRate: 48_000)
    let expected = play(sound, keys: [key]) { samples, key, _ in compressor.process(&samples, key: key) }
    let result = chain.played(sound, blocks: [1_024, 37], keys: [silence, key])
    #expect(result == expected)
    let (change, expectedChange) = (chain.gainChange(ofStep: StepIndex(0)), compressor.gainChange)
    #expect(change == expectedChange)
    // Without the key, its own sound counts.
    var own = Compressor(settings, channelCount: 2, sampleRate: 48_000)
    var alone = ProcessorChain(
      [ProcessorStep(.compressor(settings), key: KeyIndex(1))],
      format: .stereo(sampleRate: 48_000)
    )
    let aloneResult = alone.played(sound)
    let ownResult = processed(sound, channels: 2) { own.process(&$0) }
    #expect(aloneResult == ownResult)
  }

  @Test(arguments: [false, true])
  func `A key is as late as the sound of its step`(isGate: Bool) {
    var (compressor, gate) = (Compressor.Settings(), Gate.Settings())
    (compressor.threshold, compressor.ratio, gate.threshold, gate.hold) = (-30, 6, -20, 0.02)
    let (sound, silence) = (noise(24_000, amplitude: 0.5), [Float](repeating: 0, count: 6_000))
    let key = silence + noise(6_000, amplitude: 0.8, seed: 9) + silence + noise(6_000, amplitude: 0.8, seed: 3)
    let steps = [
      ProcessorStep(.limiter(LookAheadLimiter.Settings())), ProcessorStep(.custom(lateHalf)),
      ProcessorStep(isGate ? .gate(gate) : .compressor(compressor), key: KeyIndex(0)),
    ]
    var chain = ProcessorChain(steps, format: .stereo(sampleRate: 48_000))
    let result = chain.played(sound, blocks: [512, 1_024, 37], keys: [key])
    let later = delayed(key, by: chain.latency, channels: 2)
    let half = delayed(sound, by: chain.latency, channels: 2).map { $0 * 0.5 }
    var alone = ProcessorChain([steps[2]], format: .stereo(sampleRate: 48_000))
    let expected = alone.played(half, keys: [later])
    #expect(result == expected)
  }

  @Test func `A key with other channels than the sound counts`() {
    var settings = Compressor.Settings()
    (settings.threshold, settings.ratio) = (-30, 6)
    let (sound, key) = (noise(9_000, amplitude: 0.5), noise(4_500, amplitude: 0.8, seed: 9))
    var chain = ProcessorChain(
      [ProcessorStep(.compressor(settings), key: KeyIndex(0))],
      format: .stereo(sampleRate: 48_000),
      keyChannelCount: 1
    )
    var compressor = Compressor(settings, channelCount: 2, keyChannelCount: 1, sampleRate: 48_000)
    var (one, other) = (sound, sound)
    var span = one.mutableSpan
    chain.process(&span, keys: key.span, at: 0)
    var otherSpan = other.mutableSpan
    compressor.process(&otherSpan, key: key.span)
    #expect(one == other)
  }

  @Test func `A glide over a second is half-way at half time`() {
    var (low, high) = (StereoWidth.Settings(), StereoWidth.Settings())
    (low.gain, high.gain) = (-12, 0)
    var chain = ProcessorChain([ProcessorStep(.stereoWidth(low))], format: .stereo(sampleRate: 48_000))
    let sound = [Float](repeating: 0.5, count: 2 * 48_000)
    _ = chain.played(sound)
    let glides = chain.set([ProcessorStep(.stereoWidth(high))], over: 48_000)
    #expect(glides)
    let result = chain.played(sound)
    #expect(abs(decibels(Double(result[48_000] / 0.5)) + 6) < 0.06)
    let last = chain.played(sound)
    #expect(last.allSatisfy { $0 == 0.5 })
    // The mix glides linearly.
    var mixed = ProcessorChain([ProcessorStep(.stereoWidth(low), mix: 0)], format: .stereo(sampleRate: 48_000))
    _ = mixed.played(sound)
    let mixes = mixed.set([ProcessorStep(.stereoWidth(low), mix: 1)], over: 48_000)
    #expect(mixes)
    let half = mixed.played(sound)[48_000] / 0.5
    #expect(abs(half - (1 + 0.251_19) / 2) < 0.001)
  }

  @Test func `A chain holds a former impulse response until the new one has faded in`() {
    var chain = ProcessorChain([ProcessorStep(.convolution(.init(longResponse)))], format: Self.format)
    let (steps, sound) = ([ProcessorStep(.convolution(.init(shortResponse)))], noise(2 * 512))
    let before = chain.holdsFormerSteps
    let isSet = chain.set(steps, over: 1_024)
    let during = chain.holdsFormerSteps
    for _ in 0..<24 { _ = chain.played(sound) }
    let after = chain.holdsFormerSteps
    #expect(!before && isSet && during && !after)
    // Behind a bypass it needs no fade.
    var bypassed = steps
    bypassed[0].isBypassed = true
    _ = chain.set(bypassed, over: 0)
    _ = chain.played(sound)
    bypassed[0].settings = .convolution(.init(longResponse))
    _ = chain.set(bypassed, over: 0)
    let last = chain.holdsFormerSteps
    #expect(!last)
    // A bypass ends an exchange that goes on.
    bypassed[0].isBypassed = false
    _ = chain.set(bypassed, over: 0)
    for _ in 0..<24 { _ = chain.played(sound) }
    bypassed[0].settings = .convolution(.init(shortResponse))
    _ = chain.set(bypassed, over: 8_000)
    bypassed[0].isBypassed = true
    _ = chain.set(bypassed, over: 0)
    let isHeld = chain.holdsFormerSteps
    for _ in 0..<4 { _ = chain.played(sound) }
    let isHeldBehindBypass = chain.holdsFormerSteps
    #expect(isHeld && !isHeldBehindBypass)
  }

  @Test func `Other kinds and settings out of reach are refused, without an effect`() {
    let limiter = ProcessorStep(.limiter(LookAheadLimiter.Settings()))
    var longer = LookAheadLimiter.Settings()
    longer.lookAhead = 0.01
    let width = ProcessorStep(.stereoWidth(StereoWidth.Settings()))
    let lists = [
      [], [limiter], [width, limiter], [ProcessorStep(.limiter(longer)), width],
      [limiter, ProcessorStep(.custom(lateHalf))],
    ]
    var chain = ProcessorChain([limiter, width], format: Self.format)
    var same = ProcessorChain([limiter, width], format: Self.format)
    for list in lists {
      let isSet = chain.set(list, over: 480)
      #expect(!isSet)
    }
    let canStay = chain.canGlide(to: [limiter, width])
    let sound = noise(4_000)
    let (result, expected) = (chain.played(sound), same.played(sound))
    #expect(canStay && result == expected)
  }
}
