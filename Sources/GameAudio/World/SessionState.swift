internal import Spatial3D

/// The effects of the sessions that a world follows.
struct SessionState: Sendable {
  /// The reasons for which sessions suspend the context.
  private(set) var reasons: Set<SuspensionReason> = []
  private(set) var isInterrupted = false
  /// Whether a sound that began in the interruption was reported.
  private(set) var hasReportedInterruption = false
  /// Whether a session was followed, which may have suspended the context.
  private(set) var hasFollowed = false

  /// Begins to follow a session, which suspends the context for a reason of its own.
  mutating func follow(for reason: SuspensionReason) {
    reasons.insert(reason)
    hasFollowed = true
  }

  mutating func endFollowing(for reason: SuspensionReason) { reasons.remove(reason) }

  mutating func setInterrupted(_ isInterrupted: Bool) {
    guard isInterrupted != self.isInterrupted else { return }
    (self.isInterrupted, hasReportedInterruption) = (isInterrupted, false)
  }

  /// Whether a sound that begins now is to be reported: once for each interruption.
  mutating func reportsBeginning() -> Bool {
    guard isInterrupted, !hasReportedInterruption else { return false }
    hasReportedInterruption = true
    return true
  }

  /// The reason why a context is silent that is suspended for some reasons; `nil` for none.
  func silence(by suspensions: some Collection<SuspensionReason>) -> SilenceReason? {
    guard let first = suspensions.min(by: { "\($0)" < "\($1)" }) else { return nil }
    return suspensions.contains(where: reasons.contains) ? .silencedBySession : .suspended(first)
  }
}
