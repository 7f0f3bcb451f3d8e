import Glibc
import SignalProcessing
import TestSupport
import Testing

/// Transforms and convolutions.
@Suite struct ConvolutionTests {
  private func spectrum(_ samples: [Float]) -> [Float] {
    var (fft, result) = (RealFFT(length: samples.count), [Float](repeating: 0, count: samples.count + 2))
    unsafe samples.withUnsafeBufferPointer { samples in
      unsafe result.withUnsafeMutableBufferPointer { result in
        guard let samples = samples.baseAddress, let result = result.baseAddress else { return }
        unsafe fft.transform(samples, into: result)
      }
    }
    return result
  }

  private func inverse(_ spectrum: [Float]) -> [Float] {
    var (fft, result) = (RealFFT(length: spectrum.count - 2), [Float](repeating: 0, count: spectrum.count - 2))
    unsafe spectrum.withUnsafeBufferPointer { spectrum in
      unsafe result.withUnsafeMutableBufferPointer { result in
        guard let spectrum = spectrum.baseAddress, let result = result.baseAddress else { return }
        unsafe fft.inverse(spectrum, into: result)
      }
    }
    return result
  }

  @Test(arguments: [8, 16, 64, 256, 512])
  func `A transform is the sum of its definition, within 1e-6 of the largest`(length: Int) {
    let samples = noise(length, seed: UInt64(length))
    let found = spectrum(samples)
    #expect(found.count == length + 2)
    var (largest, error) = (0.0, 0.0)
    for line in 0...length / 2 {
      var (real, imaginary) = (0.0, 0.0)
      for (index, sample) in samples.enumerated() {
        let angle = 2 * .pi * Double(index * line % length) / Double(length)
        real += Double(sample) * cos(angle)
        imaginary -= Double(sample) * sin(angle)
      }
      largest = max(largest, hypot(real, imaginary))
      error = max(error, abs(real - Double(found[line])), abs(imaginary - Double(found[length / 2 + 1 + line])))
    }
    #expect(error < 1e-6 * largest)
  }

  @Test(arguments: [8, 32, 256, 4_096, 65_536])
  func `The inverse of a transform is the samples times half of the length`(length: Int) {
    let samples = noise(length)
    let result = inverse(spectrum(samples))
    for index in samples.indices { #expect(abs(result[index] / Float(length / 2) - samples[index]) < 2e-6) }
  }

  /// The frames of a direct convolution at some places, in `Double`.
  private func direct(_ sound: [Float], _ response: [Float], at frames: [Int]) -> [Double] {
    frames.map { frame in
      var (sum, tap) = (0.0, 0)
      let count = min(frame + 1, response.count)
      unsafe sound.withUnsafeBufferPointer { sound in
        unsafe response.withUnsafeBufferPointer { response in
          while tap < count {
            unsafe sum += Double(response[tap]) * Double(sound[frame - tap])
            tap += 1
          }
        }
      }
      return sum
    }
  }

  @Test(arguments: [1, 127, 128, 129, 1_919, 1_920, 1_921, 4_096, 4_097, 10_000, 96_000])
  func `A convolution equals the direct sum within 1e-5, late by its latency`(length: Int) {
    // A response that decays, with an energy of about 1.
    let response = noise(length, seed: 2).enumerated().map { $1 * Float(exp(-3 * Double($0) / Double(length))) }
    let scale = 1 / Float(response.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot())
    let scaled = response.map { $0 * scale }
    let frames = length == 96_000 ? 100_000 : 12_000
    let sound = noise(frames, amplitude: 0.5)
    var convolver = PartitionedConvolver([ImpulseResponse(scaled)], longest: length, channelCount: 1)
    let result = processed(sound, blocks: [512]) { convolver.process(&$0) }
    let places = Array(stride(from: 0, to: frames - PartitionedConvolver.latency, by: length == 96_000 ? 977 : 61))
    for (place, expected) in zip(places, direct(sound, scaled, at: places)) {
      #expect(abs(Double(result[place + PartitionedConvolver.latency]) - expected) < 1e-5)
    }
  }

  @Test(arguments: blockLengths)
  func `The result does not depend on the lengths of the blocks, and each channel has its response`(blocks: [Int]) {
    let responses = [noise(5_000, amplitude: 0.02, seed: 5), noise(300, amplitude: 0.1, seed: 6)].map {
      ImpulseResponse($0)
    }
    let sound = noise(24_000)
    func result(_ responses: [ImpulseResponse], _ channels: Int, _ sound: [Float], _ blocks: [Int]) -> [Float] {
      var convolver = PartitionedConvolver(responses, longest: 5_000, channelCount: channels)
      return processed(sound, channels: channels, blocks: blocks) { convolver.process(&$0) }
    }
    let whole = result(responses, 2, sound, [12_000])
    #expect(result(responses, 2, sound, blocks) == whole)
    for index in 0..<2 {
      let alone = result([responses[index]], 1, channel(index, of: sound, count: 2), [12_000])
      #expect(channel(index, of: whole, count: 2) == alone)
    }
  }

  @Test func `An impulse is the response itself, and one response counts for all channels`() {
    let response = noise(3_000, seed: 8)
    var convolver = PartitionedConvolver([ImpulseResponse(response)], longest: 3_000, channelCount: 2)
    var sound = [Float](repeating: 0, count: 2 * 4_000)
    (sound[0], sound[1]) = (1, -1)
    let result = processed(sound, channels: 2) { convolver.process(&$0) }
    for frame in 0..<3_000 {
      #expect(abs(result[2 * (frame + 128)] - response[frame]) < 2e-6)
      #expect(abs(result[2 * (frame + 128) + 1] + response[frame]) < 2e-6)
    }
  }

  @Test func `A response beyond the longest one is cut`() {
    let response = noise(6_000, seed: 8)
    var (cut, short) = (
      PartitionedConvolver([ImpulseResponse(response)], longest: 1_000, channelCount: 1),
      PartitionedConvolver([ImpulseResponse(Array(response[..<1_024]))], longest: 1_024, channelCount: 1)
    )
    let sound = noise(4_000)
    #expect(processed(sound) { cut.process(&$0) } == processed(sound) { short.process(&$0) })
  }

  @Test(arguments: [1_500, 6_000])
  func `An exchange of responses makes no click, and ends with the other response`(length: Int) {
    // Low passes: their results have no high frequencies, so that a click would show.
    func response(_ amplitude: Float) -> ImpulseResponse {
      ImpulseResponse((0..<length).map { Float(sin(.pi * (Double($0) + 0.5) / Double(length))) * amplitude })
    }
    let (one, other) = (response(0.002), response(-0.001))
    let sound = sine(100, 48_000, frames: 48_000)
    var (convolver, block) = (PartitionedConvolver([one], longest: 6_000, channelCount: 1), 0)
    var (fades, accepted) = (0, [Bool]())
    let result = processed(sound, blocks: [441]) { samples in
      if block == 40 {
        accepted = [convolver.exchange([]), convolver.exchange([other]), convolver.exchange([one])]
      }
      block += 1
      fades += convolver.isFading ? 1 : 0
      convolver.process(&samples)
    }
    #expect(clickFrames(Array(result[8_000...]), below: 200, 48_000).isEmpty)
    #expect(accepted == [false, true, false])
    #expect(!convolver.isFading && fades > 1)
    var reference = PartitionedConvolver([other], longest: 6_000, channelCount: 1)
    let expected = processed(sound) { reference.process(&$0) }
    for frame in stride(from: 30_000, to: 48_000, by: 11) { #expect(abs(result[frame] - expected[frame]) < 1e-5) }
  }

  @Test func `Silence behind a sound ends in exact zeros, and bad samples count as 0`() {
    let response = ImpulseResponse([.nan, .infinity] + noise(4_000, amplitude: 0.05))
    var convolver = PartitionedConvolver([response], longest: 4_002, channelCount: 1)
    let sound = [.nan, .infinity, 3e38] + noise(3_000) + [Float](repeating: 0, count: 20_000)
    let result = processed(sound) { convolver.process(&$0) }
    #expect(result.allSatisfy { $0.isFinite })
    #expect(result[(3_003 + 4_002 + 2 * 2_048)...].allSatisfy { $0 == 0 })
    #expect(result[5_000] != 0)
    convolver.reset()
    #expect(processed([Float](repeating: 0, count: 3_000)) { convolver.process(&$0) }.allSatisfy { $0 == 0 })
  }

  @Test func `A normalized response keeps the level of noise`() {
    for scale in [0.001, 1, 100] as [Float] {
      let response = ImpulseResponse.normalized(noise(5_000, amplitude: scale, seed: 3))
      var convolver = PartitionedConvolver([response], longest: 5_000, channelCount: 1)
      let sound = noise(40_000)
      let result = processed(sound) { convolver.process(&$0) }
      #expect(abs(level(result[6_000...]) - level(sound[6_000...])) < 0.5)
    }
    let silent = ImpulseResponse.normalized([0, 0, .nan])
    #expect(silent.frameCount == 3)
  }
}
