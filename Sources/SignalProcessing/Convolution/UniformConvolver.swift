/// A convolution with parts of one length, of one channel: overlap-save, with the spectra of the last inputs.
///
/// Source: Frank Wefers, "Partitioned convolution algorithms for real-time auralization" (2015), chapter 5. The
/// result is late by the length of a part.
struct UniformConvolver: Sendable {
  private let part: Int
  private let partCount: Int
  private var fft: RealFFT
  /// The last input part, then the present one, as far as it has come.
  private var input: [Float]
  /// The result of the part before the present one.
  private var output: [Float]
  /// The spectra of the last inputs, as a ring; the newest is at `newest`.
  private var spectra: [Float]
  private var newest = 0
  private var (sum, block): ([Float], [Float])
  /// The parts of the input that the ring may hold; from 0 on there is silence alone.
  private var audibleParts = 0

  /// A convolver for responses of at most so many parts.
  init(part: Int, partCount: Int) {
    (self.part, self.partCount) = (part, max(partCount, 1))
    fft = RealFFT(length: 2 * part)
    input = Array(repeating: 0, count: 2 * part)
    output = Array(repeating: 0, count: part)
    spectra = Array(repeating: 0, count: self.partCount * fft.spectrumLength)
    sum = Array(repeating: 0, count: fft.spectrumLength)
    block = Array(repeating: 0, count: 2 * part)
  }

  /// Takes every `stride`th sample, and adds the results to `results`.
  ///
  /// The caller guarantees `count` samples and results, and that they end no later than the part. `phase` frames of
  /// the part have come before.
  @unsafe
  mutating func process(
    _ samples: UnsafePointer<Float>,
    count: Int,
    stride: Int,
    phase: Int,
    addingTo results: UnsafeMutablePointer<Float>
  ) {
    precondition(phase >= 0 && count >= 0 && phase + count <= part)
    let (largest, first) = (ProcessingLimits.largestSample, part + phase)
    // The input has room for a part behind the last one, and the output is as long as a part.
    unsafe input.withUnsafeMutableBufferPointer { input in
      unsafe output.withUnsafeBufferPointer { output in
        guard let input = input.baseAddress, let output = output.baseAddress else { return }
        var (index, place) = (0, 0)
        while index < count {
          let sample = unsafe samples[place]
          // False for what is not a number: the ring then stays finite.
          unsafe input[first &+ index] = sample.magnitude <= largest ? sample : 0
          unsafe results[index] += output[phase &+ index]
          index &+= 1
          place &+= stride
        }
      }
    }
  }

  /// Ends the part: transforms it, and computes the result of the next one.
  ///
  /// With two responses the result moves from the first to the second, from the share `start` of the second to `end`.
  mutating func endPart(_ response: [Float], _ other: [Float]?, from start: Float, to end: Float) {
    takeInput()
    multiply(response)
    mixBlock(from: 1, to: 1)
    guard let other else { return }
    multiply(other)
    mixBlock(from: start, to: end)
  }

  /// Moves the output towards the second half of the block, by a share from `start` to `end`.
  private mutating func mixBlock(from start: Float, to end: Float) {
    let (part, step, isWhole) = (part, (end - start) / Float(part), start == 1 && end == 1)
    // The block has two parts, and the output one.
    unsafe block.withUnsafeBufferPointer { block in
      unsafe output.withUnsafeMutableBufferPointer { output in
        guard let block = block.baseAddress, let output = output.baseAddress else { return }
        var index = 0
        while index < part {
          let value = unsafe block[part &+ index]
          let share = start + step * Float(index &+ 1)
          unsafe output[index] = isWhole ? value : output[index] + (value - output[index]) * share
          index &+= 1
        }
      }
    }
  }

  private mutating func takeInput() {
    newest = newest == 0 ? partCount - 1 : newest - 1
    let length = fft.spectrumLength
    let (part, newest, least) = (part, newest, Float(ProcessingLimits.smallestState))
    var isSilent = true
    // The place of the newest spectrum is within the ring, and the input has two parts.
    unsafe input.withUnsafeMutableBufferPointer { input in
      unsafe spectra.withUnsafeMutableBufferPointer { spectra in
        guard let input = input.baseAddress, let spectra = spectra.baseAddress else { return }
        var index = 0
        while index < 2 &* part, isSilent {
          isSilent = unsafe input[index].magnitude < least
          index &+= 1
        }
        if isSilent {
          unsafe (spectra + newest * length).update(repeating: 0, count: length)
        } else {
          unsafe fft.transform(input, into: spectra + newest * length)
        }
        unsafe input.update(from: input + part, count: part)
      }
    }
    audibleParts = isSilent ? max(audibleParts - 1, 0) : partCount
  }

  /// Computes `block` from the spectra of the inputs and of a response.
  private mutating func multiply(_ response: [Float]) {
    let (length, half) = (fft.spectrumLength, fft.spectrumLength / 2)
    let count = min(response.count / length, partCount)
    // Exact zeros once the input has been silent for as long as the response.
    guard audibleParts > 0, count > 0 else {
      for index in 0..<2 * part { block[index] = 0 }
      return
    }
    // There are `count` spectra in the response and in the ring, each of `length` numbers.
    unsafe sum.withUnsafeMutableBufferPointer { sum in
      unsafe spectra.withUnsafeBufferPointer { spectra in
        unsafe response.withUnsafeBufferPointer { response in
          guard let sum = sum.baseAddress, let spectra = spectra.baseAddress else { return }
          guard let response = response.baseAddress else { return }
          unsafe sum.update(repeating: 0, count: length)
          var (index, place) = (0, newest)
          while index < count {
            unsafe Self.addProduct(spectra + place * length, response + index * length, to: sum, half)
            index &+= 1
            place = place + 1 == partCount ? 0 : place + 1
          }
        }
      }
    }
    unsafe sum.withUnsafeBufferPointer { sum in
      unsafe block.withUnsafeMutableBufferPointer { block in
        if let sum = sum.baseAddress, let block = block.baseAddress { unsafe fft.inverse(sum, into: block) }
      }
    }
  }

  /// Adds the product of two spectra of `half` complex numbers.
  @inline(__always)
  @unsafe
  private static func addProduct(
    _ a: UnsafePointer<Float>,
    _ b: UnsafePointer<Float>,
    to sum: UnsafeMutablePointer<Float>,
    _ half: Int
  ) {
    let (ai, bi, si) = unsafe (a + half, b + half, sum + half)
    var k = 0
    while k < half {
      unsafe sum[k] += a[k] * b[k] - ai[k] * bi[k]
      unsafe si[k] += a[k] * bi[k] + ai[k] * b[k]
      k &+= 1
    }
  }

  mutating func reset() {
    for index in input.indices { input[index] = 0 }
    for index in output.indices { output[index] = 0 }
    for index in spectra.indices { spectra[index] = 0 }
    (newest, audibleParts) = (0, 0)
  }
}
