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

  @Test(arguments: [8, 16, 64, 256, 512, 4_096])
  func `A transform is the sum of its definition, within 1e-6 of the largest`(length: Int) {
    let samples = noise(length, seed: UInt64(length))
    let found = spectrum(samples)
    #expect(found.count == length + 2)
    var (largest, error) = (0.0, 0.0)
    // Some lines of the long transform are enough.
    for line in stride(from: 0, through: length / 2, by: length == 4_096 ? 41 : 1) {
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

  /// The frames of a direct convolution at some positions, in `Double`.
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
    var convolver = PartitionedConvolver(.init(ImpulseResponse([scaled])), channelCount: 1)
    let result = processed(sound, blocks: [512]) { convolver.process(&$0) }
    let places = Array(stride(from: 0, to: frames - PartitionedConvolver.delay, by: length == 96_000 ? 977 : 61))
    for (place, expected) in zip(places, direct(sound, scaled, at: places)) {
      #expect(abs(Double(result[place + PartitionedConvolver.delay]) - expected) < 1e-5)
    }
  }

  @Test(arguments: blockLengths)
  func `The result does not depend on the lengths of the blocks, and each channel has its response`(blocks: [Int]) {
    let responses = [noise(5_000, amplitude: 0.02, seed: 5), noise(300, amplitude: 0.1, seed: 6)]
    let sound = noise(24_000)
    func result(_ responses: [[Float]], _ channels: Int, _ sound: [Float], _ blocks: [Int]) -> [Float] {
      var convolver = PartitionedConvolver(.init(ImpulseResponse(responses)), channelCount: channels)
      return processed(sound, channels: channels, blocks: blocks) { convolver.process(&$0) }
    }
    let whole = result(responses, 2, sound, [12_000])
    #expect(result(responses, 2, sound, blocks) == whole)
    for index in 0..<2 {
      let alone = result([responses[index]], 1, channel(index, of: sound, count: 2), [12_000])
      #expect(channel(index, of: whole, count: 2) == alone)
    }
  }

  @Test(arguments: [2, 6, 8])
  func `An impulse is the response itself, and channels use the responses in turn`(channels: Int) {
    let responses = [noise(3_000, seed: 8), noise(2_000, seed: 9)]
    var convolver = PartitionedConvolver(.init(ImpulseResponse(responses)), channelCount: channels)
    var sound = [Float](repeating: 0, count: channels * 4_000)
    for index in 0..<channels { sound[index] = Float(index + 1) / 8 }
    let result = processed(sound, channels: channels) { convolver.process(&$0) }
    for index in 0..<channels {
      let (found, response) = (channel(index, of: result, count: channels), responses[index % 2])
      let scale = Float(index + 1) / 8
      #expect(response.indices.allSatisfy { abs(found[$0 + 128] - response[$0] * scale) < 2e-6 })
      #expect(found[(response.count + 128)...].allSatisfy { abs($0) < 2e-6 })
    }
  }

  @Test func `Silence behind a sound ends in exact zeros, and bad samples count as 0`() {
    let response = ImpulseResponse([[.nan, .infinity] + noise(4_000, amplitude: 0.05)])
    var convolver = PartitionedConvolver(.init(response), channelCount: 1)
    let sound = [.nan, .infinity, 3e38] + noise(3_000) + [Float](repeating: 0, count: 20_000)
    let result = processed(sound) { convolver.process(&$0) }
    #expect(result.allSatisfy { $0.isFinite })
    let tail = convolver.tail
    #expect(result[(3_003 + tail)...].allSatisfy { $0 == 0 })
    #expect(result[5_000] != 0)
    convolver.reset()
    #expect(processed([Float](repeating: 0, count: 3_000)) { convolver.process(&$0) }.allSatisfy { $0 == 0 })
  }

  @Test(arguments: [1, 128, 1_792, 1_920, 1_921, 3_968, 3_969])
  func `The tail counts from any frame of a partition`(length: Int) {
    let response = ImpulseResponse([noise(length, seed: 4)])
    for last in [2_048, 2_049, 4_095, 2_176] {
      var convolver = PartitionedConvolver(.init(response), longest: 10_000, channelCount: 1)
      let tail = convolver.tail
      let sound = noise(last + 1) + [Float](repeating: 0, count: tail + 4_200)
      let result = processed(sound) { convolver.process(&$0) }
      #expect(result[(last + 1 + tail)...].allSatisfy { $0 == 0 })
      #expect(result[last + length + 127] != 0)
    }
  }

  @Test func `Large samples and responses give finite sound`() {
    let response = ImpulseResponse([noise(3_000, amplitude: 1e20)])
    var convolver = PartitionedConvolver(.init(response), channelCount: 1)
    let sound = noise(6_000, amplitude: 1e25) + [Float](repeating: 0, count: 20_000)
    let result = processed(sound) { convolver.process(&$0) }
    #expect(result.allSatisfy { $0.isFinite })
    let tail = convolver.tail
    #expect(result[(6_000 + tail)...].allSatisfy { $0 == 0 })
  }
}
