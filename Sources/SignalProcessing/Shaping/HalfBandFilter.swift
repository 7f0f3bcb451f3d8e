internal import Glibc
internal import PCM

/// A change of the rate of one channel by 2, up and down, by a half-band filter.
///
/// Every second coefficient of the filter is 0, except for the middle coefficient: half of the values are delayed
/// samples. The other coefficients are a sinc in a Kaiser window, scaled so that a constant stays constant.
struct HalfBandFilter: Sendable {
  /// The largest number of frames of the lower rate at once.
  static let chunk = 128

  /// The frames of the higher rate by which a change up, and a change down, is late.
  let delay: Int
  /// The first half of the coefficients that are not 0, without the middle coefficient; all of them have a sum of 1/2.
  private let taps: [Float]
  /// The last samples of the lower rate, then the chunk.
  private var held: [Float]
  /// The last samples of the higher rate, by the parity of their frame, then the chunk.
  private var (even, odd): ([Float], [Float])

  /// A filter in a Kaiser window with a parameter `beta`.
  ///
  /// Besides the middle coefficient there are `tapCount` coefficients, a multiple of 4.
  init(tapCount: Int, beta: Double) {
    precondition(tapCount > 0 && tapCount % 4 == 0, "the coefficients are summed in pairs of pairs")
    delay = tapCount - 1
    let reach = Double(tapCount)
    let taps = (0..<tapCount).map { index in
      let distance = Double(2 * index - tapCount + 1)
      let window = ResamplingFilter.bessel(beta * (1 - distance * distance / (reach * reach)).squareRoot())
      return sin(.pi * distance / 2) / (.pi * distance) * window
    }
    let sum = taps.reduce(0, +)
    self.taps = taps.prefix(tapCount / 2).map { Float($0 / (2 * sum)) }
    // Each array is made alone: arrays with a common buffer would be copied when they change.
    held = Array(repeating: 0, count: tapCount - 1 + Self.chunk)
    even = Array(repeating: 0, count: tapCount - 1 + Self.chunk)
    odd = Array(repeating: 0, count: tapCount - 1 + Self.chunk)
  }

  /// Doubles the rate of `count` samples.
  ///
  /// The caller guarantees the samples, room for twice as many results, and room for as many sums, none of which
  /// overlap.
  @unsafe
  mutating func raise(
    _ samples: UnsafePointer<Float>,
    count: Int,
    into result: UnsafeMutablePointer<Float>,
    sums: UnsafeMutablePointer<Float>
  ) {
    precondition(count <= Self.chunk)
    let (tapCount, middle) = (delay + 1, delay / 2)
    // `held` has room for the last samples and a chunk.
    unsafe held.withUnsafeMutableBufferPointer { held in
      unsafe taps.withUnsafeBufferPointer { taps in
        guard let held = held.baseAddress, let taps = taps.baseAddress else { return }
        unsafe (held + (tapCount - 1)).update(from: samples, count: count)
        unsafe Self.sum(held, taps, tapCount, count: count, into: sums)
        let delayed = unsafe held + (tapCount - 1 - middle)
        var index = 0
        while index < count {
          unsafe result[2 &* index] = 2 * sums[index]
          unsafe result[2 &* index &+ 1] = delayed[index]
          index &+= 1
        }
        unsafe held.update(from: held + count, count: tapCount - 1)
      }
    }
  }

  /// Halves the rate of twice `count` samples.
  ///
  /// The caller guarantees the samples, room for half as many results, which may overlap the samples, and room for as
  /// many sums.
  @unsafe
  mutating func lower(
    _ samples: UnsafePointer<Float>,
    count: Int,
    into result: UnsafeMutablePointer<Float>,
    sums: UnsafeMutablePointer<Float>
  ) {
    precondition(count <= Self.chunk)
    let (tapCount, middle) = (delay + 1, (delay + 1) / 2)
    // Both lists have room for the last samples and a chunk.
    unsafe even.withUnsafeMutableBufferPointer { even in
      unsafe odd.withUnsafeMutableBufferPointer { odd in
        unsafe taps.withUnsafeBufferPointer { taps in
          guard let even = even.baseAddress, let odd = odd.baseAddress, let taps = taps.baseAddress else { return }
          let (newEven, newOdd) = unsafe (even + (tapCount - 1), odd + (tapCount - 1))
          var index = 0
          while index < count {
            unsafe newEven[index] = samples[2 &* index]
            unsafe newOdd[index] = samples[2 &* index &+ 1]
            index &+= 1
          }
          unsafe Self.sum(even, taps, tapCount, count: count, into: sums)
          let delayed = unsafe odd + (tapCount - 1 - middle)
          index = 0
          while index < count {
            unsafe result[index] = sums[index] + 0.5 * delayed[index]
            index &+= 1
          }
          unsafe even.update(from: even + count, count: tapCount - 1)
          unsafe odd.update(from: odd + count, count: tapCount - 1)
        }
      }
    }
  }

  /// The sums of the products of samples and coefficients, which are symmetric, from each sample on.
  ///
  /// The coefficients are the outer loop, so that the inner one works on neighbouring samples at once. The compiler
  /// makes vectors of it where the function stands alone.
  @inline(never)
  @unsafe
  private static func sum(
    _ samples: UnsafePointer<Float>,
    _ taps: UnsafePointer<Float>,
    _ tapCount: Int,
    count: Int,
    into sums: UnsafeMutablePointer<Float>
  ) {
    unsafe sums.update(repeating: 0, count: count)
    var tap = 0
    while tap < tapCount / 2 {
      let (outer, inner) = unsafe (taps[tap], taps[tap &+ 1])
      let (first, last) = unsafe (samples + tap, samples + (tapCount - 1 - tap))
      let (second, secondLast) = unsafe (samples + (tap + 1), samples + (tapCount - 2 - tap))
      var index = 0
      while index < count {
        unsafe sums[index] += outer * (first[index] + last[index]) + inner * (second[index] + secondLast[index])
        index &+= 1
      }
      tap &+= 2
    }
  }

  mutating func reset() {
    for index in held.indices { (held[index], even[index], odd[index]) = (0, 0, 0) }
  }
}
