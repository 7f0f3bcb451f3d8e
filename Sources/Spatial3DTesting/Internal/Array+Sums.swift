extension [Float] {
  /// The sum of the squares of the elements in a range, or of every n-th of them.
  package func sumOfSquares(in range: Range<Int>, every step: Int = 1) -> Double {
    unsafe withElements(in: range) { samples, count in
      var (index, sum) = (0, 0.0)
      while index < count {
        let value = unsafe Double(samples[index])
        sum += value * value
        index &+= step
      }
      return sum
    }
  }

  /// The largest magnitude of the elements in a range; NaN if one of them is NaN.
  func largestMagnitude(in range: Range<Int>) -> Float {
    unsafe withElements(in: range) { samples, count in
      var (index, largest) = (0, Float(0))
      while index < count {
        let value = unsafe samples[index].magnitude
        if !(value <= largest) {
          if value.isNaN { return .nan }
          largest = value
        }
        index &+= 1
      }
      return largest
    }
  }

  /// The largest magnitude of the finite elements in a range; 0 if there are none.
  func largestFiniteMagnitude(in range: Range<Int>) -> Float {
    unsafe withElements(in: range) { samples, count in
      var (index, largest) = (0, Float(0))
      while index < count {
        let value = unsafe samples[index].magnitude
        if value > largest, value < .infinity { largest = value }
        index &+= 1
      }
      return largest
    }
  }

  /// Runs a closure on the elements in a range, clamped to the array: a pointer to the first, and their number.
  ///
  /// Returns 0 for an empty array.
  private func withElements<Sum: Numeric>(in range: Range<Int>, _ body: (UnsafePointer<Float>, Int) -> Sum) -> Sum {
    let range = range.clamped(to: indices)
    // The range is clamped to the array.
    return unsafe withUnsafeBufferPointer { buffer in
      guard let first = buffer.baseAddress else { return 0 }
      return unsafe body(first + range.lowerBound, range.count)
    }
  }

  /// For each frame of interleaved elements, whether a magnitude is above a limit, or is not a number.
  func framesSounding(above limit: Float, channelCount: Int) -> [Bool] {
    let frameCount = count / channelCount
    var results = [Bool](repeating: false, count: frameCount)
    // Reads `frameCount` whole frames of the array, and writes only the `frameCount` results.
    func mark(_ samples: UnsafePointer<Float>, in sounding: UnsafeMutablePointer<Bool>) {
      var (index, frame) = (0, 0)
      while frame < frameCount {
        let end = index &+ channelCount
        while index < end {
          if unsafe !(samples[index].magnitude <= limit) { unsafe sounding[frame] = true }
          index &+= 1
        }
        frame &+= 1
      }
    }
    unsafe mark(self, in: &results)
    return results
  }
}
