internal import Glibc

/// A change of the rate of one channel by 2, up and down, by a half-band filter.
///
/// Every second coefficient of the filter is 0, except for the middle one: half of the values are delayed samples. The
/// other coefficients are a sinc in a Kaiser window, scaled so that a constant stays constant.
struct HalfBandFilter: Sendable {
  /// The largest number of frames of the lower rate at once.
  static let chunk = 128

  /// The frames of the higher rate by which a change up, and a change down, is late.
  let delay: Int
  /// The coefficients that are not 0, without the middle one; their sum is 1/2.
  private let taps: [Float]
  /// The samples of the lower rate: the last ones, then the chunk.
  private var held: [Float]
  /// The samples of the higher rate, by the parity of their frame: the last ones, then the chunk.
  private var (even, odd): ([Float], [Float])

  /// A filter with `tapCount` coefficients besides the middle one, which is even, in a Kaiser window of a shape.
  init(tapCount: Int, shape: Double) {
    delay = tapCount - 1
    let reach = Double(tapCount)
    var taps = (0..<tapCount).map { index in
      let distance = Double(2 * index - tapCount + 1)
      let window = Self.bessel(shape * (1 - distance * distance / (reach * reach)).squareRoot())
      return sin(.pi * distance / 2) / (.pi * distance) * window
    }
    let sum = taps.reduce(0, +)
    taps = taps.map { $0 / (2 * sum) }
    self.taps = taps.map { Float($0) }
    held = Array(repeating: 0, count: tapCount - 1 + Self.chunk)
    even = held
    odd = held
  }

  /// The modified Bessel function of the first kind and of order 0.
  private static func bessel(_ x: Double) -> Double {
    var (sum, term, index) = (1.0, 1.0, 1.0)
    while term > sum * 1e-17 {
      term *= x * x / (4 * index * index)
      sum += term
      index += 1
    }
    return sum
  }

  /// Doubles the rate of `count` samples.
  ///
  /// The caller guarantees the samples, and room for twice as many.
  @unsafe
  mutating func raise(_ samples: UnsafePointer<Float>, count: Int, into result: UnsafeMutablePointer<Float>) {
    precondition(count <= Self.chunk)
    let (tapCount, middle) = (taps.count, taps.count / 2 - 1)
    // `held` has room for the last samples and a chunk.
    unsafe held.withUnsafeMutableBufferPointer { held in
      unsafe taps.withUnsafeBufferPointer { taps in
        guard let held = held.baseAddress, let taps = taps.baseAddress else { return }
        unsafe (held + (tapCount - 1)).update(from: samples, count: count)
        var index = 0
        while index < count {
          unsafe result[2 &* index] = 2 * Self.sum(held + index, taps, tapCount)
          unsafe result[2 &* index &+ 1] = held[index &+ tapCount &- 1 &- middle]
          index &+= 1
        }
        unsafe held.update(from: held + count, count: tapCount - 1)
      }
    }
  }

  /// Halves the rate of twice `count` samples.
  ///
  /// The caller guarantees the samples, and room for half of them; the two may overlap.
  @unsafe
  mutating func lower(_ samples: UnsafePointer<Float>, count: Int, into result: UnsafeMutablePointer<Float>) {
    precondition(count <= Self.chunk)
    let (tapCount, middle) = (taps.count, taps.count / 2)
    // Both lists have room for the last samples and a chunk.
    unsafe even.withUnsafeMutableBufferPointer { even in
      unsafe odd.withUnsafeMutableBufferPointer { odd in
        unsafe taps.withUnsafeBufferPointer { taps in
          guard let even = even.baseAddress, let odd = odd.baseAddress, let taps = taps.baseAddress else { return }
          var index = 0
          while index < count {
            unsafe even[tapCount &- 1 &+ index] = samples[2 &* index]
            unsafe odd[tapCount &- 1 &+ index] = samples[2 &* index &+ 1]
            index &+= 1
          }
          index = 0
          while index < count {
            let delayed = unsafe odd[index &+ tapCount &- 1 &- middle]
            unsafe result[index] = Self.sum(even + index, taps, tapCount) + 0.5 * delayed
            index &+= 1
          }
          unsafe even.update(from: even + count, count: tapCount - 1)
          unsafe odd.update(from: odd + count, count: tapCount - 1)
        }
      }
    }
  }

  /// The sum of the products of samples and coefficients; the latter are symmetric.
  @inline(__always)
  @unsafe
  private static func sum(_ samples: UnsafePointer<Float>, _ taps: UnsafePointer<Float>, _ count: Int) -> Float {
    var (low, high, sum, other) = (0, count &- 1, Float(0), Float(0))
    while low < high {
      unsafe sum += taps[low] * (samples[low] + samples[high])
      unsafe other += taps[low &+ 1] * (samples[low &+ 1] + samples[high &- 1])
      low &+= 2
      high &-= 2
    }
    return sum + other
  }

  mutating func reset() {
    for index in held.indices { (held[index], even[index], odd[index]) = (0, 0, 0) }
  }
}
