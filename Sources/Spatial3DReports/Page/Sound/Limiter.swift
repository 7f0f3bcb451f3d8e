/// A gain with a limit: before and after each peak, the gain falls and rises smoothly over ten milliseconds.
struct Limiter {
  /// The factor of the samples away from peaks.
  let gain: Float

  /// The largest magnitude of a limited sample.
  let ceiling: Float

  /// The samples of an interleaved mix with the gain; all channels of a frame have the same gain.
  func limited(_ samples: [Float], channelCount: Int, sampleRate: Int) -> [Float] {
    let needed = neededGains(samples, channelCount)
    guard needed.contains(where: { $0 < gain }) else { return samples.map { $0 * gain } }
    let reach = max(sampleRate / 100, 1)
    // A mean of gains of which none is above the needed one is not above it either.
    let gains = needed.lowest(within: reach).means(within: reach)
    return samples.indices.map { samples[$0] * gains[$0 / channelCount] }
  }

  /// The gain of each frame that keeps all of its samples within the ceiling.
  private func neededGains(_ samples: [Float], _ channelCount: Int) -> [Float] {
    stride(from: 0, to: samples.count - channelCount + 1, by: channelCount).map { start in
      var peak: Float = 0
      for channel in 0..<channelCount { peak = max(peak, abs(samples[start + channel])) }
      return peak * gain > ceiling ? ceiling / peak : gain
    }
  }
}

extension [Float] {
  /// The lowest of the elements up to a number before and after each element.
  fileprivate func lowest(within reach: Int) -> [Float] {
    var result: [Float] = []
    result.reserveCapacity(count)
    // Indices of elements in the window, in order of rising values: the first is the lowest.
    var candidates: [Int] = []
    var first = 0
    var next = 0
    for index in indices {
      while next < count, next <= index + reach {
        while candidates.count > first, self[candidates[candidates.count - 1]] >= self[next] { candidates.removeLast() }
        candidates.append(next)
        next += 1
      }
      if candidates[first] < index - reach { first += 1 }
      result.append(self[candidates[first]])
    }
    return result
  }

  /// The means of the elements up to a number before and after each element.
  fileprivate func means(within reach: Int) -> [Float] {
    var sum = prefix(reach).reduce(0.0) { $0 + Double($1) }
    return indices.map { index in
      if index + reach < count { sum += Double(self[index + reach]) }
      if index - reach - 1 >= 0 { sum -= Double(self[index - reach - 1]) }
      let width = Swift.min(index + reach, count - 1) - Swift.max(index - reach, 0) + 1
      return Float(sum / Double(width))
    }
  }
}
