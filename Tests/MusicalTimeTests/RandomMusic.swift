import MusicalTime
import TestSupport

/// Meters with beats of different lengths.
let meters = [Meter(4, 4), Meter(3, 4), Meter(7, 8), Meter(6, 8), Meter(5, 16), Meter(2, 2)]

/// Values that no position and no tempo should have.
let strangeNumbers: [Double] = [
  .nan, .infinity, -.infinity, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
  -.leastNonzeroMagnitude, 0, -0.0, -1, 1e8, -1e8, 1e8.nextUp, 1e9, 1e18, -1e300,
]

/// Moments in which a conversion to other units could overflow.
let strangeMoments: [Duration] = [
  .zero, Duration(attoseconds: 1), Duration(attoseconds: -1), .seconds(6_000_000_000), .seconds(-6_000_000_000),
  .seconds(Int64.max), .seconds(Int64.min), Duration(attoseconds: .max), Duration(attoseconds: .min),
]

/// A map of up to eight tempos, some of which start at a beat and some at a moment, in any order.
func randomMap(using generator: inout SplitMix64) -> TempoMap {
  func tempo() -> Tempo { Tempo(Double.random(in: 20...400, using: &generator)) }
  var map = TempoMap(tempo())
  for _ in 0..<Int.random(in: 0...7, using: &generator) {
    if Bool.random(using: &generator) {
      map.setTempo(tempo(), atBeat: Double.random(in: 0...8_000, using: &generator))
    } else {
      map.setTempo(tempo(), at: randomMoment(using: &generator))
    }
  }
  return map
}

/// A moment up to an hour after zero or ten minutes before it, of any attosecond.
func randomMoment(using generator: inout SplitMix64) -> Duration {
  Duration(
    secondsComponent: Int64.random(in: -600...3_600, using: &generator),
    attosecondsComponent: Int64.random(in: 0..<1_000_000_000_000_000_000, using: &generator)
  )
}

/// The frame at 48 kHz that is nearest to a moment.
func frame(at moment: Duration) -> Int128 {
  let second: Int128 = 1_000_000_000_000_000_000
  return (moment.attoseconds * 48_000 + second / 2) / second
}
