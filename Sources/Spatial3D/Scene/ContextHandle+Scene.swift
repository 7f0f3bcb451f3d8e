internal import CSpatial3DShim

extension ContextHandle {
  /// Applies properties of a source.
  func apply(_ properties: SourceProperties, of key: SourceKey, in scene: inout Scene) {
    guard properties.isDisjoint(with: .routing) else { return apply(properties, of: [key], in: &scene) }
    let distanceModel = scene.distanceModel
    scene.withRecord(of: key) { record in
      // The shim reads the update before it returns.
      unsafe withUpdate(properties, of: &record, distanceModel) { unsafe s3d_source_apply(pointer, $0, $1) }
    }
  }

  /// Applies parts of the listener.
  func apply(_ parts: ListenerProperties, ofListenerIn scene: Scene) {
    var update = update(of: scene.listener, changes: parts)
    // The shim reads the update before it returns.
    unsafe s3d_listener_apply(pointer, &update)
  }

  /// Applies properties of several sources in the same mix.
  func apply(_ properties: SourceProperties, of keys: [SourceKey], in scene: inout Scene) {
    guard !keys.isEmpty else { return }
    let transaction = unsafe s3d_transaction_begin(pointer)
    let (distanceModel, feeds) = (scene.distanceModel, scene.feeds)
    for key in keys {
      scene.withRecord(of: key) { record in transact(properties, of: &record, distanceModel, feeds) }
    }
    unsafe s3d_transaction_end(pointer, transaction)
  }

  /// Applies all changes of a batch in the same mix.
  ///
  /// Returns the sounds that are not audible from the positions of their sources.
  func apply(_ batch: inout Batch.Storage, to scene: inout Scene) -> [MultichannelWarning] {
    var unplaced: [SourceKey] = []
    var transaction: s3d_transaction?
    let (distanceModel, feeds) = (scene.distanceModel, scene.feeds)
    batch.takeSources(into: &scene) { properties, key, record in
      if record.isUnplaced { unplaced.append(key) }
      if unsafe transaction == nil { unsafe transaction = s3d_transaction_begin(pointer) }
      transact(properties, of: &record, distanceModel, feeds)
    }
    let parts = batch.takeListener(into: &scene)
    if unsafe transaction == nil {
      if !parts.isEmpty { apply(parts, ofListenerIn: scene) }
    } else if !parts.isEmpty {
      var update = update(of: scene.listener, changes: parts)
      // The shim reads the update before it returns.
      unsafe s3d_transaction_listener(pointer, &update)
    }
    if let transaction = unsafe transaction { unsafe s3d_transaction_end(pointer, transaction) }
    return batch.takeUnplaced() + unplaced.compactMap { scene.takeUnplacedSound(of: $0) }
  }

  /// Applies properties of a source inside a transaction.
  @inline(__always)
  private func transact(
    _ properties: SourceProperties,
    of record: inout SourceRecord,
    _ distanceModel: DistanceModel,
    _ feeds: RoomFeeds
  ) {
    var properties = properties
    if properties.rawValue & SourceProperties.routing.rawValue != 0 {
      let routing = SourceRouting(record.values, record.effectSends, in: feeds)
      if routing.boost != record.boost {
        record.boost = routing.boost
        properties.formUnion([.gain, .gainLimits])
      }
      route(record.id, routing)
    }
    // The shim reads the update before it returns.
    unsafe withUpdate(properties, of: &record, distanceModel) { unsafe s3d_transaction_source(pointer, $0, $1) }
  }

  /// Runs a closure with the update for the shim; a source without a distance model has the scene's.
  @inline(__always)
  private func withUpdate(
    _ properties: SourceProperties,
    of record: inout SourceRecord,
    _ distanceModel: DistanceModel,
    _ body: (UnsafePointer<s3d_source_update>, UnsafePointer<s3d_source_details>?) -> Void
  ) {
    let model = record.values.attenuation.model ?? distanceModel
    let told = record.told(properties, under: model)
    let gainFactor = record.gainFactor
    let (position, velocity) = (record.values.position, record.values.velocity)
    var update = s3d_source_update(
      source: s3d_source(id: record.id),
      changed: told.rawValue,
      gain: record.values.gain * gainFactor,
      pitch: record.values.pitch,
      position: (position.x, position.y, position.z),
      velocity: (velocity.x, velocity.y, velocity.z),
      is_looping: record.values.isLooping,
      is_relative: record.values.isListenerRelative
    )
    if told.areBasic {
      unsafe body(&update, nil)
    } else {
      var details = s3d_source_details(
        record.values,
        gainFactor: gainFactor,
        distanceModel: model
      )
      unsafe body(&update, &details)
    }
  }
}
