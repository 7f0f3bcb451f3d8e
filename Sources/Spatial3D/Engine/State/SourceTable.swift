/// The records of a context's sources, each in a slot that a later source uses again.
struct SourceTable: Sendable {
  private var records: [SourceRecord] = []
  private var freeSlots: [Int] = []
  private var lastGeneration: UInt64 = 0

  var count: Int { records.count - freeSlots.count }

  /// The keys of all sources, by their slots.
  var keys: [SourceKey] { keys { _ in true } }

  /// The keys of all sources for which a closure returns true.
  @inline(__always)
  func keys(where isWanted: (SourceRecord) -> Bool) -> [SourceKey] {
    records.indices
      .filter { records[$0].generation != 0 && isWanted(records[$0]) }
      .map { SourceKey(slot: $0, generation: records[$0].generation) }
  }

  /// Whether a closure returns true for any source.
  func contains(where isWanted: (SourceRecord) -> Bool) -> Bool {
    records.contains { $0.generation != 0 && isWanted($0) }
  }

  /// Whether a source exists.
  func contains(_ key: SourceKey) -> Bool { records[key.slot].generation == key.generation }

  /// The record of a source that exists.
  subscript(key: SourceKey) -> SourceRecord {
    // Not `_read`: Swift 6.3 reads a large record that a `_read` yields after the end of the access, where its copy is
    // freed already, unless it inlines the access.
    @inline(__always) get {
      assert(contains(key))
      return records[key.slot]
    }
    @inline(__always) _modify {
      assert(contains(key))
      yield &records[key.slot]
    }
  }

  /// Whether a source exists and is observed.
  func isObserved(_ key: SourceKey) -> Bool { contains(key) && records[key.slot].observed != nil }

  /// The observation of an observed source.
  subscript(observed key: SourceKey) -> ObservedSource {
    // Both trap on a source that is not observed. The inlined access to a field copies the field alone, and not the
    // whole observation, whose references would be retained for each source and poll.
    @inline(__always) get {
      // swift-format-ignore: NeverForceUnwrap
      records[key.slot].observed!
    }
    @inline(__always) _modify {
      // swift-format-ignore: NeverForceUnwrap
      yield &records[key.slot].observed!
    }
  }

  /// The number of frames of an observed source's sound that the mixer takes for one of the mix.
  func step(of key: SourceKey, in scene: Scene, by handle: ContextHandle) -> Double {
    handle.step(of: self[key].scene.values, playing: self[observed: key].sound, in: scene)
  }

  /// The loop of an observed source.
  func loop(of key: SourceKey) -> LoopCounter.Loop {
    LoopCounter.Loop(range: self[observed: key].sound.loopRange, isOn: self[key].library.isLooping)
  }

  /// Adds a source, with everything at its default.
  mutating func add(_ scene: SceneSource) -> SourceKey {
    lastGeneration += 1
    let record = SourceRecord(generation: lastGeneration, scene)
    guard let slot = freeSlots.popLast() else {
      records.append(record)
      return SourceKey(slot: records.count - 1, generation: lastGeneration)
    }
    records[slot] = record
    return SourceKey(slot: slot, generation: lastGeneration)
  }

  /// Removes a source.
  mutating func remove(_ key: SourceKey) {
    records[key.slot] = SourceRecord(SceneSource(id: 0))
    freeSlots.append(key.slot)
  }

  /// Runs a closure with all records, by slot, to change many of them.
  @inline(__always)
  mutating func withRecords(_ body: (inout MutableSpan<SourceRecord>) -> Void) {
    var records = records.mutableSpan
    body(&records)
  }
}

// MARK: - Values for the library

extension SourceTable {
  /// Applies properties of several sources in the same mix.
  mutating func apply(_ properties: SourceProperties, of keys: [SourceKey], in scene: Scene, by handle: ContextHandle) {
    var transaction = SceneTransaction(handle, in: scene)
    for key in keys { transaction.apply(properties, of: &self[key].library.sceneSource) }
    transaction.end(ofListenerIn: scene)
  }

  /// Applies all properties of a source that differ from a new source's.
  mutating func applyEverything(of key: SourceKey, in scene: Scene, by handle: ContextHandle) {
    var fresh = SourceValues()
    // The applied gains may differ from the set gains, and a source that reaches its state inaudibly loops meanwhile.
    var changed = fresh.adopt(.everything, of: self[key].scene.values).union([.gain, .gainLimits, .looping])
    if scene.distanceModel != .inverseClamped { changed.insert(.attenuation) }
    // The routing depends on the room as well.
    if scene.sendLimit > 0 { changed.formUnion(.routing) }
    if changed.isDisjoint(with: .routing) {
      handle.apply(changed, of: &self[key].library.sceneSource, under: scene.distanceModel)
    } else {
      apply(changed, of: [key], in: scene, by: handle)
    }
    self[key].library.keepQueueFromLooping(by: handle)
  }

  /// Sets the factors of the gains of sources that fade in or out, in the same mix.
  mutating func setFadeGain(_ gain: Float, of keys: [SourceKey], in scene: Scene, by handle: ContextHandle) {
    for key in keys { self[key].library.sceneSource.fadeGain = gain }
    apply([.gain, .gainLimits], of: keys, in: scene, by: handle)
  }
}

extension SourceProperties {
  /// All properties.
  fileprivate static let everything = SourceProperties(rawValue: (1 << 24) - 1)
}
