public import Spatial3D

/// The answer of the game to an ``OcclusionRay``: the attenuation of the path from the listener, at 5 kHz.
///
/// ```swift
/// world.castRays(limit: 64) { ray in
///   level.blocks(ray.origin, ray.target) ? .wall(-18) : .clear
/// }
/// ```
public struct OcclusionResult: Hashable, Sendable {
  /// The attenuation of all paths, as `SoundSource.occlusion`.
  ///
  /// Range: -100 to 0 dB. A lower level counts as -100 dB, and silence is -100 dB.
  public var occlusion: Decibels
  /// The attenuation of the direct path, as `SoundSource.obstruction`.
  ///
  /// Range: -100 to 0 dB. A lower level counts as -100 dB, and silence is -100 dB.
  public var obstruction: Decibels

  /// An answer.
  public init(occlusion: Decibels, obstruction: Decibels) {
    (self.occlusion, self.obstruction) = (occlusion, obstruction)
  }

  /// Nothing blocks the path.
  public static let clear = OcclusionResult(occlusion: 0, obstruction: 0)

  /// A wall between two rooms.
  public static func wall(_ level: Decibels) -> OcclusionResult { OcclusionResult(occlusion: level, obstruction: 0) }

  /// A thing in the same room.
  public static func obstacle(_ level: Decibels) -> OcclusionResult {
    OcclusionResult(occlusion: 0, obstruction: level)
  }

  /// The range of both levels, and of each occlusion and obstruction of a world: the range of `SoundSource.occlusion`.
  @inline(__always)
  static var range: ClosedRange<Decibels> { -100...0 }

  /// The levels outside of the range.
  var clamps: [ValueFault] {
    var clamps: [ValueFault] = []
    clamps.add(ValueFault("occlusion", occlusion, in: Self.range))
    clamps.add(ValueFault("obstruction", obstruction, in: Self.range))
    return clamps
  }

  /// Whether both levels are 0 dB or below; silence counts as -100 dB.
  var isUsable: Bool { occlusion.rawValue <= 0 && obstruction.rawValue <= 0 }
}
