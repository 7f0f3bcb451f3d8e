// The transfer of changed values to the library.

extension ContextState {
  /// Applies properties of a source.
  mutating func apply(_ properties: SourceProperties, of key: SourceKey) {
    guard properties.isDisjoint(with: .routing) else { return apply(properties, of: [key]) }
    handle.apply(properties, of: &records[key].library.sceneSource, under: scene.distanceModel)
  }

  /// Applies properties of several sources in the same mix.
  mutating func apply(_ properties: SourceProperties, of keys: [SourceKey]) {
    records.apply(properties, of: keys, in: scene, by: handle)
  }

  /// Applies all changes of a batch in the same mix.
  ///
  /// Returns the sounds that are not audible from the positions of their sources.
  mutating func apply(_ batch: inout Batch.Storage) -> [MultichannelWarning] {
    var unplaced = batch.takeUnplaced()
    var transaction = SceneTransaction(handle, in: scene)
    records.withRecords { records in
      batch.takeSources { key, properties, values in
        // The source may be gone by now.
        guard records[key.slot].generation == key.generation else { return }
        let changed = records[key.slot].library.sceneSource.values.adopt(properties, of: values)
        guard changed.rawValue != 0 else { return }
        if let sound = records[key.slot].library.sceneSource.takeUnplacedSound() { unplaced.append(sound) }
        transaction.apply(changed, of: &records[key.slot].library.sceneSource)
      }
    }
    transaction.end(with: batch.takeListener(into: &scene), ofListenerIn: scene)
    return unplaced
  }

  /// Stores the format of a source's new sound.
  mutating func setFormat(_ format: PCMFormat?, of key: SourceKey) {
    let factor = handle.channelFactor(of: format)
    let changes = records[key].scene.setSound(format?.layout, channelFactor: factor, on: output.loudspeakers)
    if !changes.isEmpty { apply(changes, of: key) }
  }

  /// Reads the loudspeakers of the output, which decide where direct channels go.
  mutating func updateLoudspeakers() {
    output.loudspeakers = handle.loudspeakers(ofSilentDevice: device.clockMixer?.layout)
    for key in records.keys {
      let changes = records[key].scene.setOutput(output.loudspeakers)
      if !changes.isEmpty { apply(changes, of: key) }
    }
  }

  /// Stores the new sound of a source if it is only placed on request.
  ///
  /// The position in the calling thread's batch counts, and not the position of the last sound.
  mutating func setMultichannelWarning(_ sound: MultichannelWarning?, of source: SoundSource) {
    records[source.key].scene.setMultichannelWarning(nil)
    if sound != nil { handOverBatch(of: source) }
    records[source.key].scene.setMultichannelWarning(sound)
  }

  /// Applies the calling thread's batched values of a source and of the listener.
  mutating func handOverBatch(of source: SoundSource) {
    guard let batch = unsafe Batch.ofThread(at: UnsafeRawPointer(bitPattern: batches.contextAddress)) else { return }
    // The batch is this thread's own, and open.
    let properties = unsafe batch.pointee.take(source.key, into: &records[source.key].scene.values)
    if !properties.isEmpty { apply(properties, of: source.key) }
    if let sound = records[source.key].scene.takeUnplacedSound() { unsafe batch.pointee.add(unplaced: sound) }
    if observation.isPlaying {
      let next = unsafe batch.pointee.scene(after: scene)
      observation.prepareChange(to: next, in: &records, scene, &output)
    }
    let parts = unsafe batch.pointee.takeListener(into: &scene)
    if !parts.isEmpty { handle.apply(parts, ofListenerIn: scene) }
  }
}

// MARK: - Changes of speed

// A change of a value may make a looping source faster or slower: the loops before it are counted with the old values.

extension ContextState {
  /// Prepares the change of a source's property by a closure that returns whether the value changes.
  @inline(__always)
  mutating func prepareChange(
    _ properties: SourceProperties,
    of key: SourceKey,
    _ body: (inout SourceValues) -> Bool
  ) {
    guard !observation.isEmpty, !properties.isDisjoint(with: .pace), records.isObserved(key) else { return }
    guard records[observed: key].countsLoops else { return }
    var values = records[key].scene.values
    if body(&values) { observation.prepareChange(of: key, to: values, in: scene, &records, scene, &output) }
  }

  /// Changes the properties that all sources share.
  mutating func changingScene<Result>(_ change: (inout Scene) -> Result) -> Result {
    if observation.isPlaying {
      var next = scene
      _ = change(&next)
      observation.prepareChange(to: next, in: &records, scene, &output)
    }
    return change(&scene)
  }

  /// Prepares the handover of a batch.
  mutating func prepareHandover(_ batch: Batch.Storage) {
    guard observation.isPlaying else { return }
    observation.prepareChange(to: batch.scene(after: scene), in: &records, scene, &output) { key, values in
      batch.bring(key, into: &values)
    }
  }
}

extension SourceProperties {
  /// The properties that may change the speed of a loop.
  fileprivate static let pace: SourceProperties = [
    .pitch, .looping, .position, .velocity, .listenerRelative, .dopplerFactor, .spatialization,
  ]
}
