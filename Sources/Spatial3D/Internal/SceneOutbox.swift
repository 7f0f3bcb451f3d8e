internal import CSpatial3DShim

/// Carries a scene's changes to the library, in memory that is kept from frame to frame.
struct SceneOutbox: Sendable {
  private var updates: [s3d_source_update] = []

  /// Hands over what a thread deferred.
  mutating func send(_ batch: Scene.Batch, of scene: inout Scene, to context: borrowing ContextHandle) {
    for slot in batch.slots {
      if let change = scene.takeChanges(at: slot) { updates.append(s3d_source_update(change)) }
    }
    if batch.listenerChanges.isEmpty {
      apply(nil, to: context)
    } else {
      apply(s3d_listener_update(scene.listener, changes: batch.listenerChanges), to: context)
    }
  }

  /// Hands over what a source and its listener must have before the source starts.
  mutating func send(
    sourceAt slot: Int,
    andListenerOn thread: UInt,
    of scene: inout Scene,
    to context: borrowing ContextHandle
  ) {
    if let change = scene.takeChanges(at: slot) { updates.append(s3d_source_update(change)) }
    let changes = scene.takeListenerChanges(on: thread)
    apply(changes.isEmpty ? nil : s3d_listener_update(scene.listener, changes: changes), to: context)
  }

  private mutating func apply(_ listener: s3d_listener_update?, to context: borrowing ContextHandle) {
    // The shim reads both before it returns.
    unsafe updates.withUnsafeBufferPointer { updates in
      if var listener {
        unsafe s3d_context_apply(context.pointer, &listener, updates.baseAddress, updates.count)
      } else if !updates.isEmpty {
        unsafe s3d_context_apply(context.pointer, nil, updates.baseAddress, updates.count)
      }
    }
    updates.removeAll(keepingCapacity: true)
  }
}

extension ContextHandle {
  /// Hands over one change of a source.
  func apply(_ change: SourceChange) {
    var update = s3d_source_update(change)
    // The shim reads the update before it returns.
    unsafe s3d_context_apply(pointer, nil, &update, 1)
  }

  /// Hands over changes of the listener.
  func apply(_ listener: Listener, changes: ListenerProperties) {
    var update = s3d_listener_update(listener, changes: changes)
    // The shim reads the update before it returns.
    unsafe s3d_context_apply(pointer, &update, nil, 0)
  }
}
