internal import CSpatial3DShim

/// Carries a scene's changes to the library, in memory that is kept from frame to frame.
struct SceneOutbox: Sendable {
  private var updates: [s3d_source_update] = []

  /// Hands over everything that changed.
  mutating func flush(_ scene: inout Scene, to context: borrowing ContextHandle) {
    let listenerChanges = scene.takeListenerChanges()
    scene.takeSourceChanges { id, values, changes in
      updates.append(s3d_source_update(id: id, values: values, changes: changes))
    }
    apply(listenerChanges.map { s3d_listener_update(scene.listener, changes: $0) }, to: context)
  }

  /// Hands over what changed of one source.
  mutating func flush(_ scene: inout Scene, sourceAt slot: Int, to context: borrowing ContextHandle) {
    scene.takeSourceChanges(at: slot) { id, values, changes in
      updates.append(s3d_source_update(id: id, values: values, changes: changes))
    }
    apply(nil, to: context)
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

extension s3d_source_update {
  init(id: UInt32, values: SourceValues, changes: SourceProperties) {
    self.init(
      source: s3d_source(id: id),
      changed: changes.rawValue,
      gain: values.gain,
      pitch: values.pitch,
      position: (values.position.x, values.position.y, values.position.z),
      velocity: (values.velocity.x, values.velocity.y, values.velocity.z),
      is_looping: values.isLooping,
      is_relative: values.isListenerRelative
    )
  }
}

extension s3d_listener_update {
  init(_ listener: Listener, changes: ListenerProperties) {
    let (forward, up) = (listener.orientation.forward, listener.orientation.up)
    self.init(
      changed: changes.rawValue,
      gain: listener.gain,
      position: (listener.position.x, listener.position.y, listener.position.z),
      velocity: (listener.velocity.x, listener.velocity.y, listener.velocity.z),
      orientation: (forward.x, forward.y, forward.z, up.x, up.y, up.z)
    )
  }
}
