/// The recordings of a world.
struct RecordingLog: Sendable {
  /// The recordings that run, and whether there is one.
  var logs: [CallLog] = []
  var isRecording = false
  /// The moment at which the present call or tick came, while something records.
  var moment = MixMoment()
  /// The parts of a snapshot beside the state; `nil` in a state that is no copy for one.
  var snapshotMoment: SnapshotMoment?
  /// The frame up to which the ticks of a replayed recording replace the ticks of the context.
  var replayedUntil = -1
}
