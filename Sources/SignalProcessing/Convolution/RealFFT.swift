internal import Glibc

/// The discrete Fourier transform of real numbers, for one length, with its twiddle factors.
///
/// A transform of N real numbers is a transform of N/2 complex numbers, whose real parts are the even numbers and
/// whose imaginary parts are the odd numbers (Cooley and Tukey, 1965; Press et al., "Numerical Recipes", chapter 12.3).
/// A spectrum has N/2 + 1 real parts, then as many imaginary parts.
///
/// Pure: no system call, no lock, and no allocation after `init`.
package struct RealFFT: Sendable {
  /// The tables of a length; transforms of a length share the buffers.
  private struct Tables: Sendable {
    /// The twiddle factors of the real transform: cosines and sines of a turn in steps of 1/N, up to one half.
    let (cosines, sines): ([Float], [Float])
    /// The twiddle factors of the stages with pairs at a distance of 1, 2, 4 and so on, one stage after the other.
    let (stageCosines, stageSines): ([Float], [Float])
    /// Pairs of indices that the bit reversal exchanges.
    let exchanges: [(Int32, Int32)]

    init(length: Int) {
      let half = length / 2
      let turn = 2 * Double.pi
      cosines = (0...half).map { Float(cos(turn * Double($0) / Double(length))) }
      sines = (0...half).map { Float(sin(turn * Double($0) / Double(length))) }
      // The stage with a distance has as many factors, and begins behind the factors of the stages before.
      let angles = (1..<half).map { index in
        let distance = 1 << (Int.bitWidth - 1 - index.leadingZeroBitCount)
        return turn * Double(index - distance) / Double(2 * distance)
      }
      stageCosines = angles.map { Float(cos($0)) }
      stageSines = angles.map { Float(sin($0)) }
      let bits = half.trailingZeroBitCount
      exchanges = (0..<half).compactMap { index in
        let reversed = (0..<bits).reduce(0) { $0 << 1 | index >> $1 & 1 }
        return index < reversed ? (Int32(index), Int32(reversed)) : nil
      }
    }

    /// The lengths of a convolver.
    static let (short, long) = (
      Tables(length: 2 * ImpulseResponse.shortPart), Tables(length: 2 * ImpulseResponse.longPart)
    )

    static func shared(_ length: Int) -> Tables {
      switch length {
      case 2 * ImpulseResponse.shortPart: short
      case 2 * ImpulseResponse.longPart: long
      default: Tables(length: length)
      }
    }
  }

  /// The number of real numbers: a power of two from 8 to 65,536.
  package let length: Int
  /// The numbers of a spectrum: real parts, then imaginary parts.
  package var spectrumLength: Int { length + 2 }

  private let tables: Tables
  private var (real, imaginary): ([Float], [Float])

  package init(length: Int) {
    precondition(length >= 8 && length <= 65_536 && length & (length - 1) == 0, "the length is no power of two")
    self.length = length
    tables = Tables.shared(length)
    (real, imaginary) = (Array(repeating: 0, count: length / 2), Array(repeating: 0, count: length / 2))
  }

  /// The spectrum of `length` numbers, into `spectrumLength` numbers.
  ///
  /// The caller guarantees both. The two may overlap.
  @unsafe
  package mutating func transform(_ samples: UnsafePointer<Float>, into spectrum: UnsafeMutablePointer<Float>) {
    let (half, tables) = (length / 2, tables)
    // `real` and `imaginary` have `half` numbers each, and the tables one more.
    unsafe real.withUnsafeMutableBufferPointer { real in
      unsafe imaginary.withUnsafeMutableBufferPointer { imaginary in
        unsafe tables.cosines.withUnsafeBufferPointer { cosines in
          unsafe tables.sines.withUnsafeBufferPointer { sines in
            guard let c = cosines.baseAddress, let s = sines.baseAddress else { return }
            guard let r = real.baseAddress, let i = imaginary.baseAddress else { return }
            var k = 0
            while k < half {
              unsafe r[k] = samples[2 &* k]
              unsafe i[k] = samples[2 &* k &+ 1]
              k &+= 1
            }
            unsafe Self.transformHalf(r, i, tables, half)
            let parts = unsafe spectrum + (half + 1)
            unsafe (spectrum[0], parts[0]) = (r[0] + i[0], 0)
            unsafe (spectrum[half], parts[half]) = (r[0] - i[0], 0)
            // The even and the odd numbers are the symmetric and the antisymmetric part.
            k = 1
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
    let (half, tables) = (length / 2, tables)
    let parts = unsafe spectrum + (half + 1)
    // The conjugate of the numbers, so that the same transform serves: its result is conjugated too.
    unsafe real.withUnsafeMutableBufferPointer { real in
      unsafe imaginary.withUnsafeMutableBufferPointer { imaginary in
        unsafe tables.cosines.withUnsafeBufferPointer { cosines in
          unsafe tables.sines.withUnsafeBufferPointer { sines in
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
            unsafe Self.transformHalf(r, i, tables, half)
            k = 0
            while k < half {
              unsafe samples[2 &* k] = r[k]
              unsafe samples[2 &* k &+ 1] = -i[k]
              k &+= 1
            }
          }
        }
      }
    }
  }

  /// The transform of `half` complex numbers, which it replaces: a bit reversal, then the stages.
  @unsafe
  private static func transformHalf(
    _ r: UnsafeMutablePointer<Float>,
    _ i: UnsafeMutablePointer<Float>,
    _ tables: Tables,
    _ half: Int
  ) {
    // Indices of an exchange are below half of the length.
    for (one, other) in tables.exchanges {
      let (a, b) = (Int(one), Int(other))
      unsafe (r[a], r[b], i[a], i[b]) = (r[b], r[a], i[b], i[a])
    }
    unsafe tables.stageCosines.withUnsafeBufferPointer { cosines in
      unsafe tables.stageSines.withUnsafeBufferPointer { sines in
        guard let c = cosines.baseAddress, let s = sines.baseAddress else { return }
        var distance = 1
        while distance < half {
          unsafe combine(r, i, c + (distance - 1), s + (distance - 1), distance: distance, half: half)
          distance <<= 1
        }
      }
    }
  }

  /// One stage: pairs of transforms with a length of `distance` become transforms of twice the length.
  ///
  /// The lists are the complex numbers, of which there are `half`, and the twiddle factors of the stage.
  @inline(never)
  @unsafe
  private static func combine(
    _ r: UnsafeMutablePointer<Float>,
    _ i: UnsafeMutablePointer<Float>,
    _ c: UnsafePointer<Float>,
    _ s: UnsafePointer<Float>,
    distance: Int,
    half: Int
  ) {
    var start = 0
    while start < half {
      let (lowReal, lowImaginary) = unsafe (r + start, i + start)
      let (highReal, highImaginary) = unsafe (r + (start + distance), i + (start + distance))
      var turn = 0
      // Four pairs are read before they are written: the compiler makes vectors of them.
      while turn &+ 4 <= distance {
        let (c0, c1, c2, c3) = unsafe (c[turn], c[turn &+ 1], c[turn &+ 2], c[turn &+ 3])
        let (s0, s1, s2, s3) = unsafe (s[turn], s[turn &+ 1], s[turn &+ 2], s[turn &+ 3])
        let (x0, x1, x2, x3) = unsafe (highReal[turn], highReal[turn &+ 1], highReal[turn &+ 2], highReal[turn &+ 3])
        let (y0, y1, y2, y3) = unsafe (
          highImaginary[turn], highImaginary[turn &+ 1], highImaginary[turn &+ 2], highImaginary[turn &+ 3]
        )
        let (a0, a1, a2, a3) = unsafe (lowReal[turn], lowReal[turn &+ 1], lowReal[turn &+ 2], lowReal[turn &+ 3])
        let (b0, b1, b2, b3) = unsafe (
          lowImaginary[turn], lowImaginary[turn &+ 1], lowImaginary[turn &+ 2], lowImaginary[turn &+ 3]
        )
        let (u0, u1, u2, u3) = (c0 * x0 + s0 * y0, c1 * x1 + s1 * y1, c2 * x2 + s2 * y2, c3 * x3 + s3 * y3)
        let (v0, v1, v2, v3) = (c0 * y0 - s0 * x0, c1 * y1 - s1 * x1, c2 * y2 - s2 * x2, c3 * y3 - s3 * x3)
        unsafe (highReal[turn], highReal[turn &+ 1]) = (a0 - u0, a1 - u1)
        unsafe (highReal[turn &+ 2], highReal[turn &+ 3]) = (a2 - u2, a3 - u3)
        unsafe (highImaginary[turn], highImaginary[turn &+ 1]) = (b0 - v0, b1 - v1)
        unsafe (highImaginary[turn &+ 2], highImaginary[turn &+ 3]) = (b2 - v2, b3 - v3)
        unsafe (lowReal[turn], lowReal[turn &+ 1]) = (a0 + u0, a1 + u1)
        unsafe (lowReal[turn &+ 2], lowReal[turn &+ 3]) = (a2 + u2, a3 + u3)
        unsafe (lowImaginary[turn], lowImaginary[turn &+ 1]) = (b0 + v0, b1 + v1)
        unsafe (lowImaginary[turn &+ 2], lowImaginary[turn &+ 3]) = (b2 + v2, b3 + v3)
        turn &+= 4
      }
      while turn < distance {
        let (tr, ti) = unsafe (
          c[turn] * highReal[turn] + s[turn] * highImaginary[turn],
          c[turn] * highImaginary[turn] - s[turn] * highReal[turn]
        )
        let (ar, ai) = unsafe (lowReal[turn], lowImaginary[turn])
        unsafe highReal[turn] = ar - tr
        unsafe highImaginary[turn] = ai - ti
        unsafe lowReal[turn] = ar + tr
        unsafe lowImaginary[turn] = ai + ti
        turn &+= 1
      }
      start &+= 2 &* distance
    }
  }
}
