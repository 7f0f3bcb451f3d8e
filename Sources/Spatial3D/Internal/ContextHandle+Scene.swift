internal import CSpatial3DShim

extension ContextHandle {
  /// Applies properties of a source.
  func apply(_ properties: SourceProperties, of key: SourceKey, in scene: inout Scene) {
    guard properties.isDisjoint(with: .routing) else { return apply(properties, of: [key], in: &scene) }
    let distanceModel = scene.distanceModel
    scene.withPlace(of: key) { place in
      // The shim reads the update before it returns.
      unsafe withUpdate(properties, of: &place, distanceModel) { unsafe s3d_source_apply(pointer, $0, $1) }
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
      scene.withPlace(of: key) { place in transact(properties, of: &place, distanceModel, feeds) }
    }
    unsafe s3d_transaction_end(pointer, transaction)
  }

  /// Applies all changes of a batch in the same mix.
  ///
  /// Returns the sounds that are not audible from the positions of their sources.
  func apply(_ batch: inout Batch.Storage, to scene: inout Scene) -> [FlatSound] {
    var unplaced: [SourceKey] = []
    var transaction: s3d_transaction?
    let (distanceModel, feeds) = (scene.distanceModel, scene.feeds)
    batch.takeSources(into: &scene) { properties, key, place in
      if place.isUnplaced { unplaced.append(key) }
      if unsafe transaction == nil { unsafe transaction = s3d_transaction_begin(pointer) }
      transact(properties, of: &place, distanceModel, feeds)
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
    of place: inout SourcePlace,
    _ distanceModel: DistanceModel,
    _ feeds: RoomFeeds
  ) {
    var properties = properties
    if properties.rawValue & SourceProperties.routing.rawValue != 0 {
      let routing = SourceRouting(place.values, place.effectSends, in: feeds)
      if routing.boost != place.boost {
        place.boost = routing.boost
        properties.formUnion([.gain, .gainLimits])
      }
      route(place.id, routing)
    }
    // The shim reads the update before it returns.
    unsafe withUpdate(properties, of: &place, distanceModel) { unsafe s3d_transaction_source(pointer, $0, $1) }
  }

  /// Runs a closure with the update for the shim; a source without a distance model has the scene's.
  @inline(__always)
  private func withUpdate(
    _ properties: SourceProperties,
    of place: inout SourcePlace,
    _ distanceModel: DistanceModel,
    _ body: (UnsafePointer<s3d_source_update>, UnsafePointer<s3d_source_details>?) -> Void
  ) {
    let model = place.values.attenuation.model ?? distanceModel
    let told = place.told(properties, under: model)
    let gainFactor = place.gainFactor
    let (position, velocity) = (place.values.position, place.values.velocity)
    var update = s3d_source_update(
      source: s3d_source(id: place.id),
      changed: told.rawValue,
      gain: place.values.gain * gainFactor,
      pitch: place.values.pitch,
      position: (position.x, position.y, position.z),
      velocity: (velocity.x, velocity.y, velocity.z),
      is_looping: place.values.isLooping,
      is_relative: place.values.isListenerRelative
    )
    if told.areBasic {
      unsafe body(&update, nil)
    } else {
      var details = s3d_source_details(
        place.values,
        gainFactor: gainFactor,
        distanceModel: model
      )
      unsafe body(&update, &details)
    }
  }
}
