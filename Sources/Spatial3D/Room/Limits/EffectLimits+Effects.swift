import Glibc

extension EffectLimits {
  /// A value of an effect that differs from the set value.
  struct Change: Equatable, Sendable {
    let property: String
    let asked: Float
    let used: Float
    let unit: String
  }

  /// An effect with the nearest values that the library computes with, and the differences; a reverb stays unchanged.
  func limited(_ effect: Effect) -> (effect: Effect, changes: [Change]) {
    var changes: [Change] = []
    func report(_ property: String, _ asked: Float, _ used: Float, _ unit: String = " Hz") {
      if used != asked { changes.append(Change(property: property, asked: asked, used: used, unit: unit)) }
    }
    switch effect {
    case .distortion(let asked):
      let used = limited(asked)
      report("lowPassCutoff of a distortion", asked.lowPassCutoff, used.lowPassCutoff)
      report("center of a distortion", asked.center, used.center)
      report("bandwidth of a distortion", asked.bandwidth, used.bandwidth)
      return (.distortion(used), changes)
    case .equalizer(let asked):
      let used = limited(asked)
      report("center of an equalizer's band1", asked.band1.center, used.band1.center)
      report("center of an equalizer's band2", asked.band2.center, used.band2.center)
      report("cutoff of an equalizer's high shelf", asked.high.cutoff, used.high.cutoff)
      report("level of an equalizer's high shelf", asked.high.level.rawValue, used.high.level.rawValue, " dB")
      return (.equalizer(used), changes)
    case .reverb, .echo, .chorus, .flanger, .compressor, .pitchShifter, .frequencyShifter, .ringModulator:
      return (effect, [])
    }
  }

  /// The library distorts at four times the rate, and takes a bandwidth of 0.67 times the center for an octave.
  private func limited(_ asked: Effect.Distortion) -> Effect.Distortion {
    var used = asked
    let distortionRate = 4 * rate
    let highest = Float(0.47 * distortionRate)
    used.lowPassCutoff = min(asked.lowPassCutoff, highest)
    used.center = min(asked.center, highest)
    // The hyperbolic sine of this is a factor of the filter's width. It leaves the range of a `Float` at 89; from 12
    // on, the filter passes all that is audible.
    let angle = 2 * Double.pi * Double(used.center) / distortionRate
    let widest = 80 / (log(2) / 2 * angle / sin(angle)) * 0.67 * Double(used.center)
    used.bandwidth = min(asked.bandwidth, Float(widest))
    return used
  }

  func limited(_ asked: Effect.Equalizer) -> Effect.Equalizer {
    var used = asked
    used.band1.center = min(asked.band1.center, Float(highestPeak))
    used.band2.center = min(asked.band2.center, Float(highestPeak))
    guard !clampsFrequencies, Double(asked.high.cutoff) > highestShelf else { return used }
    if highestShelf >= Double(Effect.Equalizer.highCutoffs.lowerBound) {
      used.high.cutoff = Float(highestShelf)
    } else {
      // The shelf has no effect below half the rate.
      used.high.level = 0
    }
    return used
  }
}
