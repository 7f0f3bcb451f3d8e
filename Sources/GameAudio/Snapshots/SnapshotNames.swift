internal import Spatial3D

/// The values of emitter lines that are no numbers, each kept once for a recording.
struct SnapshotNames: Sendable {
  /// The names of sounds, buses and zones.
  var texts = Numbered<String>()
  /// The reasons for silence without a number of their own.
  var reasons = Numbered<SilenceReason>()
  var rareValues = Numbered<RareValues>()

  /// The settings that few emitters have.
  struct RareValues: Hashable, Sendable {
    var cone: Cone?
    var radius: Float?
    var obstruction: Decibels?
    var sends: [Gain]?
    var leader: Int?
  }
}
