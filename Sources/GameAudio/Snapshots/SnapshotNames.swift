internal import Spatial3D

/// The values of emitter lines that are no numbers, each kept once for a recording.
struct SnapshotNames: Sendable {
  /// The names of sounds, buses and zones.
  var texts = Numbered<String>()
  /// The reasons for silence without a number of their own.
  var reasons = Numbered<SilenceReason>()
  var rareValues = Numbered<RareValues>()

  /// Forgets the numbers of rare values that the last snapshot does not have: a value that changes with each snapshot
  /// would otherwise enlarge the table of known values, too.
  mutating func beginSnapshot() { rareValues.forgetUnused() }

  /// Releases the memory that only further snapshots need.
  mutating func forgetNumbers() {
    texts.forgetNumbers()
    reasons.forgetNumbers()
    rareValues.forgetNumbers()
  }

  /// The settings that few emitters have, and that seldom change.
  struct RareValues: Hashable, Sendable {
    var cone: Cone?
    var radius: Float?
    var sends: [Gain]?
    var leader: Int?
  }
}
