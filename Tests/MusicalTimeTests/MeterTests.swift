import MusicalTime
import TestSupport
import Testing

@Suite struct MeterTests {
  @Test(arguments: [
    // Position in quarter notes, then the bars and beats of 4/4, 7/8 and 6/8.
    (0.0, (1, 1), (1, 1), (1, 1)),
    (0.5, (1, 1), (1, 2), (1, 2)),
    (3.0, (1, 4), (1, 7), (2, 1)),
    (3.5, (1, 4), (2, 1), (2, 2)),
    (4.0, (2, 1), (2, 2), (2, 3)),
    (42.0, (11, 3), (13, 1), (15, 1)),
    (-0.25, (0, 4), (0, 7), (0, 6)),
    (-3.0, (0, 2), (0, 2), (0, 1)),
    (-3.5, (0, 1), (0, 1), (-1, 6)),
    (-4.0, (0, 1), (-1, 7), (-1, 5)),
  ])
  func `Bars and beats count from 1 in notes of the meter's unit`(
    position: Double,
    common: (Int, Int),
    sevenEighths: (Int, Int),
    sixEighths: (Int, Int)
  ) {
    #expect(Meter(4, 4).barAndBeat(atBeat: position) == common)
    #expect(Meter(7, 8).barAndBeat(atBeat: position) == sevenEighths)
    #expect(Meter(6, 8).barAndBeat(atBeat: position) == sixEighths)
  }

  @Test(arguments: meters)
  func `Bars and beats follow one another without a gap`(meter: Meter) {
    var (bar, beat) = (-99, 1)
    for note in (-100 * meter.beats)..<(100 * meter.beats) {
      let first = Double(note) * 4 / Double(meter.unit)
      for position in [first, first + 0.124, (first + 4 / Double(meter.unit)) - 1e-10] {
        #expect(meter.barAndBeat(atBeat: position) == (bar, beat))
      }
      (bar, beat) = beat == meter.beats ? (bar + 1, 1) : (bar, beat + 1)
    }
  }

  @Test(arguments: meters)
  func `The first moment of a beat has the number of that beat`(meter: Meter) {
    var generator = SplitMix64(seed: 3)
    for _ in 0..<200 {
      let map = randomMap(using: &generator)
      let moment = map.next(.bar, from: randomMoment(using: &generator), in: meter)
      let (bar, beat) = meter.barAndBeat(atBeat: map.beat(at: moment))
      #expect(beat == 1)
      let earlier = map.beat(at: moment - .nanoseconds(1))
      #expect(meter.barAndBeat(atBeat: earlier) == (bar - 1, meter.beats))
    }
  }

  @Test func `Numbers out of range are clamped`() {
    #expect(Meter(0, 4) == Meter(1, 4))
    #expect(Meter(.min, .min) == Meter(1, 1))
    #expect(Meter(.max, .max) == Meter(256, 64))
    var meter = Meter(4, 4)
    meter.beats = -3
    meter.unit = 100
    #expect(meter == Meter(1, 64))
  }

  @Test func `A unit is rounded down to a note`() {
    #expect((0...9).map { Meter(4, $0).unit } == [1, 1, 2, 2, 4, 4, 4, 4, 8, 8])
  }

  @Test(arguments: strangeNumbers)
  func `Every position has a bar and a beat`(position: Double) {
    for meter in meters + [Meter(1, 64), Meter(256, 1)] {
      #expect((1...meter.beats).contains(meter.barAndBeat(atBeat: position).beat))
    }
  }
}
