internal import CSpatial3DShim

extension ContextHandle {
  /// Applies properties of a source that do not affect its routing.
  func apply(_ properties: SourceProperties, of source: inout SceneSource, under model: DistanceModel) {
    // The shim reads the update before it returns.
    unsafe source.withUpdate(of: properties, under: model) { unsafe s3d_source_apply(pointer, $0, $1) }
  }

  /// Applies parts of the listener.
  func apply(_ parts: ListenerProperties, ofListenerIn scene: Scene) {
    var update = update(of: scene.listener, changes: parts)
    // The shim reads the update before it returns.
    unsafe s3d_listener_apply(pointer, &update)
  }
}

/// Changes of several sources that reach the library in the same mix.
@safe struct SceneTransaction {
  private let handle: ContextHandle
  private let distanceModel: DistanceModel
  private let feeds: RoomFeeds
  /// The library's transaction; it begins with the first source.
  private var transaction: s3d_transaction?

  init(_ handle: ContextHandle, in scene: Scene) {
    self.handle = handle
    (distanceModel, feeds) = (scene.distanceModel, scene.feeds)
  }

  /// Applies properties of a source.
  @inline(__always)
  mutating func apply(_ properties: SourceProperties, of source: inout SceneSource) {
    if unsafe transaction == nil { unsafe transaction = s3d_transaction_begin(handle.pointer) }
    var properties = properties
    if properties.rawValue & SourceProperties.routing.rawValue != 0 {
      let routing = SourceRouting(source.values, source.effectSends, in: feeds)
      if routing.boost != source.boost {
        source.boost = routing.boost
        properties.formUnion([.gain, .gainLimits])
      }
      handle.route(source.id, routing)
    }
    // The shim reads the update before it returns.
    unsafe source.withUpdate(of: properties, under: distanceModel) {
      unsafe s3d_transaction_source(handle.pointer, $0, $1)
    }
  }

  /// Ends the transaction with changes of the listener.
  mutating func end(with parts: ListenerProperties = [], ofListenerIn scene: Scene) {
    guard let transaction = unsafe transaction else {
      if !parts.isEmpty { handle.apply(parts, ofListenerIn: scene) }
      return
    }
    if !parts.isEmpty {
      var update = handle.update(of: scene.listener, changes: parts)
      // The shim reads the update before it returns.
      unsafe s3d_transaction_listener(&update)
    }
    unsafe s3d_transaction_end(handle.pointer, transaction)
    unsafe self.transaction = nil
  }
}

extension SceneSource {
  /// Runs a closure with the update for the shim; a source without a distance model has the scene's.
  ///
  /// It is mutating because Swift 6.3 copies a borrowed element of an array to the stack, at the cost of an eighth of
  /// the function's work.
  @inline(__always)
  fileprivate mutating func withUpdate(
    of properties: SourceProperties,
    under sceneModel: DistanceModel,
    _ body: (UnsafePointer<s3d_source_update>, UnsafePointer<s3d_source_details>?) -> Void
  ) {
    let model = values.attenuation.model ?? sceneModel
    let updates = updates(after: properties, under: model)
    let gainFactor = gainFactor
    let (position, velocity) = (values.position, values.velocity)
    var update = s3d_source_update(
      source: s3d_source(id: id),
      changed: updates.rawValue,
      gain: values.gain * gainFactor,
      pitch: values.pitch,
      position: (position.x, position.y, position.z),
      velocity: (velocity.x, velocity.y, velocity.z),
      is_looping: values.isLooping,
      is_relative: values.isListenerRelative
    )
    if updates.areBasic {
      unsafe body(&update, nil)
    } else {
      var details = s3d_source_details(appliedValues, gainFactor: gainFactor, distanceModel: model)
      unsafe body(&update, &details)
    }
  }
}

// MARK: - The step of the mixer

extension ContextHandle {
  /// The rounding of speeds by the loaded library.
  var mixStep: MixStep { MixStep(version: version) }

  /// The number of frames of a sound that the mixer takes for one of the mix, for given values and a given scene.
  func step(of values: SourceValues, playing sound: QueuedSound, in scene: Scene) -> Double {
    scene.step(
      of: values,
      soundRate: sound.sampleRate,
      mixRate: sampleRate,
      isPlaced: sound.isPlaced(values.spatialization),
      by: mixStep
    )
  }

  /// The largest change of a filter, in decibels, that is no click each 512 frames.
  ///
  /// OpenAL Soft 1.19.1 changes a filter at once. The first samples behind a step of half a decibel are 1.6 times as
  /// steep as a tone of 200 Hz is, and those behind a quarter 1.2 times. 1.25.2 moves evenly to the next filter, in 64
  /// frames.
  var filterStep: Float { version.map { $0 >= LibraryVersion(1, 25, 0) } ?? false ? 0.5 : 0.25 }
}
