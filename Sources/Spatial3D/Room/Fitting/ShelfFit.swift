/// A parametric band out of the two shelves that a reverb has itself, where effects cannot be chained.
///
/// Shelves lower one side of the spectrum and the gain raises all of it, so that a band in the middle can be raised and hardly be
/// lowered.
struct ShelfFit: Equatable, Sendable {
  /// The room with other gains of high and low frequencies; where they begin stays, because the decay depends on it.
  var room: RoomAcoustics
  /// Decibels that all of the reverb is to be raised by.
  var offset: Float
  var accuracy: EqualizerAccuracy

  init(of wanted: ParametricEqualizer, in room: RoomAcoustics, rate: Double) {
    (self.room, offset, accuracy) = (room, 0, .exact)
    guard wanted.gain != 0 else { return }
    let grid = FrequencyGrid(count: 33, including: [Double(wanted.frequency)], rate: rate)
    let shelves = Shelves(room: room, grid: grid, rate: rate)
    let own = (high: room.highGainLevel, low: room.lowGainLevel)
    let target = zip(
      wanted.response(rate: rate).levels(on: grid),
      zip(shelves.high(own.high), shelves.low(own.low))
    ).map { $0 + $1.0 + $1.1 }

    var best = (high: own.high, low: own.low, offset: 0.0, error: Double.infinity)
    for step in [6, 2, 0.5] {
      let center = best
      let steps = (step == 6 ? -6...6 : -3...3).map { Double($0) * step }
      let highs = steps.map { (center.high + $0).clamped(to: Self.levels) }.map { ($0, shelves.high($0)) }
      let lows = steps.map { (center.low + $0).clamped(to: Self.levels) }.map { ($0, shelves.low($0)) }
      for (high, highLevels) in highs {
        for (low, lowLevels) in lows {
          var (least, most) = (Double.infinity, -Double.infinity)
          for index in target.indices {
            let rest = target[index] - highLevels[index] - lowLevels[index]
            (least, most) = (min(least, rest), max(most, rest))
          }
          if (most - least) / 2 < best.error { best = (high, low, (most + least) / 2, (most - least) / 2) }
        }
      }
    }
    self.room.highFrequencyGain = Decibels(rawValue: Float(best.high)).gain
    self.room.lowFrequencyGain = Decibels(rawValue: Float(best.low)).gain
    offset = Float(best.offset)
    let isReached = EqualizerFit.exactFrequencies.contains(wanted.frequency)
    let error = Decibels(rawValue: Float(best.error))
    accuracy = isReached ? .approximate(largestError: error) : .clamped(largestError: error)
  }

  /// What the library's shelves go down to at their own frequency.
  private static let levels = -60.0...0

  private struct Shelves {
    let room: RoomAcoustics
    let grid: FrequencyGrid
    let rate: Double

    /// The library takes the decibels at the shelf's own frequency, which are half of its whole.
    func high(_ level: Double) -> [Double] {
      let frequency = Double(room.highFrequencyReference)
      return Biquad.shelf(.high, frequency: frequency, level: 2 * level, slope: 1, rate: rate).levels(on: grid)
    }

    func low(_ level: Double) -> [Double] {
      let frequency = Double(room.lowFrequencyReference)
      return Biquad.shelf(.low, frequency: frequency, level: 2 * level, slope: 1, rate: rate).levels(on: grid)
    }
  }
}

extension RoomAcoustics {
  fileprivate var highGainLevel: Double { max(Double(Decibels(gain: highFrequencyGain).rawValue), -60) }
  fileprivate var lowGainLevel: Double { max(Double(Decibels(gain: lowFrequencyGain).rawValue), -60) }
}
