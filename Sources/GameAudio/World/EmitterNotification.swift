internal import AudioSupport
internal import Spatial3D

/// An event of an emitter, for a loop over the events of all.
public struct EmitterNotification: Hashable, Sendable {
  /// The identity of the emitter.
  public let emitter: Emitter.ID
  /// The event.
  public let event: EmitterEvent
}

extension AudioWorld {
  /// Moves the events of all emitters since the last call into an array, in their order, for the thread of the game.
  ///
  /// The first call begins the collection, and returns none; from then on the world keeps all events until the next
  /// call. The array keeps its memory.
  public func takeEvents(into events: inout [EmitterNotification]) {
    let physics = context.physics
    state.withLock { state in
      state.adopt(physics)
      events.removeAll(keepingCapacity: true)
      state.playback.takeEvents { events.append(EmitterNotification(emitter: Emitter.ID($0), event: $1)) }
    }
  }
}
