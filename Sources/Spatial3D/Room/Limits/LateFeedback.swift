import Glibc

/// The feedback of a reverb's late reflections in OpenAL Soft: four delay lines, each with a gain, a low shelf and a
/// high shelf.
///
/// A line removes from each band the loss of the band over the line's length. The library computes the filters with 24
/// bits: the response of a shelf at 0 Hz is a quotient of two small sums, each with an error of some units of the last
/// bit.
struct LateFeedback {
  /// Seconds that low, middle and high frequencies take to fall by 60 dB.
  let low: Double
  let middle: Double
  let high: Double
  /// The length of each line, in seconds.
  let lengths: [Double]
  private let lowShelf: Shelf
  private let highShelf: Shelf
  private let leastGain: Double

  init(_ room: RoomAcoustics, _ limits: EffectLimits) {
    middle = Double(room.decayTime.inSeconds)
    low = (middle * Double(room.lowFrequencyDecayRatio)).clamped(to: Self.decayTimes)
    let ratio = middle * Double(room.highFrequencyDecayRatio)
    high = min(ratio, room.airDecayTime(limits) ?? .infinity).clamped(to: Self.decayTimes)
    lengths = Self.lengths(of: room, limits)
    lowShelf = Shelf(frequency: Double(room.lowFrequencyReference), rate: limits.rate)
    highShelf = Shelf(frequency: Double(room.highFrequencyReference), rate: limits.rate)
    leastGain = limits.leastShelfGain == nil ? 0.001 : 0
  }

  /// OpenAL's range.
  static let decayTimes = 0.1...20.0

  /// The path lengths of a room of 1 m, stretched by the density, plus the all-pass filters of a twelfth of their
  /// lengths.
  private static func lengths(of room: RoomAcoustics, _ limits: EffectLimits) -> [Double] {
    let mean = 1 / 343.3
    let short = mean * 2 / 3
    let paths = [short, short * cbrt(2), 2 * mean - short * cbrt(2), 2 * mean - short]
    let stretch = max(5, cbrt(Double(room.density) * 125_000))
    let swing = Double(room.modulationDepth) * min(Double(room.modulationTime.inSeconds), 0.25) * 0.0125
    return paths.map { path in
      let allPass = (path + Double(room.diffusion) * (mean - path)) / 12
      return (path + allPass) * stretch + (limits.modulatesFeedback ? swing : 0)
    }
  }

  /// The gain of a line's shelf at its own frequency, for a band with a decay time.
  func shelfGain(_ time: Double, _ length: Double) -> Double {
    max(pow(10, -3 * length * (1 / time - 1 / middle)), leastGain)
  }

  /// The least gain of any line's shelves.
  var leastShelfGain: Double {
    lengths.reduce(.infinity) { min($0, shelfGain(low, $1), shelfGain(high, $1)) }
  }

  /// The response of a line at 0 Hz or half the rate, with the largest rounding errors of the library.
  struct Response {
    /// The gain of a turn; infinite for a filter that may be unstable.
    var gain = 0.0
    /// The part of it that the low shelf's error and the high shelf's error may contribute, each a factor.
    var lowError = 1.0
    var highError = 1.0
  }

  /// The worst line at 0 Hz.
  var lowest: Response {
    worst { length in
      let (lowGain, highGain) = (shelfGain(low, length), shelfGain(high, length))
      let lowError = lowGain == 1 ? 1 : Self.error(lowGain * lowGain, lowShelf.lowSum(gain: lowGain), gain: lowGain)
      let highError = highGain == 1 ? 1 : Self.error(1, highShelf.highSum(gain: highGain), gain: highGain)
      return Response(gain: lowGain * lowGain, lowError: lowError, highError: highError)
    }
  }

  /// The worst line at half the rate.
  var highest: Response {
    worst { length in
      let highGain = shelfGain(high, length)
      let sum = highShelf.mirrored.lowSum(gain: highGain)
      let highError = highGain == 1 ? 1 : Self.error(highGain * highGain, sum, gain: highGain)
      return Response(gain: highGain * highGain, highError: highError)
    }
  }

  private func worst(_ response: (Double) -> Response) -> Response {
    var worst = Response()
    for length in lengths {
      var next = response(length)
      next.gain *= pow(10, -3 * length / middle) * next.lowError * next.highError
      if next.gain > worst.gain || !next.gain.isFinite { worst = next }
    }
    return worst
  }

  /// The largest error of a response of sums: a factor, infinite for a filter that may be unstable.
  ///
  /// `EffectLimitsTests` calculates the filters of limited rooms with 24 bits: each is stable, and no turn has a gain
  /// of 1.
  private static func error(_ response: Double, _ sum: Double, gain: Double) -> Double {
    guard sum > 2 * sumError else { return .infinity }
    return (response * sum + sumError * max(1, gain * gain)) / (sum - sumError) / response
  }

  /// The error of a small sum: some units of the last bit.
  ///
  /// Large sums bear larger errors.
  private static let sumError = 0x1p-21
}

/// The sums of a shelf's coefficients at 0 Hz, as parts of the first one.
///
/// Robert Bristow-Johnson, "Cookbook formulae for audio equalizer biquad filter coefficients", with a slope of 1.
private struct Shelf {
  let cosine: Double
  let sine: Double

  init(frequency: Double, rate: Double) {
    let angle = 2 * Double.pi * min(frequency / rate, 0.49)
    (cosine, sine) = (cos(angle), sin(angle))
  }

  private init(cosine: Double, sine: Double) { (self.cosine, self.sine) = (cosine, sine) }

  /// The shelf with 0 Hz and half the rate exchanged, which turns a high shelf into a low one.
  var mirrored: Shelf { Shelf(cosine: -cosine, sine: sine) }

  /// The sum of a low shelf.
  func lowSum(gain: Double) -> Double {
    4 * (1 - cosine) / ((gain + 1) + (gain - 1) * cosine + (2 * gain).squareRoot() * sine)
  }

  /// The sum of a high shelf.
  func highSum(gain: Double) -> Double {
    4 * gain * (1 - cosine) / ((gain + 1) - (gain - 1) * cosine + (2 * gain).squareRoot() * sine)
  }
}

extension RoomAcoustics {
  /// The decay time of high frequencies in air, in seconds, if the air limits them.
  func airDecayTime(_ limits: EffectLimits) -> Double? {
    guard limitsHighFrequencyDecay, airAbsorptionGain < .unity else { return nil }
    return -3 / (log10(Double(airAbsorptionGain.rawValue)) * EffectLimits.speedOfSound)
  }
}
