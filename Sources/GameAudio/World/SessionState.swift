internal import Spatial3D

/// What the sessions that a world follows have done to it.
struct SessionState: Sendable {
  /// The reasons for which sessions suspend the context.
  var reasons: Set<SuspensionReason> = []
  var isInterrupted = false
  /// Whether a sound that began in the interruption was reported.
  var hasReportedInterruption = false
  /// Whether a session was followed, which may have suspended the context.
  var hasFollowed = false
}
