/// The report that a source was released before the mixer played it, once for each context.
struct ReleaseReport: Sendable {
  /// Whether a context has found a source that was released too early.
  var isMade = false
  /// The diagnostic that an offline context reports at the next mix: without a mix, nothing was missed.
  var pending: Diagnostic?

  /// Takes the diagnostic about a source that was released before this mix.
  mutating func take() -> Diagnostic? {
    defer { pending = nil }
    return pending
  }
}
