internal import Glibc
public import Spatial3D

/// The reason why an emitter is silent, or as loud as it is.
public struct Explanation: Hashable, Sendable {
  /// Whether the emitter has a voice.
  public enum Verdict: Hashable, Sendable {
    /// It has a voice.
    case hasVoice
    /// It has no voice, for a reason.
    case silent(SilenceReason)
  }

  /// Whether the emitter has a voice, and why not.
  public internal(set) var verdict: Verdict
  /// The level at the listener now: the sum of the factors, re full scale.
  ///
  /// It is a prediction from the sound's samples, as a root mean square over 20 ms, for the direct path on one
  /// loudspeaker. A stream whose samples are not known counts with -3 dB.
  public internal(set) var level: Decibels
  /// The position among all emitters that play, by their scores: 1 is the first; `nil` for an emitter that does not
  /// play.
  public internal(set) var rank: Int?
  /// The factors of the level.
  ///
  /// The attenuation has the portal from which the sound comes. A portal that is not quite open, the walls and the rays
  /// are factors of their own.
  public internal(set) var factors: [Factor]
  /// The shares that go to reverb zones, beside the direct path: ``Factor/Kind/zone(name:index:)``.
  public internal(set) var sends: [Factor] = []
  /// The settings that have no effect on this emitter, in words.
  public internal(set) var ignored: [String]

  /// The explanation of a thing of another world.
  static let ofStranger = Explanation(
    verdict: .silent(.notPlaying),
    level: .silence,
    rank: nil,
    factors: [],
    ignored: []
  )
}

extension Explanation: CustomStringConvertible {
  /// A sentence, and the list of the factors.
  public var description: String {
    var sentence: String
    switch verdict {
    case .hasVoice: sentence = "Has a voice: \(level.rounded)"
    case .silent(let reason):
      sentence = "Silent: \(reason)"
      if level.rawValue.isFinite { sentence += ", \(level.rounded)" }
    }
    if let rank { sentence += ", rank \(rank)" }
    let list = factors.filter { $0.level != 0 }.map(\.description)
    if !list.isEmpty { sentence += "\n  " + list.joined(separator: " · ") }
    if !sends.isEmpty {
      sentence += "\n  sends: " + sends.map(\.description).joined(separator: " · ")
    }
    if !ignored.isEmpty { sentence += "\n  without effect: " + ignored.joined(separator: ", ") }
    return sentence
  }
}

extension Decibels {
  /// The level in words, to a tenth.
  var rounded: String {
    guard rawValue.isFinite else { return "silence" }
    return "\(Decibels((rawValue * 10).rounded() / 10))"
  }
}
