/// An observation that goes on for as long as its token is kept.
///
/// Releasing it ends the observation, as ``cancel()`` does. It keeps neither the source nor the context alive. The closure is
/// kept, with all that it holds, until then: let it hold its source or context weakly, or use ``SourceNotification/source``.
public final class NotificationToken: Sendable {
  private let observation: Observation
  private weak let context: AudioContext?

  private enum Observation: Sendable {
    case source(Subscription<SourceNotification>, SourceKey)
    case context(Subscription<ContextEvent>)
  }

  init(_ subscription: Subscription<SourceNotification>, of key: SourceKey, in context: AudioContext) {
    observation = .source(subscription, key)
    self.context = context
  }

  init(_ subscription: Subscription<ContextEvent>, in context: AudioContext) {
    observation = .context(subscription)
    self.context = context
  }

  deinit {
    // A forked child lacks the threads that may have the context's lock.
    if let context, context.handle.isInherited { return }
    cancel()
  }

  /// Ends the observation: the closure is not called any more, also not with what was pending.
  ///
  /// A call that another thread has already taken up goes on, and may even begin after this returns. May be called from the
  /// closure itself, and twice.
  ///
  /// OpenAL: `alSourceRemoveNotification` of Apple's extension.
  public func cancel() {
    switch observation {
    case .source(let subscription, let key):
      context?.unsubscribe(subscription, from: key)
      subscription.cancel()
    case .context(let subscription):
      context?.unsubscribe(subscription)
      subscription.cancel()
    }
  }
}
