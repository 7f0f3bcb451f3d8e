/// An observation that goes on for as long as its token is kept.
///
/// Releasing it ends the observation, as ``cancel()`` does. It keeps neither the source nor the context alive. The closure is
/// kept, with all that it holds, until then: let it hold its source weakly, or use ``SourceNotification/source``.
public final class NotificationToken: Sendable {
  private let subscription: Subscription<SourceNotification>
  private weak let context: AudioContext?
  private let key: SourceKey

  init(_ subscription: Subscription<SourceNotification>, of key: SourceKey, in context: AudioContext) {
    self.subscription = subscription
    self.context = context
    self.key = key
  }

  deinit { cancel() }

  /// Ends the observation: the closure is not called any more, also not with what was pending.
  ///
  /// A call that another thread has already taken up goes on, and may even begin after this returns. May be called from the
  /// closure itself, and twice.
  ///
  /// OpenAL: `alSourceRemoveNotification` of Apple's extension.
  public func cancel() {
    context?.unsubscribe(subscription, from: key)
    subscription.cancel()
  }
}
