/// An observation of a session that lasts for as long as its token is kept.
///
/// Releasing the token ends the observation, like ``cancel()``. The token does not keep the session alive. The closure
/// and its captures are kept until then: capture the session weakly.
public final class SessionToken: Sendable {
  private let id: Int
  private weak let session: AudioSession?

  init(_ id: Int, of session: AudioSession) {
    self.id = id
    self.session = session
  }

  deinit { cancel() }

  /// Ends the observation: the closure is not called any more.
  ///
  /// A call that another thread has already begun continues. The closure may call this itself. A second call has no
  /// effect.
  public func cancel() { session?.removeObserver(id) }
}
