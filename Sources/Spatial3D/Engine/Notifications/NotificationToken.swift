internal import AudioSupport

/// An observation that lasts for as long as its token is kept.
///
/// Releasing the token ends the observation, like ``cancel()``. The token keeps neither the source nor the context
/// alive. The closure and its captures are kept until then. A ``NotificationInbox`` keeps them until its next
/// ``NotificationInbox/deliver()``. Capture the source or context weakly, or use ``SourceNotification/source``.
public final class NotificationToken: Sendable {
  private let observation: Observation
  private weak let context: AudioContext?

  private enum Observation: Sendable {
    case source(Subscription<SourceNotification>, SourceKey)
    case context(Subscription<ContextEvent>)
    case diagnostics(CancellableHandler<Diagnostic>)
    case ticks(CancellableHandler<Duration>)
    /// An observation of an object that belongs to another module.
    case other(CancellableHandler<Void>)
  }

  init(_ subscription: Subscription<SourceNotification>, of key: SourceKey, in context: AudioContext) {
    observation = .source(subscription, key)
    self.context = context
  }

  init(_ subscription: Subscription<ContextEvent>, in context: AudioContext) {
    observation = .context(subscription)
    self.context = context
  }

  init(diagnostics handler: CancellableHandler<Diagnostic>, in context: AudioContext) {
    observation = .diagnostics(handler)
    self.context = context
  }

  init(tick handler: CancellableHandler<Duration>, in context: AudioContext) {
    observation = .ticks(handler)
    self.context = context
  }

  /// A token that calls a closure once, when it is cancelled or released.
  package init(in context: AudioContext, onCancel cancel: @escaping @Sendable () -> Void) {
    observation = .other(CancellableHandler(cancel))
    self.context = context
  }

  deinit {
    // A forked child lacks the threads that may hold the context's lock.
    if let context, context.handle.isInherited { return }
    cancel()
  }

  /// Ends the observation: the closure is not called any more, and pending notifications are dropped.
  ///
  /// A call that another thread has already taken up continues, and may even begin after this returns. The closure may
  /// call this itself. A second call has no effect.
  ///
  /// OpenAL: `alSourceRemoveNotification` of Apple's extension.
  public func cancel() {
    switch observation {
    case .source(let subscription, let key):
      // The captures of a handler may be released with it, without the lock.
      let gone = context?.state.withLock { $0.unsubscribe(subscription, from: key) }
      withExtendedLifetime(gone) {}
      subscription.cancel()
    case .context(let subscription):
      context?.state.withLock { $0.observation.eventSubscriptions.removeAll { $0 === subscription } }
      subscription.cancel()
    case .diagnostics(let handler):
      context?.remove(diagnostics: handler)
      handler.cancel()
    case .ticks(let handler):
      context?.remove(tick: handler)
      handler.cancel()
    case .other(let handler):
      handler.call(())
      handler.cancel()
    }
  }
}
