public import Spatial3D

extension NotificationTimeline {
  /// One notification of a source.
  public struct Entry: Hashable, Sendable {
    /// The label of the source in the timeline.
    public let label: String

    /// The kind of the notification.
    public let kind: SourceNotification.Kind

    /// The frame of the context's mix at which the event happened, counted from the first.
    public let framePosition: Int

    /// The state of the source right after the event.
    public let state: SourceState

    /// An expected entry to compare with.
    ///
    /// The default of `state` is `playing`. For a kind that is a change of state, the entry has the new state instead.
    public init(
      _ label: String,
      _ kind: SourceNotification.Kind,
      at framePosition: Int,
      state: SourceState = .playing
    ) {
      self.label = label
      self.kind = kind
      self.framePosition = framePosition
      if case .stateChanged(let new) = kind { self.state = new } else { self.state = state }
    }
  }
}

extension NotificationTimeline.Entry: CustomStringConvertible {
  /// The entry as a sentence, such as `"monster: looped at frame 4800, playing"`.
  public var description: String {
    if case .stateChanged = kind { return "\(label): \(kind) at frame \(framePosition)" }
    return "\(label): \(kind) at frame \(framePosition), \(state)"
  }
}
