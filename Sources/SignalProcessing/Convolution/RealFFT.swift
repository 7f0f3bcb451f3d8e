internal import Glibc

/// The discrete Fourier transform of real numbers, for one length, with its tables.
///
/// A transform of N real numbers is a transform of N/2 complex numbers, whose real parts are the even numbers and
/// whose imaginary parts are the odd ones (Cooley and Tukey, 1965; Press et al., "Numerical Recipes", chapter 12.3).
/// A spectrum has N/2 + 1 real parts, then as many imaginary parts.
///
/// Pure: no call, no lock, and no allocation after `init`.
package struct RealFFT: Sendable {
  /// The number of real numbers: a power of two from 8 to 65,536.
  package let length: Int
  /// The numbers of a spectrum: real parts, then imaginary parts.
  package var spectrumLength: Int { length + 2 }

  /// Cosines and sines of all fractions of a turn in steps of 1/N, up to one half.
  private let (cosines, sines): ([Float], [Float])
  /// Places of the complex numbers that change places before the first stage.
  private let exchanges: [(Int32, Int32)]
  private var (real, imaginary): ([Float], [Float])

  package init(length: Int) {
    precondition(length >= 8 && length <= 65_536 && length & (length - 1) == 0, "the length is no power of two")
    self.length = length
    let half = length / 2
    func angle(_ index: Int) -> Double { 2 * .pi * Double(index) / Double(length) }
    cosines = (0...half).map { Float(cos(angle($0))) }
    sines = (0...half).map { Float(sin(angle($0))) }
    (real, imaginary) = ([Float](repeating: 0, count: half), [Float](repeating: 0, count: half))
    let bits = half.trailingZeroBitCount
    exchanges = (0..<half).compactMap { index in
      let reversed = (0..<bits).reduce(0) { $0 << 1 | index >> $1 & 1 }
      return index < reversed ? (Int32(index), Int32(reversed)) : nil
    }
  }

  /// The spectrum of `length` numbers, into `spectrumLength` numbers.
  ///
  /// The caller guarantees both. The two may overlap.
  @unsafe
  package mutating func transform(_ samples: UnsafePointer<Float>, into spectrum: UnsafeMutablePointer<Float>) {
    let half = length / 2
    // `real` and `imaginary` have `half` numbers each.
    unsafe real.withUnsafeMutableBufferPointer { real in
      unsafe imaginary.withUnsafeMutableBufferPointer { imaginary in
        guard let r = real.baseAddress, let i = imaginary.baseAddress else { return }
        var index = 0
        while index < half {
          unsafe r[index] = samples[2 &* index]
          unsafe i[index] = samples[2 &* index &+ 1]
          index &+= 1
        }
      }
    }
    transformHalf()
    unsafe cosines.withUnsafeBufferPointer { cosines in
      unsafe sines.withUnsafeBufferPointer { sines in
        unsafe real.withUnsafeBufferPointer { real in
          unsafe imaginary.withUnsafeBufferPointer { imaginary in
            guard let c = cosines.baseAddress, let s = sines.baseAddress else { return }
            guard let r = real.baseAddress, let i = imaginary.baseAddress else { return }
            let parts = unsafe spectrum + (half + 1)
            unsafe (spectrum[0], parts[0]) = (r[0] + i[0], 0)
            unsafe (spectrum[half], parts[half]) = (r[0] - i[0], 0)
            // The even and the odd numbers are the symmetric and the antisymmetric part.
            var k = 1
            while k < half {
              let m = half &- k
              let (evenReal, evenImaginary) = unsafe (0.5 * (r[k] + r[m]), 0.5 * (i[k] - i[m]))
              let (oddReal, oddImaginary) = unsafe (0.5 * (i[k] + i[m]), 0.5 * (r[m] - r[k]))
              unsafe spectrum[k] = evenReal + c[k] * oddReal + s[k] * oddImaginary
              unsafe parts[k] = evenImaginary + c[k] * oddImaginary - s[k] * oddReal
              k &+= 1
            }
          }
        }
      }
    }
  }

  /// The `length` numbers with a spectrum of `spectrumLength` numbers, times `length`/2.
  ///
  /// The caller guarantees both. The two may overlap.
  @unsafe
  package mutating func inverse(_ spectrum: UnsafePointer<Float>, into samples: UnsafeMutablePointer<Float>) {
    let half = length / 2
    let parts = unsafe spectrum + (half + 1)
    // The conjugate of the numbers, so that the same transform serves: its result is conjugated too.
    let (cosines, sines) = (cosines, sines)
    unsafe real.withUnsafeMutableBufferPointer { real in
      unsafe imaginary.withUnsafeMutableBufferPointer { imaginary in
        unsafe cosines.withUnsafeBufferPointer { cosines in
          unsafe sines.withUnsafeBufferPointer { sines in
            guard let c = cosines.baseAddress, let s = sines.baseAddress else { return }
            guard let r = real.baseAddress, let i = imaginary.baseAddress else { return }
            unsafe r[0] = 0.5 * (spectrum[0] + spectrum[half])
            unsafe i[0] = -0.5 * (spectrum[0] - spectrum[half])
            var k = 1
            while k < half {
              let m = half &- k
              let (evenReal, evenImaginary) = unsafe (
                0.5 * (spectrum[k] + spectrum[m]), 0.5 * (parts[k] - parts[m])
              )
              let (re, im) = unsafe (0.5 * (spectrum[k] - spectrum[m]), 0.5 * (parts[k] + parts[m]))
              let (oddReal, oddImaginary) = unsafe (re * c[k] - im * s[k], re * s[k] + im * c[k])
              unsafe r[k] = evenReal - oddImaginary
              unsafe i[k] = -(evenImaginary + oddReal)
              k &+= 1
            }
          }
        }
      }
    }
    transformHalf()
    unsafe real.withUnsafeBufferPointer { real in
      unsafe imaginary.withUnsafeBufferPointer { imaginary in
        guard let r = real.baseAddress, let i = imaginary.baseAddress else { return }
        var index = 0
        while index < half {
          unsafe samples[2 &* index] = r[index]
          unsafe samples[2 &* index &+ 1] = -i[index]
          index &+= 1
        }
      }
    }
  }

  /// The transform of the complex numbers in place.
  private mutating func transformHalf() {
    let (length, exchanges, cosines, sines) = (length, exchanges, cosines, sines)
    unsafe real.withUnsafeMutableBufferPointer { real in
      unsafe imaginary.withUnsafeMutableBufferPointer { imaginary in
        guard let r = real.baseAddress, let i = imaginary.baseAddress else { return }
        // The places of an exchange are below half of the length.
        for (one, other) in exchanges {
          let (a, b) = (Int(one), Int(other))
          unsafe (r[a], r[b], i[a], i[b]) = (r[b], r[a], i[b], i[a])
        }
        unsafe cosines.withUnsafeBufferPointer { cosines in
          unsafe sines.withUnsafeBufferPointer { sines in
            guard let c = cosines.baseAddress, let s = sines.baseAddress else { return }
            var size = 2
            while size <= length / 2 {
              unsafe Self.combine(r, i, c, s, size: size, length: length)
              size <<= 1
            }
          }
        }
      }
    }
  }

  /// One stage: pairs of transforms of half a size become transforms of the size.
  ///
  /// The lists are the tables, and the complex numbers, of which there are half of the length.
  @inline(__always)
  @unsafe
  private static func combine(
    _ r: UnsafeMutablePointer<Float>,
    _ i: UnsafeMutablePointer<Float>,
    _ c: UnsafePointer<Float>,
    _ s: UnsafePointer<Float>,
    size: Int,
    length: Int
  ) {
    let (half, distance, step) = (length / 2, size / 2, length / size)
    var start = 0
    while start < half {
      var (index, turn) = (start, 0)
      let end = start &+ distance
      while index < end {
        let other = index &+ distance
        let (wr, wi) = unsafe (c[turn], s[turn])
        let (xr, xi) = unsafe (r[other], i[other])
        let (tr, ti) = (wr * xr + wi * xi, wr * xi - wi * xr)
        let (ar, ai) = unsafe (r[index], i[index])
        unsafe r[other] = ar - tr
        unsafe i[other] = ai - ti
        unsafe r[index] = ar + tr
        unsafe i[index] = ai + ti
        index &+= 1
        turn &+= step
      }
      start &+= size
    }
  }
}
