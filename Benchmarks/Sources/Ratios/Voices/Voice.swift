import Foundation
import Spatial3D

/// The processing of a voice.
enum Voice {
  case plain
  case hrtf
  case send
  case occluded
  /// A voice whose occlusion was set, and is 0 dB now.
  case clearedOfOcclusion
  case airAbsorption
  /// A voice at a gain of 0.
  case silent
  /// A voice ten kilometres away.
  case far
  case paused
  /// A voice whose sound has the rate of the mix.
  case atMixRate

  /// The reverb send level of a source.
  static let sendLevel: Float = 0.2
  static let occlusion: Decibels = -12

  // The parameters of a C program: equal power of dry and wet; at 5 kHz all of the occlusion, and a quarter of it
  // below.

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
