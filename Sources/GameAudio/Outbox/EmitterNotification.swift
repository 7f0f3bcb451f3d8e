/// An event of an emitter, for a loop over the events of all.
public struct EmitterNotification: Hashable, Sendable {
  /// The key of the emitter, whose public form is ``emitter``.
  let key: EmitterKey
  /// The event.
  public let event: EmitterEvent
}
