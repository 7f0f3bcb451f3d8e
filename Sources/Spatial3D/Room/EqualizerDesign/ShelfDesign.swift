/// A fit of a parametric band with the two shelves of a reverb, for libraries that cannot chain effects.
///
/// Shelves lower one side of the spectrum and the gain raises all of it. Wide bands can be raised, but narrow bands in
/// the middle can be neither raised nor lowered. The fit minimises the squared error over octaves. The least maximum
/// error would give half of a narrow band's gain to all frequencies.
struct ShelfDesign: Equatable, Sendable {
  /// The room with new gains of high and low frequencies; their references stay, because the decay depends on them.
  var room: RoomAcoustics
  /// The offset in decibels for all of the reverb.
  var offset: Float
  var accuracy: EqualizerAccuracy

  init(of wanted: ParametricEqualizer, in room: RoomAcoustics, rate: Double) {
    (self.room, offset, accuracy) = (room, 0, .exact)
    guard wanted.level != 0 else { return }
    // The grid is even in octaves, and a band has the weight of its width.
    let even = FrequencyGrid(count: 161, rate: rate)
    let shelves = Shelves(room: room, grid: even, rate: rate)
    let own = (high: room.highGainLevel, low: room.lowGainLevel)
    let wantedLevels = wanted.response(rate: rate).levels(on: even)
    let target = zip(wantedLevels, zip(shelves.high(own.high), shelves.low(own.low))).map { $0 + $1.0 + $1.1 }

    // The fit has to be better than no change.
    var best = (high: own.high, low: own.low, offset: 0.0, error: wantedLevels.reduce(0) { $0 + $1 * $1 })
    for step in [6, 2, 0.5] {
      let center = best
      let steps = (step == 6 ? -6...6 : -3...3).map { Double($0) * step }
      let highs = steps.map { (center.high + $0).clamped(to: Self.levels) }.map { ($0, shelves.high($0)) }
      let lows = steps.map { (center.low + $0).clamped(to: Self.levels) }.map { ($0, shelves.low($0)) }
      for (high, highLevels) in highs {
        for (low, lowLevels) in lows {
          var (sum, squares) = (0.0, 0.0)
          for index in target.indices {
            let rest = target[index] - highLevels[index] - lowLevels[index]
            sum += rest
            squares += rest * rest
          }
          let offset = sum / Double(target.count)
          let error = squares - sum * offset
          if error < best.error { best = (high, low, offset, error) }
        }
      }
    }
    self.room.highFrequencyGain = .decibels(Decibels(Float(best.high)))
    self.room.lowFrequencyGain = .decibels(Decibels(Float(best.low)))
    offset = Float(best.offset)

    let dense = FrequencyGrid(count: 161, including: wanted.landmarks(8), rate: rate)
    let made = Shelves(room: room, grid: dense, rate: rate)
    let (before, after) = (zip(made.high(own.high), made.low(own.low)), zip(made.high(best.high), made.low(best.low)))
    var largest = 0.0
    for (level, (old, new)) in zip(wanted.response(rate: rate).levels(on: dense), zip(before, after)) {
      largest = max(largest, abs(level + old.0 + old.1 - new.0 - new.1 - best.offset))
    }
    let isReached = EqualizerDesign.reaches(wanted.frequency, rate: rate)
    let error = Decibels(Float(largest))
    accuracy = isReached ? .approximate(largestError: error) : .clamped(largestError: error)
  }

  /// The range of the library's shelves at their own frequency.
  private static let levels = -60.0...0

  private struct Shelves {
    let room: RoomAcoustics
    let grid: FrequencyGrid
    let rate: Double

    func high(_ level: Double) -> [Double] { levels(of: .high, room.highFrequencyReference, level) }

    func low(_ level: Double) -> [Double] { levels(of: .low, room.lowFrequencyReference, level) }

    /// The library takes the decibels at the shelf's own frequency, half of its full level.
    private func levels(of side: Biquad.Side, _ frequency: Float, _ level: Double) -> [Double] {
      Biquad.shelf(side, frequency: Double(frequency), level: 2 * level, slope: 1, rate: rate).levels(on: grid)
    }
  }
}

extension RoomAcoustics {
  fileprivate var highGainLevel: Double { max(Double(highFrequencyGain.decibels.rawValue), -60) }
  fileprivate var lowGainLevel: Double { max(Double(lowFrequencyGain.decibels.rawValue), -60) }
}
