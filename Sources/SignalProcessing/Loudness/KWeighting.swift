internal import Glibc

/// The frequency weighting of ITU-R BS.1770: a shelf for the head, then a high-pass filter, both of second order.
///
/// The recommendation lists coefficients for 48 kHz alone. For another rate, the bilinear transform of the same
/// analogue filters gives the coefficients.
struct KWeighting: Sendable {
  /// The coefficients of a second-order filter, with a leading 1 in the denominator.
  struct Coefficients: Hashable, Sendable {
    var b0, b1, b2, a1, a2: Double
  }

  let shelf: Coefficients
  let highPass: Coefficients

  init(sampleRate: Int) {
    /// The frequency that the transform puts at `frequency`; no filter lies beyond half of the rate.
    func warped(_ frequency: Double) -> Double {
      tan(.pi * min(frequency / Double(max(sampleRate, 1)), 0.45))
    }
    // These numbers give the coefficients of the recommendation at 48 kHz.
    let (gain, quality, k) = (pow(10, 3.999843853973347 / 20), 0.7071752369554196, warped(1_681.974450955533))
    let middle = pow(gain, 0.4996667741545416)
    let scale = 1 + k / quality + k * k
    shelf = Coefficients(
      b0: (gain + middle * k / quality + k * k) / scale,
      b1: 2 * (k * k - gain) / scale,
      b2: (gain - middle * k / quality + k * k) / scale,
      a1: 2 * (k * k - 1) / scale,
      a2: (1 - k / quality + k * k) / scale
    )
    let (lowQuality, low) = (0.5003270373238773, warped(38.13547087602444))
    let lowScale = 1 + low / lowQuality + low * low
    highPass = Coefficients(
      b0: 1,
      b1: -2,
      b2: 1,
      a1: 2 * (low * low - 1) / lowScale,
      a2: (1 - low / lowQuality + low * low) / lowScale
    )
  }
}

extension KWeighting {
  /// The memory of both filters, for one channel, and the sum of the squares behind them.
  struct State: Sendable {
    private var shelf = (0.0, 0.0)
    private var highPass = (0.0, 0.0)
    private var power = 0.0

    /// Filters samples with a distance between them.
    ///
    /// The caller guarantees `count` samples. Unusable samples count as 0, so the memory stays finite.
    @unsafe
    mutating func append(_ samples: UnsafePointer<Float>, count: Int, stride: Int, _ weighting: KWeighting) {
      let (first, second) = (weighting.shelf, weighting.highPass)
      var ((s1, s2), (t1, t2)) = (shelf, highPass)
      var (index, left, sum) = (0, count, power)
      while left > 0 {
        let value = unsafe Double(samples[index].usable)
        let middle = first.b0 * value + s1
        s1 = first.b1 * value - first.a1 * middle + s2
        s2 = first.b2 * value - first.a2 * middle
        let result = second.b0 * middle + t1
        t1 = second.b1 * middle - second.a1 * result + t2
        t2 = second.b2 * middle - second.a2 * result
        sum += result * result
        index &+= stride
        left &-= 1
      }
      (shelf, highPass, power) = ((s1, s2), (t1, t2), sum)
    }

    /// Whether silence leaves the memory as it is, and no sound has come since the last sum.
    var isSilent: Bool { shelf == (0, 0) && highPass == (0, 0) && power == 0 }

    /// The sum of the squares since the last call.
    ///
    /// The call is due on a grid of frames: it removes the memory of silence, which would become denormal and slow.
    mutating func takePower() -> Double {
      defer { power = 0 }
      let size = abs(shelf.0) + abs(shelf.1) + abs(highPass.0) + abs(highPass.1)
      if size < ProcessingLimits.smallestState { (shelf, highPass) = ((0, 0), (0, 0)) }
      return power
    }
  }
}
