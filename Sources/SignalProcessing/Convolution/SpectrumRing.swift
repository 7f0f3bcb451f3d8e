/// The spectra of the last inputs of a convolver.
struct SpectrumRing: Sendable {
  /// The numbers of a spectrum.
  fileprivate let length: Int
  private let count: Int
  fileprivate var spectra: [Float]
  /// Whether a slot has a spectrum; otherwise the input was silent or came before the last reset.
  fileprivate var isAudible: [Bool]
  private var newest = 0

  init(count: Int, length: Int) {
    (self.count, self.length) = (count, length)
    spectra = Array(repeating: 0, count: count * length)
    isAudible = Array(repeating: false, count: count)
  }

  /// Replaces the spectrum of the oldest input by the spectrum of the newest; `nil` is silence.
  ///
  /// The caller guarantees as many samples as the transform asks for.
  @unsafe
  mutating func add(_ input: UnsafePointer<Float>?, _ fft: inout RealFFT) {
    newest = newest == 0 ? count - 1 : newest - 1
    unsafe isAudible[newest] = input != nil
    guard let input = unsafe input else { return }
    let offset = newest * length
    unsafe spectra.withUnsafeMutableBufferPointer { spectra in
      // The slot of the newest spectrum is within the ring.
      if let spectra = spectra.baseAddress { unsafe fft.transform(input, into: spectra + offset) }
    }
  }

  /// The slot of an input that is older than the newest by a number of partitions.
  ///
  /// With `isNext`, the newest input has not come yet.
  fileprivate func slot(_ age: Int, isNext: Bool) -> Int {
    let slot = newest + age - (isNext ? 1 : 0)
    return slot < count ? slot : slot - count
  }

  /// The number of partitions that count of a response.
  fileprivate func partCount(of response: [Float]) -> Int { min(response.count / length, count) }

  /// A share of the partitions of a response behind the first, out of `shareCount` equal shares.
  func olderParts(of response: [Float], share index: Int, of shareCount: Int) -> Range<Int> {
    let rest = max(partCount(of: response) - 1, 0)
    return 1 + rest * index / shareCount..<1 + rest * (index + 1) / shareCount
  }

  /// Forgets the inputs, without a change of the spectra.
  mutating func reset() {
    for index in isAudible.indices { isAudible[index] = false }
    newest = 0
  }
}

/// A sum of products of spectra.
struct SpectrumSum: Sendable {
  /// Counts while the sum is not empty.
  private(set) var spectrum: [Float]
  var isEmpty = true

  init(length: Int) { spectrum = Array(repeating: 0, count: length) }

  /// Adds the products of partitions of a response with the inputs that are older by as many partitions.
  mutating func add(_ parts: Range<Int>, of response: [Float], _ ring: SpectrumRing, isNext: Bool) {
    let parts = parts.clamped(to: 0..<ring.partCount(of: response))
    let (length, half) = (ring.length, ring.length / 2)
    var isEmpty = isEmpty
    // The response and the ring have spectra of `length` numbers in all these slots.
    unsafe spectrum.withUnsafeMutableBufferPointer { sum in
      unsafe ring.spectra.withUnsafeBufferPointer { spectra in
        unsafe response.withUnsafeBufferPointer { response in
          guard let sum = sum.baseAddress, let spectra = spectra.baseAddress else { return }
          guard let response = response.baseAddress else { return }
          for index in parts {
            let slot = ring.slot(index, isNext: isNext)
            guard ring.isAudible[slot] else { continue }
            if isEmpty { unsafe sum.update(repeating: 0, count: length) }
            isEmpty = false
            unsafe Self.addProduct(spectra + slot * length, response + index * length, to: sum, half)
          }
        }
      }
    }
    self.isEmpty = isEmpty
  }

  /// Adds the product of two spectra of `half` complex numbers.
  @inline(never)
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
}
