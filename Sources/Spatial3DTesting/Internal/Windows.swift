/// A part of a signal under a window, padded with zeros to a count.
func windowed(_ signal: [Float], from start: Int, _ window: [Double], count: Int) -> [Double] {
  precondition(start >= 0 && start + window.count <= signal.count && window.count <= count)
  var values = [Double](repeating: 0, count: count)
  let length = window.count
  // The index stays below the count of the window, and the precondition bounds the accesses to the other two.
  func weigh(_ from: UnsafePointer<Float>, _ weights: UnsafePointer<Double>, into to: UnsafeMutablePointer<Double>) {
    var index = 0
    while index < length {
      unsafe to[index] = Double(from[start &+ index]) * weights[index]
      index &+= 1
    }
  }
  unsafe weigh(signal, window, into: &values)
  return values
}

/// Adds one-sided power spectra of two real signals, from the transform of `first + i * second`.
func addPowers(_ real: [Double], _ imaginary: [Double], to sums: inout [Double]) {
  let count = real.count
  precondition(imaginary.count == count && sums.count == count / 2 + 1)
  // `index` is at most half of `count`, and its mirror image below `count`.
  func add(_ re: UnsafePointer<Double>, _ im: UnsafePointer<Double>, to sums: UnsafeMutablePointer<Double>) {
    var index = 0
    while index <= count / 2 {
      let mirror = (count &- index) % count
      let (a, b, c, d) = unsafe (re[index], im[index], re[mirror], im[mirror])
      // Each bin adds the power of its negative frequency; bin 0 and the bin at half the rate exist once.
      let both = a * a + b * b + c * c + d * d
      unsafe sums[index] += mirror == index ? both / 2 : both
      index &+= 1
    }
  }
  unsafe add(real, imaginary, to: &sums)
}
