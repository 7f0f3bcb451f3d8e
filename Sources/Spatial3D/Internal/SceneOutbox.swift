internal import CSpatial3DShim

/// Carries a scene's changes to the library, in memory that is kept from frame to frame.
struct SceneOutbox: Sendable {
  private var updates: [s3d_source_update] = []

  /// Hands over what a thread set.
  mutating func send(_ batch: inout Batch.Storage, of scene: inout Scene, to context: borrowing ContextHandle) {
    batch.takeSources(into: &scene) { updates.append(s3d_source_update($0)) }
    apply(batch.takeListener(into: &scene), of: scene, to: context)
  }

  /// Hands over what a source and its listener must have before the source starts.
  mutating func send(
    _ source: SourceKey,
    ofBatch batch: inout Batch.Storage,
    of scene: inout Scene,
    to context: borrowing ContextHandle
  ) {
    if let change = batch.take(source, into: &scene) { updates.append(s3d_source_update(change)) }
    apply(batch.takeListener(into: &scene), of: scene, to: context)
  }

  private mutating func apply(_ changes: ListenerProperties, of scene: Scene, to context: borrowing ContextHandle) {
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
