internal import Glibc

/// A glide from one gain to another: its duration and its curve.
///
/// ```swift
/// let fade = Fade(.seconds(2), .equalPower)
/// let start = context.clock
/// let ticks = context.onTick(every: 512) { [weak music] time in
///   music?.gain = fade.gain(from: 1, to: 0.1, after: time - start)
/// }
/// ```
public struct Fade: Hashable, Sendable {
  /// The path between the two gains.
  public enum Curve: String, Hashable, Sendable, CaseIterable, Codable {
    /// Straight in decibels: as fast at each level, to the ear.
    ///
    /// Silence counts as -60 dB, and the last step goes there.
    case decibels
    /// Straight in the factor, as most other engines fade. The end of a fade-out is abrupt to the ear.
    case linear
    /// Straight in the power, by a quarter of a sine: two sounds that cross keep their power together.
    case equalPower
    /// Slow at both ends, in decibels.
    ///
    /// Silence counts as -60 dB, as in ``decibels``.
    case easeInOut
  }

  /// The time from the first gain to the last.
  ///
  /// Range: 0 and up. A shorter fade counts as 0, and clicks: the object that takes the fade reports that once.
  public var duration: Duration

  /// The path between the two gains; ``Curve/decibels`` by default.
  public var curve: Curve

  /// A fade over a duration.
  public init(_ duration: Duration, _ curve: Curve = .decibels) {
    self.duration = duration
    self.curve = curve
  }

  /// A fade of 10 ms, the shortest that does not click.
  public static let declick = Fade(.milliseconds(10))

  /// No fade: the last gain is in force at once.
  public static let none = Fade(.zero)

  /// The gain at a time after the beginning of the fade.
  ///
  /// It lies between the two gains, and never turns back. Before the beginning it is the first, after the end the last
  /// gain. A gain that is negative or not a number counts as silence, and one above 10¹⁰ as 10¹⁰.
  public func gain(from first: Gain, to last: Gain, after time: Duration) -> Gain {
    let (first, last) = (first.forFade, last.forFade)
    guard time < duration else { return last }
    guard time > .zero, first != last else { return first }
    let part = Float(time / duration)
    switch curve {
    case .decibels, .easeInOut:
      let gain = Gain.decibels(Self.straight(from: first.decibels, to: last.decibels, at: eased(part)))
      // The conversions round, and must not leave the range.
      return min(max(gain, min(first, last)), max(first, last))
    case .linear: return Gain(Self.mean(first.rawValue, last.rawValue, part))
    case .equalPower:
      let sine = sin(Float.pi / 2 * part)
      let power = Self.mean((first * first).rawValue, (last * last).rawValue, sine * sine)
      return Gain(power.squareRoot())
    }
  }

  /// The level of a filter at a time after the beginning of the fade, along the curve of a gain, with exact ends.
  func level(from first: Decibels, to last: Decibels, after time: Duration) -> Decibels {
    guard time < duration else { return last }
    guard time > .zero, first != last else { return first }
    switch curve {
    case .decibels, .easeInOut: return Self.straight(from: first, to: last, at: eased(Float(time / duration)))
    case .linear, .equalPower: return gain(from: .decibels(first), to: .decibels(last), after: time).decibels
    }
  }

  private func eased(_ part: Float) -> Float { curve == .easeInOut ? part * part * (3 - 2 * part) : part }

  /// The lowest level of a fade to or from silence.
  ///
  /// Chosen: most listeners do not notice the step from 60 dB below the level of a scene to silence, and a lower floor
  /// makes a fade seem to end early.
  private static let floor: Decibels = -60

  /// The level at a part of the fade, straight in decibels.
  ///
  /// A level below the floor counts as the floor during the fade, unless both levels are below it: the step lies at its
  /// end of the fade.
  private static func straight(from first: Decibels, to last: Decibels, at part: Float) -> Decibels {
    guard first > floor || last > floor else { return part < 1 ? max(first, last) : last }
    return Decibels(mean(max(first, floor).rawValue, max(last, floor).rawValue, part))
  }

  private static func mean(_ first: Float, _ last: Float, _ part: Float) -> Float { first + (last - first) * part }
}

extension Gain {
  /// The gain within the range whose square is a finite number.
  fileprivate var forFade: Gain { rawValue > 0 ? min(self, Gain(1e10)) : .silence }
}
