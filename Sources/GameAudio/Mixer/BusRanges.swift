internal import Spatial3D

// The ranges of the settings of a bus, and the values outside of them.

extension BusRecord {
  /// The range of the gain.
  ///
  /// Chosen: the gains of buses multiply, and a bus inside of another bus reaches the mixer's own limit of 24 dB.
  @inline(__always)
  static var gainRange: ClosedRange<Gain> { Gain(0)...Gain(3.981072) }
  /// The range of the pitch.
  ///
  /// Chosen: two octaves down and up. The pitches of buses multiply with the pitch of each emitter.
  @inline(__always)
  static var pitchRange: ClosedRange<Float> { 0.25...4 }
  /// The range of the levels of the filter: the library's own filter ends at -60 dB.
  static let filterRange: ClosedRange<Decibels> = -60...0
}

extension ToneFilter {
  /// The nearest filter that a bus takes; `nil` for a filter with a level that is NaN.
  var busFilter: ToneFilter? {
    guard !low.rawValue.isNaN, !high.rawValue.isNaN else { return nil }
    return ToneFilter(low: BusRecord.filterRange.nearest(to: low), high: BusRecord.filterRange.nearest(to: high))
  }

  /// The levels outside of the range of a bus.
  var busClamps: [ValueFault] {
    var clamps: [ValueFault] = []
    clamps.add(ValueFault("filter.low", low, in: BusRecord.filterRange))
    clamps.add(ValueFault("filter.high", high, in: BusRecord.filterRange))
    return clamps
  }
}

extension MixSnapshot.Line {
  init(_ record: BusRecord) {
    self.init(
      gain: Gain(record.gain),
      low: record.filter.low,
      high: record.filter.high,
      pitch: record.pitch,
      inserts: record.inserts
    )
  }

  /// The values to fade to; those that no bus takes are left out.
  var amounts: [(BusFade.Value, BusFade.Amount)] {
    var amounts: [(BusFade.Value, BusFade.Amount)] = []
    if gain.isUsable {
      let gain = BusRecord.gainRange.nearest(to: gain)
      amounts.append((.gain, .gain(gain > .decibels(Self.silence) ? gain : .silence)))
    }
    if let filter = ToneFilter(low: low, high: high).busFilter {
      amounts += [(.low, .level(filter.low)), (.high, .level(filter.high))]
    }
    if pitch.isFinite { amounts.append((.pitch, .gain(Gain(BusRecord.pitchRange.nearest(to: pitch))))) }
    return amounts
  }

  /// The values that a bus does not take as they are.
  var faults: [ValueFault] {
    var faults: [ValueFault] = []
    faults.add(
      gain.isUsable ? ValueFault("gain", gain, in: BusRecord.gainRange) : ValueFault(unusable: "gain", .gain(gain))
    )
    let filter = ToneFilter(low: low, high: high)
    if filter.busFilter == nil {
      faults.append(ValueFault(unusable: "filter", .filter(filter)))
    } else {
      faults += filter.busClamps
    }
    faults.add(
      pitch.isFinite
        ? ValueFault("pitch", pitch, in: BusRecord.pitchRange) : ValueFault(unusable: "pitch", .float(pitch))
    )
    return faults
  }
}
