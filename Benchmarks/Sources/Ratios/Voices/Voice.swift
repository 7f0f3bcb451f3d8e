import Foundation
import Spatial3D

/// What a voice goes through on its way to the listener.
enum Voice {
  case plain
  case hrtf
  case send
  case occluded
  /// One that was occluded, and is so by 0 dB now.
  case clearedOfOcclusion

  /// How much of a source is heard in the room.
  static let sendLevel: Float = 0.2
  static let occlusion: Decibels = -12

  // The same as a C program has to put it: equal power of dry and wet; at 5 kHz all of the occlusion, and a quarter of it below.

  var wetGain: Float { self == .send ? sin(Self.sendLevel * .pi / 2) : 0 }

  var directGain: Float {
    switch self {
    case .send: cos(Self.sendLevel * .pi / 2)
    case .occluded: pow(10, Self.occlusion.rawValue / 4 / 20)
    default: 1
    }
  }

  var directHighGain: Float { self == .occluded ? pow(10, Self.occlusion.rawValue * 3 / 4 / 20) : 1 }
}
