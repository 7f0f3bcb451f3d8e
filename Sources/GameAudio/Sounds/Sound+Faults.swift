internal import Spatial3D

// The settings of a sound that an emitter does not take as they are. A sound has no world: each world that plays it
// reports them.

extension Sound {
  /// The settings that an emitter does not take as they are.
  var faults: [ValueFault] {
    var faults: [ValueFault] = []
    faults.add(ValueFault("pitchVariation.lowerBound", pitchVariation.lowerBound, in: -48...48))
    faults.add(ValueFault("pitchVariation.upperBound", pitchVariation.upperBound, in: -48...48))
    if levelVariation.lowerBound.rawValue.isNaN || levelVariation.upperBound.rawValue.isNaN {
      faults.append(
        ValueFault(unusable: "levelVariation", .levels(levelVariation), .other("NaN counts as the other end"))
      )
    }
    faults.add(ValueFault("levelVariation.lowerBound", levelVariation.lowerBound, in: -96...24))
    faults.add(ValueFault("levelVariation.upperBound", levelVariation.upperBound, in: -96...24))
    faults += attenuation.faults
    if let silentBeyond, !(silentBeyond > 0) {
      faults.append(ValueFault(unusable: "silentBeyond", .float(silentBeyond), .other("it has no effect")))
    }
    if let limit { faults += limit.clamps }
    faults += choice.faults(among: variations.count)
    return faults
  }
}

extension Sound.Choice {
  /// The numbers that a choice among some variations does not take as they are.
  fileprivate func faults(among count: Int) -> [ValueFault] {
    var faults: [ValueFault] = []
    switch self {
    case .sequence: break
    case .random(let avoided):
      // One variation leaves no choice: the default avoids it, which is no fault.
      if count > 1 || avoided < 0 { faults.add(ValueFault("choice.avoidingLast", avoided, in: 0...count - 1)) }
    case .weighted(let weights):
      for (index, weight) in weights.enumerated() where !(weight >= 0 && weight.isFinite) {
        let property = "choice.weighted[\(index)]"
        if weight.isFinite {
          faults.add(ValueFault(property, weight, in: 0...))
        } else {
          faults.append(ValueFault(unusable: property, .float(weight), .other("0 is used")))
        }
      }
      faults.add(ValueFault("choice.weighted.count", weights.count, in: 0...count))
    }
    return faults
  }
}

extension DistanceAttenuation {
  /// The numbers that a source does not take as they are; an infinite maximum distance is no limit.
  fileprivate var faults: [ValueFault] {
    var faults: [ValueFault] = []
    func check(_ property: String, _ value: Float, in range: ClosedRange<Float>, otherwise sentence: String) {
      if value.isNaN {
        faults.append(ValueFault(unusable: property, .float(value), .other(sentence)))
      } else {
        faults.add(ValueFault(property, value, in: range))
      }
    }
    check("attenuation.referenceDistance", referenceDistance, in: 0...1e9, otherwise: "1.0 is used")
    check("attenuation.maximumDistance", maximumDistance, in: 0 ... .infinity, otherwise: "no limit is used")
    check("attenuation.rolloffFactor", rolloffFactor, in: 0...1e9, otherwise: "1.0 is used")
    return faults
  }
}

// MARK: - Usable values

extension DistanceAttenuation {
  /// The law with the values that a source would take; the default instead of a value that is NaN.
  var usable: DistanceAttenuation {
    func part(_ value: Float, _ standard: Float) -> Float { value.isNaN ? standard : min(max(value, 0), 1e9) }
    return DistanceAttenuation(
      referenceDistance: part(referenceDistance, 1),
      maximumDistance: maximumDistance.isNaN
        ? .greatestFiniteMagnitude : min(max(maximumDistance, 0), .greatestFiniteMagnitude),
      rolloffFactor: part(rolloffFactor, 1),
      model: model
    )
  }
}

extension ClosedRange<Decibels> {
  /// The ends within -96 and 24 dB.
  ///
  /// An end of the range may be NaN: the comparison of `Decibels` accepts each order of NaN and another level.
  var usable: ClosedRange<Decibels> {
    let (lower, upper) = (lowerBound.rawValue, upperBound.rawValue)
    let first = lower.isNaN ? upper.isNaN ? 0 : upper : lower
    let last = upper.isNaN ? first : upper
    return Decibels(first.within(-96, 24))...Decibels(last.within(-96, 24))
  }
}

extension Float {
  func within(_ least: Float, _ most: Float) -> Float { Swift.min(Swift.max(self, least), most) }
}
