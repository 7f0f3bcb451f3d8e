internal import AudioSupport
public import Spatial3D
internal import Synchronization

extension AudioWorld {
  /// The listeners of the scene: one, or up to four for a split screen.
  ///
  /// Each emitter belongs to the listener at which it is loudest, with the occlusion by walls and portals. It changes
  /// to another listener when it is louder there by 1.5 dB. There is one mix: each emitter is placed around the first
  /// listener as it stands around its own listener, with the Doppler effect and the gain of its own listener. An
  /// emitter between two listeners plays once. With a change of the listener, another voice begins at the new position
  /// while the old one fades out in 10 ms, or as soon as a voice is free; a stream moves at once. A zone has the
  /// largest of its weights at the listeners, for the emitters of all of them.
  ///
  /// ``listener`` is the first of them. An empty list has no effect, and those after the fourth are left out. An
  /// unusable part of a listener, such as a position that is not finite, keeps its value. The ranges are the ranges of
  /// `Listener`, clamped. `AudioContext.onDiagnostic` reports each of these once. Default: the listener of the context.
  ///
  /// Unreal: the listeners of the local players.
  public var listeners: [Listener] {
    get { state.withLock { $0.playback.scene.space.listeners.all } }
    set {
      let isIdle = withState { state in
        state.apply(.listeners(newValue))
        return !state.isBusy
      }
      for index in newValue.indices where index < ListenerChoice.capacity && !newValue[index].isInRange {
        report(newValue[index], index)
      }
      if newValue.isEmpty {
        reportUnusable("list of listeners", .words("an empty one"), .other("the listeners stay"))
      } else if newValue.count > ListenerChoice.capacity {
        reportUnusable(
          "list of listeners",
          .words("one of \(newValue.count)"),
          .other("the first \(ListenerChoice.capacity) are used")
        )
      }
      if isIdle { carryOutListener() }
    }
  }

  /// Reports once that the context has an older world: both set its listener.
  ///
  /// The first tick decides: a world that a game replaces is gone by then, unless its emitters keep it.
  func reportOlderWorld() {
    guard mayShareContext.load(ordering: .relaxed), mayShareContext.exchange(false, ordering: .relaxed) else { return }
    if context.hasOlderListenerOwner(than: listenerOwner) { context.report(.contextShared) }
  }
}
