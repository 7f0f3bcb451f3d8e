internal import Synchronization

/// An observation that lasts for as long as its token is kept.
///
/// Releasing the token ends the observation, like ``cancel()``. The token keeps no observed object alive. The closure
/// of the observation and its captures are kept until then: capture the observed object weakly. A `NotificationInbox`
/// keeps them until its next `NotificationInbox.deliver()`.
public final class NotificationToken: Sendable {
  private let hasEnded = Atomic(false)
  private let end: @Sendable () -> Void

  /// A token that calls a closure once, when it is cancelled or released.
  ///
  /// The token keeps the closure until its release, so the closure releases the handler of the observation itself.
  package init(onCancel end: @escaping @Sendable () -> Void) { self.end = end }

  deinit { cancel() }

  /// Ends the observation: the closure is not called any more, and pending notifications are dropped.
  ///
  /// A call that another thread has already taken up continues, and may even begin after this returns. The closure may
  /// call this itself. A second call has no effect, and does not wait for the first call on another thread.
  ///
  /// OpenAL: `alSourceRemoveNotification` of Apple's extension.
  public func cancel() {
    guard !hasEnded.exchange(true, ordering: .relaxed) else { return }
    end()
  }
}
