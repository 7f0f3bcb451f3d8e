import Glibc
import SignalProcessing
import TestSupport
import Testing

/// Impulse responses that are prepared, and exchanged.
@Suite struct ImpulseResponseTests {
  private func preparation(_ change: (inout ImpulseResponse.Preparation) -> Void) -> ImpulseResponse.Preparation {
    var result = ImpulseResponse.Preparation()
    change(&result)
    return result
  }

  /// The samples of a response, from the first frame of its convolver on.
  private func samples(_ response: ImpulseResponse, channels: Int = 1) -> [[Float]] {
    var convolver = PartitionedConvolver(.init(response), channelCount: channels)
    var sound = [Float](repeating: 0, count: channels * (response.frameCount + 256))
    for index in 0..<channels { sound[index] = 1 }
    let result = processed(sound, channels: channels) { convolver.process(&$0) }
    return (0..<channels).map { channel($0, of: result, count: channels) }
  }

  @Test func `A normalized response keeps the level of noise`() {
    for scale in [0.001, 1, 100, 1e22] as [Float] {
      let response = ImpulseResponse([noise(5_000, amplitude: scale, seed: 3)], .init(), sampleRate: 48_000)
      var convolver = PartitionedConvolver(.init(response), channelCount: 1)
      let sound = noise(40_000)
      let result = processed(sound) { convolver.process(&$0) }
      #expect(abs(level(result[6_000...]) - level(sound[6_000...])) < 0.5)
    }
  }

  @Test func `A silent response stays silent`() {
    for channels in [[[0, 0, .nan]], [[]], []] as [[[Float]]] {
      let response = ImpulseResponse(channels, .init(), sampleRate: 48_000)
      var convolver = PartitionedConvolver(.init(response), channelCount: 2)
      #expect(processed(noise(8_000), channels: 2) { convolver.process(&$0) }.allSatisfy { $0 == 0 })
    }
  }

  @Test func `All channels of a response get the same gain`() {
    let (left, right) = (noise(3_000, seed: 3), noise(3_000, amplitude: 0.1, seed: 4))
    let response = ImpulseResponse([left, right], preparation { $0.gain = -6 }, sampleRate: 48_000)
    let found = samples(response, channels: 2)
    #expect(abs(level(found[0][...]) - level(found[1][...]) - 20) < 0.3)
    let energy = found.joined().reduce(0.0) { $0 + Double($1) * Double($1) } / 2
    #expect(abs(10 * log10(energy) + 6) < 0.01)
  }

  @Test(arguments: [0, 5, 128, 1_000], [0, 64, 480])
  func `A response begins earlier by its silence, up to the delay of the convolver`(silence: Int, predelay: Int) {
    let sound = [Float](repeating: 1e-6, count: silence) + noise(2_000).map { $0 + ($0 < 0 ? -0.1 : 0.1) }
    let response = ImpulseResponse(
      [sound],
      preparation { $0.predelay = (Double(predelay) + 0.5) / 48_000 },
      sampleRate: 48_000
    )
    let found = samples(response)[0]
    let first = found.firstIndex { abs($0) > 1e-4 }
    #expect(first == max(silence + predelay, PartitionedConvolver.delay))
  }

  @Test func `A long response fades out`() {
    let response = ImpulseResponse(
      [[Float](repeating: 1, count: 20_000)],
      preparation { ($0.longest, $0.isNormalized) = (0.1, false) },
      sampleRate: 48_000
    )
    #expect(response.frameCount == 4_800)
    let found = samples(response)[0]
    // The convolver is late by 128 frames, and there is no silence to take off.
    #expect(abs(found[128 + 4_300] - 1) < 1e-4 && abs(found[128 + 4_560] - 0.5) < 0.01)
    #expect(abs(found[128 + 4_799]) < 1e-4 && found[128 + 4_320] > 0.99)
  }

  @Test func `Samples far below the largest are 0, so that no product is a denormal number`() {
    let response = ImpulseResponse([(0..<4_000).map { Float(exp(-Double($0) / 10)) }])
    var convolver = PartitionedConvolver(.init(response), channelCount: 1)
    let result = processed(noise(4_000, amplitude: 1e-10) + [Float](repeating: 0, count: 2_000)) {
      convolver.process(&$0)
    }
    #expect(result.allSatisfy { $0 == 0 || $0.isNormal })
  }

  /// A low pass: its results have no high frequencies, so that a click would show.
  private func lowPass(_ amplitude: Float, _ length: Int) -> ImpulseResponse {
    ImpulseResponse([(0..<length).map { Float(sin(.pi * (Double($0) + 0.5) / Double(length))) * amplitude }])
  }

  @Test(arguments: [1_500, 6_000], [0, 40, 44])
  func `An exchange of responses makes no click, and ends with the other response`(length: Int, first: Int) {
    let (one, other, last) = (lowPass(0.002, length), lowPass(-0.001, length), lowPass(0.0015, length / 2))
    let sound = sine(100, 48_000, frames: 64_000)
    // Blocks of 512 frames: block 40 and block 44 begin with a long partition.
    var convolver = PartitionedConvolver(.init(one), longest: 6_000, channelCount: 1)
    var block = 0
    var fades = 0
    let result = processed(sound) { samples in
      if block == 20 + first { convolver.set(.init(other), over: PartitionedConvolver.fadeLength) }
      // An exchange within an exchange: the newest response counts.
      if block == 21 + first { convolver.set(.init(one), over: 2_000) }
      if block == 22 + first { convolver.set(.init(last), over: 2_000) }
      block += 1
      fades += convolver.holdsFormerSettings ? 1 : 0
      convolver.process(&samples)
    }
    #expect(clickFrames(Array(result[8_000...]), below: 200, 48_000).isEmpty)
    let (isFading, response) = (convolver.holdsFormerSettings, convolver.settings.response)
    #expect(!isFading && fades > 1 && response == last)
    var reference = PartitionedConvolver(.init(last), channelCount: 1)
    let expected = processed(sound) { reference.process(&$0) }
    for frame in stride(from: 56_000, to: 64_000, by: 11) { #expect(abs(result[frame] - expected[frame]) < 1e-5) }
  }

  @Test(arguments: [512, 2_048, 3_000])
  func `An exchange does not depend on the lengths of the blocks`(frame: Int) {
    let responses = (0..<3).map { ImpulseResponse([noise(5_000, amplitude: 0.02, seed: UInt64($0))]) }
    let sound = noise(24_000)
    func result(_ blocks: [Int]) -> [Float] {
      var convolver = PartitionedConvolver(.init(responses[0]), channelCount: 1)
      var result = processed(Array(sound[..<frame]), blocks: blocks) { convolver.process(&$0) }
      convolver.set(.init(responses[1]), over: 1_000)
      result += processed(Array(sound[frame..<2 * frame]), blocks: blocks) { convolver.process(&$0) }
      convolver.set(.init(responses[2]), over: 0)
      return result + processed(Array(sound[(2 * frame)...]), blocks: blocks) { convolver.process(&$0) }
    }
    let whole = result([24_000])
    for blocks in blockLengths { #expect(result(blocks) == whole) }
  }

  @Test(arguments: [0, 700, 2_048, 3_000, 4_096])
  func `A reset while the sound fades leaves the newest response`(frames: Int) {
    let responses = (0..<3).map { ImpulseResponse([noise(5_000, amplitude: 0.02, seed: UInt64($0))]) }
    var convolver = PartitionedConvolver(.init(responses[0]), channelCount: 1)
    _ = processed(noise(6_000)) { convolver.process(&$0) }
    convolver.set(.init(responses[1]), over: 1_024)
    convolver.set(.init(responses[2]), over: 1_024)
    _ = processed(noise(frames)) { convolver.process(&$0) }
    convolver.reset()
    let isFading = convolver.holdsFormerSettings
    #expect(!isFading)
    var new = PartitionedConvolver(.init(responses[2]), channelCount: 1)
    let sound = noise(12_000, seed: 9)
    #expect(processed(sound) { convolver.process(&$0) } == processed(sound) { new.process(&$0) })
  }

  @Test func `A response beyond the memory needs a new convolver, and the memory has a limit`() {
    let (short, long) = (ImpulseResponse([noise(1_000)]), ImpulseResponse([noise(7_000)]))
    var convolver = PartitionedConvolver(.init(short), longest: 5_000, channelCount: 1)
    let isAccepted = convolver.canGlide(to: .init(long))
    convolver.set(.init(long), over: 0)
    let (isFading, response) = (convolver.holdsFormerSettings, convolver.settings.response)
    #expect(!isAccepted && !isFading && response == short)
    for (first, longest) in [(short, Int.max), (long, .min)] {
      let convolver = PartitionedConvolver(.init(first), longest: longest, channelCount: 1)
      let isAccepted = convolver.canGlide(to: .init(long))
      #expect(isAccepted)
    }
  }
}
