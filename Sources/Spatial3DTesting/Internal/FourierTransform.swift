import Glibc

/// The discrete Fourier transform of complex numbers, whose count is a power of two.
///
/// Cooley and Tukey, "An algorithm for the machine calculation of complex Fourier series" (1965), radix 2. The result
/// overwrites the input.
struct FourierTransform {
  /// The number of values of a transform: a power of two, 2 or more.
  let count: Int

  private let cosines: [Double]
  private let sines: [Double]

  /// A transform of at least a number of values.
  init(ofAtLeast count: Int) {
    var size = 2
    while size < count { size *= 2 }
    self.count = size
    let step = 2 * Double.pi / Double(size)
    cosines = (0..<(size / 2)).map { cos(step * Double($0)) }
    sines = (0..<(size / 2)).map { sin(step * Double($0)) }
  }

  /// Transforms `count` numbers from time to frequency, without a factor.
  func forward(_ real: inout [Double], _ imaginary: inout [Double]) {
    precondition(real.count == count && imaginary.count == count)
    // The arrays have the counts that the two functions assume: `count`, and half of it.
    unsafe reorder(&real, &imaginary)
    unsafe combine(&real, &imaginary, cosines, sines)
  }

  /// Transforms `count` numbers from frequency to time, without a factor: a round trip multiplies by `count`.
  func inverse(_ real: inout [Double], _ imaginary: inout [Double]) {
    // Exchanging the real and imaginary parts before and after inverts the transform.
    forward(&imaginary, &real)
  }

  /// Moves each number to the index with its binary digits in reverse.
  ///
  /// Both pointers have `count` elements; both indices stay below it.
  private func reorder(_ re: UnsafeMutablePointer<Double>, _ im: UnsafeMutablePointer<Double>) {
    var (index, reversed) = (0, 0)
    while index < count {
      if index < reversed {
        let (real, imaginary) = unsafe (re[index], im[index])
        unsafe re[index] = re[reversed]
        unsafe im[index] = im[reversed]
        unsafe re[reversed] = real
        unsafe im[reversed] = imaginary
      }
      var bit = count / 2
      while bit > 0, reversed & bit != 0 {
        reversed &-= bit
        bit /= 2
      }
      reversed &+= bit
      index &+= 1
    }
  }

  /// Combines transforms of 1 number to transforms of 2, and so on to `count`.
  ///
  /// The first two pointers have `count` elements, the others half; `upper` stays below `count`, `turn` below half of
  /// it.
  private func combine(
    _ re: UnsafeMutablePointer<Double>,
    _ im: UnsafeMutablePointer<Double>,
    _ cosine: UnsafePointer<Double>,
    _ sine: UnsafePointer<Double>
  ) {
    var half = 1
    while half < count {
      let turnStep = count / (2 * half)
      var start = 0
      while start < count {
        var (lower, turn) = (start, 0)
        let end = start &+ half
        while lower < end {
          let upper = lower &+ half
          let (c, s) = unsafe (cosine[turn], sine[turn])
          let (a, b) = unsafe (re[upper], im[upper])
          let real = a * c + b * s
          let imaginary = b * c - a * s
          let (p, q) = unsafe (re[lower], im[lower])
          unsafe re[upper] = p - real
          unsafe im[upper] = q - imaginary
          unsafe re[lower] = p + real
          unsafe im[lower] = q + imaginary
          lower &+= 1
          turn &+= turnStep
        }
        start &+= 2 &* half
      }
      half &*= 2
    }
  }
}
