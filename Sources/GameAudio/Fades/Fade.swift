internal import Glibc

/// A glide from one level to another: its duration and its curve.
///
/// ```swift
/// let fade = Fade(.seconds(2), .equalPower)
/// let start = context.clock
/// let ticks = context.onTick(every: 512) { [weak music] time in
///   let level = fade.level(from: 0, to: -20, after: time - start)
///   music?.gain = level.gain
/// }
/// ```
public struct Fade: Hashable, Sendable {
  /// The path between the two levels.
  public enum Curve: String, Hashable, Sendable, CaseIterable, Codable {
    /// Straight in decibels: as fast at each level, to the ear.
    ///
    /// Silence counts as -60 dB, and the last step goes there.
    case decibels
    /// Straight in the gain, as most other engines fade. The end of a fade-out is abrupt to the ear.
    case linear
    /// Straight in the power, by a quarter of a sine: two sounds that cross keep their power together.
    case equalPower
    /// Slow at both ends, in decibels.
    ///
    /// Silence counts as -60 dB, as in ``decibels``.
    case easeInOut
  }

  /// The time from the first level to the last; below zero it counts as zero.
  public var duration: Duration

  /// The path between the two levels; ``Curve/decibels`` by default.
  public var curve: Curve

  /// A fade over a duration.
  public init(_ duration: Duration, _ curve: Curve = .decibels) {
    self.duration = duration
    self.curve = curve
  }

  /// A fade of 10 ms, the shortest that does not click.
  public static let declick = Fade(.milliseconds(10))

  /// No fade: the last level is in force at once.
  public static let none = Fade(.zero)

  /// The level at a time after the beginning of the fade.
  ///
  /// It lies between the two levels, and never turns back. Before the beginning it is the first, after the end the last
  /// level. A level that is no number counts as silence, and one above 200 dB as 200 dB.
  public func level(from first: Decibels, to last: Decibels, after time: Duration) -> Decibels {
    let (first, last) = (first.usable, last.usable)
    guard time < duration else { return last }
    guard time > .zero, first != last else { return first }
    let part = Float(time / duration)
    switch curve {
    case .decibels: return Self.straight(from: first, to: last, at: part)
    case .easeInOut: return Self.straight(from: first, to: last, at: part * part * (3 - 2 * part))
    case .linear: return Decibels(gain: Self.mean(first.gain, last.gain, part))
    case .equalPower:
      let sine = sin(Float.pi / 2 * part)
      let power = Self.mean(first.gain * first.gain, last.gain * last.gain, sine * sine)
      return Decibels(gain: power.squareRoot())
    }
  }

  /// The lowest level on the way to or from silence.
  private static let floor: Decibels = -60

  /// The level at a part of the way, straight in decibels.
  ///
  /// A level below the floor counts as the floor on the way, unless both are: the step lies at its end of the fade.
  private static func straight(from first: Decibels, to last: Decibels, at part: Float) -> Decibels {
    guard first > floor || last > floor else { return part < 1 ? max(first, last) : last }
    return Decibels(mean(max(first, floor).rawValue, max(last, floor).rawValue, part))
  }

  private static func mean(_ first: Float, _ last: Float, _ part: Float) -> Float { first + (last - first) * part }
}

extension Decibels {
  /// The level within the range whose squared gain is a finite number.
  fileprivate var usable: Decibels { rawValue.isNaN ? .silence : min(self, 200) }
}
