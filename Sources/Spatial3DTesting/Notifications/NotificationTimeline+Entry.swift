public import Spatial3D

extension NotificationTimeline {
  /// One thing that happened to a source.
  public struct Entry: Hashable, Sendable {
    /// What the source is called in the timeline.
    public let label: String

    /// What happened.
    public let kind: SourceNotification.Kind

    /// The frame of the context's mix, counted from its first, at which it happened.
    public let framePosition: Int

    /// What the source was doing right after it happened.
    public let state: SourceState

    /// An entry to compare with.
    ///
    /// The state is that of a playing source unless said otherwise; where the kind is a change of state, it is the new one.
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
  /// The entry in words, such as `"monster: looped at frame 4800, playing"`.
  public var description: String {
    if case .stateChanged = kind { return "\(label): \(kind) at frame \(framePosition)" }
    return "\(label): \(kind) at frame \(framePosition), \(state)"
  }
}
