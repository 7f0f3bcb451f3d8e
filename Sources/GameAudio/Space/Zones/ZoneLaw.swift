internal import Glibc

/// The levels of the two zones that sound at a listener.
///
/// Pure: no call and no lock.
enum ZoneLaw {
  /// The weight by which a zone that does not sound must exceed a zone that does.
  ///
  /// Chosen: a listener at the middle between two zones does not make the units alternate.
  static let hysteresis: Float = 0.1

  /// The two strongest zones, if there are so many, and their gains.
  struct Pair: Equatable, Sendable {
    var first: ZoneIndex?
    /// It exists only beside a first zone.
    var second: ZoneIndex?
    var firstGain: Float = 0
    var secondGain: Float = 0
    /// The parts of the gains that the sounds of each listener get.
    var firstShares = SIMD4<Float>(repeating: 1)
    var secondShares = SIMD4<Float>(repeating: 1)

    /// The gain of a zone; 0 for a zone outside of the pair.
    func gain(of zone: ZoneIndex) -> Float { zone == first ? firstGain : zone == second ? secondGain : 0 }

    /// The parts of the gain of a zone of the pair that the sounds of each listener get.
    func shares(of zone: ZoneIndex?) -> SIMD4<Float> { zone == first ? firstShares : secondShares }

    /// Applies the weights of the two zones at several listeners.
    ///
    /// Each listener has the gains that it has alone. A zone has the largest of its gains, and the sounds of a listener
    /// their part of it.
    mutating func adopt(_ firstWeights: SIMD4<Float>, _ secondWeights: SIMD4<Float>) {
      var (firstGains, secondGains) = (SIMD4<Float>.zero, SIMD4<Float>.zero)
      for index in 0..<4 {
        (firstGains[index], secondGains[index]) = ZoneLaw.gains(firstWeights[index], secondWeights[index])
      }
      (firstGain, secondGain) = (firstGains.max(), secondGains.max())
      if firstGain > 0 { firstShares = firstGains / firstGain }
      if secondGain > 0 { secondShares = secondGains / secondGain }
    }
  }

  /// Chooses the two zones with the largest weights, the larger one first.
  ///
  /// - Parameters:
  ///   - weights: The weight of each zone, 0 to 1.
  ///   - sounds: Whether a zone sounds already.
  /// - Returns: The zones and their gains.
  static func choose(weights: [Float], sounds: (ZoneIndex) -> Bool) -> Pair {
    func best(except other: ZoneIndex?) -> ZoneIndex? {
      var best: ZoneIndex?
      var bestWeight: Float = 0
      for position in weights.indices where weights[position] > 0 {
        let zone = ZoneIndex(position)
        guard zone != other else { continue }
        let weight = weights[position] + (sounds(zone) ? hysteresis : 0)
        if best == nil || weight > bestWeight { (best, bestWeight) = (zone, weight) }
      }
      return best
    }
    guard let first = best(except: nil) else { return Pair() }
    let firstWeight = weights[first.position]
    guard let second = best(except: first) else {
      return Pair(first: first, firstGain: gains(firstWeight, 0).0)
    }
    let secondWeight = weights[second.position]
    let isSwapped = secondWeight > firstWeight
    let both = isSwapped ? gains(secondWeight, firstWeight) : gains(firstWeight, secondWeight)
    return Pair(
      first: isSwapped ? second : first,
      second: isSwapped ? first : second,
      firstGain: both.0,
      secondGain: both.1
    )
  }

  /// The gains of two weights, of equal power: their squares add up to the sum of the weights, 1 at most.
  static func gains(_ first: Float, _ second: Float) -> (Float, Float) {
    let sum = first + second
    guard sum > 0 else { return (0, 0) }
    let whole = min(sum, 1)
    return ((whole * first / sum).squareRoot(), (whole * second / sum).squareRoot())
  }

  /// The factor of an emitter's send to a zone that sounds with a gain: with the emitter inside of it, the send has
  /// half of the decibels of the gain, down to -40 dB.
  static func sendFactor(at gain: Float, weightAtEmitter: Float) -> Float {
    guard gain < 1, weightAtEmitter > 0 else { return 1 }
    return pow(max(gain, least), -weightAtEmitter / 2)
  }

  /// The gain below which the law of the sends is linear: -40 dB.
  ///
  /// Chosen: the factor of a send would grow without a limit below, where the direct sound hides the reverb.
  static let least: Float = 0.01

  /// Whether a gain has moved by at least 0.25 dB, or has begun or ended.
  ///
  /// Chosen: a quarter of the difference that listeners notice; a smaller step is one more call for each voice.
  static func isMoved(_ gain: Float, from old: Float) -> Bool {
    guard gain > 0, old > 0 else { return gain != old }
    let ratio = gain / old
    return ratio >= 1.0292 || ratio <= 0.9716
  }
}
