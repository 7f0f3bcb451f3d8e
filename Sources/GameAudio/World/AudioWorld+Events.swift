internal import AudioSupport
internal import Spatial3D

extension EmitterNotification {
  /// The identity of the emitter.
  public var emitter: Emitter.ID { Emitter.ID(key) }
}

extension AudioWorld {
  /// Moves the events of all emitters since the last call into an array, in their order, for the thread of the game.
  ///
  /// The first call begins the collection, and returns none; from then on the world keeps all events until the next
  /// call. The world and the program exchange two arrays, which keep their memory.
  public func takeEvents(into events: inout [EmitterNotification]) {
    let physics = context.physics
    state.withLock { state in
      state.adopt(physics)
      state.playback.takeEvents(into: &events)
    }
  }
}
