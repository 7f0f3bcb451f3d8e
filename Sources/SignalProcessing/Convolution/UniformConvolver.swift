/// A convolution of one channel with partitions of one length: overlap-save, with the spectra of the last inputs.
///
/// Source: Frank Wefers, "Partitioned convolution algorithms for real-time auralization" (2015), chapter 5. The
/// result is late by the length of a partition.
///
/// The result of a block is a sum of products: of the newest input with the first partition, of the input before with
/// the second partition, and so on. All products but the first can be prepared while the newest input comes in.
struct UniformConvolver: Sendable {
  /// The memory that the channels of a convolver share.
  struct Scratch: Sendable {
    fileprivate var fft: RealFFT
    fileprivate var block: [Float]

    init(part: Int) {
      fft = RealFFT(length: 2 * part)
      block = Array(repeating: 0, count: 2 * part)
    }
  }

  private let part: Int
  /// The last input partition, then the present one, as far as it has come.
  private var input: [Float]
  /// The result of the input before the present one.
  private var output: [Float]
  private var ring: SpectrumRing
  /// The products of the next block, with the present response and with the response that sound fades to.
  private var (sum, nextSum): (SpectrumSum, SpectrumSum)

  /// A convolver for responses of at most so many partitions.
  init(part: Int, partCount: Int) {
    self.part = part
    input = Array(repeating: 0, count: 2 * part)
    output = Array(repeating: 0, count: part)
    ring = SpectrumRing(count: max(partCount, 1), length: 2 * part + 2)
    (sum, nextSum) = (SpectrumSum(length: 2 * part + 2), SpectrumSum(length: 2 * part + 2))
  }

  /// Takes every `stride`th sample, and adds the results to `results`.
  ///
  /// The caller guarantees `count` samples and results, and that they end no later than the partition. `phase` frames
  /// of the partition have come before.
  @unsafe
  mutating func process(
    _ samples: UnsafePointer<Float>,
    count: Int,
    stride: Int,
    phase: Int,
    addingTo results: UnsafeMutablePointer<Float>
  ) {
    precondition(phase >= 0 && count >= 0 && phase + count <= part)
    let first = part + phase
    // The input has room for a partition behind the last one, and the output is as long as a partition.
    unsafe input.withUnsafeMutableBufferPointer { input in
      unsafe output.withUnsafeBufferPointer { output in
        guard let input = input.baseAddress, let output = output.baseAddress else { return }
        var (index, place) = (0, 0)
        while index < count {
          unsafe input[first &+ index] = samples[place].usable
          unsafe results[index] += output[phase &+ index]
          index &+= 1
          place &+= stride
        }
      }
    }
  }

  /// Adds the products that need no newer input: the share `index` of `shareCount` equal shares.
  mutating func prepare(_ response: [Float], _ next: [Float]?, share index: Int, of shareCount: Int) {
    sum.add(ring.olderParts(of: response, share: index, of: shareCount), of: response, ring, isNext: true)
    guard let next else { return }
    nextSum.add(ring.olderParts(of: next, share: index, of: shareCount), of: next, ring, isNext: true)
  }

  /// Ends the partition, after all products were prepared: transforms it, and computes the result of the next one.
  ///
  /// With two responses the result moves from the first to the second, from the share `start` of the second to `end`.
  mutating func endPart(
    _ response: [Float],
    _ next: [Float]?,
    from start: Float,
    to end: Float,
    _ scratch: inout Scratch
  ) {
    takeInput(&scratch)
    let newest = 0..<1
    sum.add(newest, of: response, ring, isNext: false)
    mix(sum.isEmpty ? nil : sum.spectrum, from: 1, to: 1, &scratch)
    sum.isEmpty = true
    guard let next else { return }
    nextSum.add(newest, of: next, ring, isNext: false)
    mix(nextSum.isEmpty ? nil : nextSum.spectrum, from: start, to: end, &scratch)
    nextSum.isEmpty = true
  }

  private mutating func takeInput(_ scratch: inout Scratch) {
    let (part, least) = (part, Float(ProcessingLimits.smallestState))
    // The input has two partitions.
    unsafe input.withUnsafeMutableBufferPointer { input in
      guard let input = input.baseAddress else { return }
      var (index, isSilent) = (0, true)
      while index < 2 &* part, isSilent {
        isSilent = unsafe input[index].magnitude < least
        index &+= 1
      }
      unsafe ring.add(isSilent ? nil : input, &scratch.fft)
      unsafe input.update(from: input + part, count: part)
    }
  }

  /// Moves the output to the numbers with a spectrum, or to 0, by a share from `start` to `end`.
  private mutating func mix(_ spectrum: [Float]?, from start: Float, to end: Float, _ scratch: inout Scratch) {
    let (part, largest) = (part, ProcessingLimits.largestSample)
    let (step, isWhole) = ((end - start) / Float(part), start == 1 && end == 1)
    // The block has two partitions, the output one, and the spectrum is as long as the transform asks for.
    unsafe scratch.block.withUnsafeMutableBufferPointer { block in
      unsafe output.withUnsafeMutableBufferPointer { output in
        guard let block = block.baseAddress, let output = output.baseAddress else { return }
        unsafe spectrum?.withUnsafeBufferPointer { spectrum in
          if let spectrum = spectrum.baseAddress { unsafe scratch.fft.inverse(spectrum, into: block) }
        }
        let isEmpty = spectrum == nil
        var index = 0
        while index < part {
          let raw = unsafe isEmpty ? 0 : block[part &+ index]
          // Sums of products of large samples may be beyond a `Float`.
          let value = raw.magnitude <= largest ? raw : 0
          let share = start + step * Float(index &+ 1)
          unsafe output[index] = isWhole ? value : output[index] + (value - output[index]) * share
          index &+= 1
        }
      }
    }
  }

  /// Forgets the sound so far; it does not touch the spectra.
  mutating func reset() {
    for index in input.indices { input[index] = 0 }
    for index in output.indices { output[index] = 0 }
    ring.reset()
    (sum.isEmpty, nextSum.isEmpty) = (true, true)
  }
}
