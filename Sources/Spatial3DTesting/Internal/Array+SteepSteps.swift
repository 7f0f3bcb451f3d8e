/// A step between an element and its predecessor.
struct SteepStep {
  var index: Int
  /// Infinite where an element is not finite.
  var size: Float
  /// The largest allowed step; finite.
  var limit: Float
}

extension [Float] {
  /// The steps that are larger than a floor, and larger than a slope times the largest magnitude within a reach.
  ///
  /// The reach is a number of elements. If several steps lie within the reach, the result has the step that exceeds its
  /// limit most. The magnitudes are measured in blocks of the reach: the step's own and its two neighbours. They ignore
  /// elements that are not finite.
  func steepSteps(slope: Float, reach: Int, floor: Float) -> [SteepStep] {
    let peaks = stride(from: 0, to: count, by: reach).map {
      largestFiniteMagnitude(in: $0..<($0 + Swift.min(reach, count - $0)))
    }
    var found: [SteepStep] = []
    for (block, own) in peaks.enumerated() {
      let around = Swift.max(block > 0 ? peaks[block - 1] : 0, own, block + 1 < peaks.count ? peaks[block + 1] : 0)
      let limit = Swift.min(Swift.max(slope * around, floor), .greatestFiniteMagnitude)
      let end = Swift.min((block + 1) * reach, count)
      var start = Swift.max(block * reach, 1)
      while let index = firstStep(in: start..<end, above: limit) {
        let size = (self[index] - self[index - 1]).magnitude
        let step = SteepStep(index: index, size: size.isNaN ? .infinity : size, limit: limit)
        if let last = found.last, index - last.index < reach {
          if step.size / step.limit > last.size / last.limit { found[found.count - 1] = step }
        } else {
          found.append(step)
        }
        start = index + 1
      }
    }
    return found
  }

  /// The first index of a range whose element differs from its predecessor by more than a limit, or by NaN.
  private func firstStep(in range: Range<Int>, above limit: Float) -> Int? {
    precondition(range.isEmpty || range.lowerBound > 0 && range.upperBound <= count)
    // The range lies within the array, and after its first element.
    return unsafe withUnsafeBufferPointer { buffer in
      guard let samples = buffer.baseAddress else { return nil }
      var index = range.lowerBound
      while index < range.upperBound {
        if unsafe !((samples[index] - samples[index &- 1]).magnitude <= limit) { return index }
        index &+= 1
      }
      return nil
    }
  }
}
