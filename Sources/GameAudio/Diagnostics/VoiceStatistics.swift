public import Spatial3D

/// The numbers of emitters with and without a voice.
public struct VoiceStatistics: Hashable, Sendable {
  /// The emitters that have a voice.
  public internal(set) var real = 0
  /// The emitters that play without a voice, the ``inaudible`` emitters included.
  public internal(set) var virtual = 0
  /// The virtual emitters that would have none even if one were free: they are below -80 dB at the listener.
  public internal(set) var inaudible = 0
  /// The emitters whose sound is being loaded, those whose start lies ahead, and those that a limit keeps virtual.
  public internal(set) var waiting = 0
  /// The paused emitters.
  public internal(set) var paused = 0
  /// The number of voices that emitters have lost to others since the world began.
  public internal(set) var stolen = 0
  /// The number of voices that emitters have got since the world began.
  public internal(set) var promoted = 0
  /// The voices that filter their sound: each costs the mixer about three times a plain one.
  public internal(set) var filtered = 0
  /// The level at the listener of all virtual emitters together, if their sounds are unrelated.
  public internal(set) var virtualLevel: Decibels = .silence
}

extension VoiceStatistics: CustomStringConvertible {
  /// The numbers in words, such as `64 real, 9936 virtual (7120 inaudible), -38.2 dB left out`.
  public var description: String {
    var words = "\(real) real, \(virtual) virtual (\(inaudible) inaudible)"
    if waiting > 0 { words += ", \(waiting) waiting" }
    if paused > 0 { words += ", \(paused) paused" }
    if virtual > 0, virtualLevel > .silence {
      words += ", \(Decibels((virtualLevel.rawValue * 10).rounded() / 10)) left out"
    }
    return words
  }
}
