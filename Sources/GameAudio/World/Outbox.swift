internal import Spatial3D

/// What a world has to do without its lock: calls of the library, loads, reports and events.
struct Outbox: Sendable {
  /// The context, for the delivery of events; no call of it that takes its lock is made here.
  let context: AudioContext
  var commands: [VoiceCommand] = []
  /// An empty array with room, while no thread carries out commands.
  var spareCommands: [VoiceCommand] = []
  var jobs: [SoundTable.Job] = []
  var diagnostics: [Diagnostic] = []
  /// The events that observers have still to receive.
  var announcements = Announcements()
  /// The events for ``AudioWorld/takeEvents(into:)``; `nil` before its first call.
  var collected: [EmitterNotification]?
  /// The tasks that have waited for their player to be prepared.
  var prepared: [CheckedContinuation<Void, Never>] = []
  /// The subjects that were reported once.
  var reported: Set<ReportKey> = []
  var hasReportedRelease = false
  /// The latest reports of sounds that could not be loaded or are cut, and of loop ranges beyond their sounds.
  var soundReports = RecentReports()
  /// Whether a thread carries out commands, and how often one has begun to.
  var isCarryingOut = false
  var lastTurn = 0

  init(context: AudioContext, capacity: Int) {
    self.context = context
    commands.reserveCapacity(capacity)
    spareCommands.reserveCapacity(capacity)
  }
}
