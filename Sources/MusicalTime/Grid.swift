/// Equally spaced lines in music, at which a change or a start waits to happen.
///
/// One of the lines is the position 0, and they go on before it. The beats of a grid are the beats of the ``Meter``
/// that it is used with: eighth notes in 7/8.
public enum Grid: Hashable, Sendable {
  /// Each beat of the meter.
  case beat

  /// The first beat of each bar.
  case bar

  /// The first beat of every n-th bar, from bar 1; a number below 1 is 1.
  case bars(Int)

  /// Every x-th beat of the meter: `.beats(0.5)` is each half beat.
  ///
  /// The number is at least 0.001, and the distance at most 10⁸ quarter notes. Zero, a negative number and a value that
  /// is not a number are 1. The distance is rounded as a position of a ``TempoMap`` is, so `.beats(1.0 / 3)` meets each
  /// beat exactly.
  case beats(Double)

  /// The distance between two lines in a meter, above 0.
  func spacing(in meter: Meter) -> Int128 {
    switch self {
    case .beat: meter.pulsesPerBeat
    case .bar: meter.pulsesPerBar
    case .bars(let count): Int128(max(count, 1)) * meter.pulsesPerBar
    case .beats(let count) where count > 0: Pulses.nearest(toBeat: max(count, 0.001) * 4 / Double(meter.unit))
    case .beats: meter.pulsesPerBeat
    }
  }
}
