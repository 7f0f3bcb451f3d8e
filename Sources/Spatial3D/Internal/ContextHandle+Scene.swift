internal import CSpatial3DShim

extension ContextHandle {
  /// Hands over properties of a source.
  func apply(_ properties: SourceProperties, of key: SourceKey, in scene: Scene) {
    // The shim reads the update before it returns.
    unsafe withUpdate(properties, of: key, in: scene) { unsafe s3d_source_apply(pointer, $0, $1) }
  }

  /// Hands over parts of the listener.
  func apply(_ parts: ListenerProperties, ofListenerIn scene: Scene) {
    var update = s3d_listener_update(scene.listener, changes: parts)
    // The shim reads the update before it returns.
    unsafe s3d_listener_apply(pointer, &update)
  }

  /// Hands over properties of several sources, so that one mix hears all of it or nothing.
  func apply(_ properties: SourceProperties, of keys: [SourceKey], in scene: Scene) {
    guard !keys.isEmpty else { return }
    let transaction = unsafe s3d_transaction_begin(pointer)
    for key in keys {
      // The shim reads the update before it returns.
      unsafe withUpdate(properties, of: key, in: scene) { unsafe s3d_transaction_source(pointer, $0, $1) }
    }
    unsafe s3d_transaction_end(pointer, transaction)
  }

  /// Hands over all that a batch holds and that differs, so that one mix hears all of it or nothing.
  func apply(_ batch: inout Batch.Storage, to scene: inout Scene) {
    var transaction: s3d_transaction?
    batch.takeSources(into: &scene) { properties, key, scene in
      if unsafe transaction == nil { unsafe transaction = s3d_transaction_begin(pointer) }
      // The shim reads the update before it returns.
      unsafe withUpdate(properties, of: key, in: scene) { unsafe s3d_transaction_source(pointer, $0, $1) }
    }
    let parts = batch.takeListener(into: &scene)
    if unsafe transaction == nil {
      if !parts.isEmpty { apply(parts, ofListenerIn: scene) }
    } else if !parts.isEmpty {
      var update = s3d_listener_update(scene.listener, changes: parts)
      // The shim reads the update before it returns.
      unsafe s3d_transaction_listener(pointer, &update)
    }
    if let transaction = unsafe transaction { unsafe s3d_transaction_end(pointer, transaction) }
  }

  /// Runs a closure with what the shim is told of a source.
  @inline(__always)
  private func withUpdate(
    _ properties: SourceProperties,
    of key: SourceKey,
    in scene: Scene,
    _ body: (UnsafePointer<s3d_source_update>, UnsafePointer<s3d_source_details>?) -> Void
  ) {
    scene.handOver(properties, of: key) { id, values, properties, gainFactor in
      var update = s3d_source_update(
        source: s3d_source(id: id),
        changed: properties.rawValue,
        gain: values.gain * gainFactor,
        pitch: values.pitch,
        position: (values.position.x, values.position.y, values.position.z),
        velocity: (values.velocity.x, values.velocity.y, values.velocity.z),
        is_looping: values.isLooping,
        is_relative: values.isListenerRelative
      )
      if properties.areBasic {
        unsafe body(&update, nil)
      } else {
        let distanceModel = values.attenuation.model ?? scene.distanceModel
        var details = s3d_source_details(values, gainFactor: gainFactor, distanceModel: distanceModel)
        unsafe body(&update, &details)
      }
    }
  }
}
