internal import Spatial3D

/// The importance of an emitter in the choice of the voices, from 0 to 100.
///
/// Each step counts as 0.6 dB of loudness: an emitter of priority 99 is chosen like an emitter of priority 50 that is
/// 29.4 dB louder, and 100 is ``mustBeHeard``. An integer literal is a priority.
public struct Priority: Hashable, Sendable {
  /// The value, from 0 to 100.
  public let rawValue: UInt8

  /// A priority of a number.
  ///
  /// Range: 0 to 100, clamped. No diagnostic reports that, because a priority is made without a world.
  public init(_ value: Int) { rawValue = UInt8(min(max(value, 0), 100)) }

  /// The usual priority: 50.
  public static let normal: Priority = 50

  /// The priority of a sound that has a voice before all others: 100.
  ///
  /// It has a voice at each loudness above the threshold of hearing. With more of them than voices, the loudest have
  /// one, and `AudioContext.onDiagnostic` reports it once.
  public static let mustBeHeard: Priority = 100

  /// The level that the priority adds to the score of an emitter.
  ///
  /// Chosen: the range of priorities is -30 to 30 dB. The most important sound comes before a sound of the least
  /// importance that is 60 dB louder, as speech before an explosion.
  var level: Decibels { Decibels(0.6 * (Float(rawValue) - 50)) }

  /// The level as a gain; the gain of ``mustBeHeard`` is above each product of other factors.
  var factor: Float { Self.factors[Int(rawValue)] }

  private static let factors: [Float] = (0...100).map { Priority($0).level.factor * ($0 == 100 ? 1e12 : 1) }
}

extension Priority: ExpressibleByIntegerLiteral {
  /// A priority of a number, clamped to 0 to 100.
  public init(integerLiteral value: Int) { self.init(value) }
}

extension Priority: Comparable {
  /// Whether a priority is below another.
  public static func < (left: Priority, right: Priority) -> Bool { left.rawValue < right.rawValue }
}
