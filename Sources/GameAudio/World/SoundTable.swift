internal import Spatial3D

/// The sounds that emitters of a world use, each loaded once.
struct SoundTable: Sendable {
  /// The samples of a sound in one form.
  struct LoadKey: Hashable, Sendable {
    let content: ObjectIdentifier
    let isPlaced: Bool
    let loopRange: Range<Int>?
  }

  /// The properties by which two uses of a sound differ.
  fileprivate struct Key: Hashable, Sendable {
    let load: LoadKey
    let law: DistanceAttenuation
    let silentBeyond: Float?
    let limit: PlaybackLimit?
    let loudnessOfMany: Sound.LoudnessOfMany
  }

  /// Whether a sound can be played.
  enum State: Sendable { case loading, ready, failed }

  /// One use of a sound.
  struct Entry: Sendable {
    fileprivate let key: Key
    /// The content, for as long as an emitter has the sound.
    fileprivate var content: SoundContent?
    /// Whether the content still exists.
    ///
    /// A weak reference to it could release it under the world's lock.
    fileprivate let life: SoundContent.Life
    fileprivate(set) var users = 0
    fileprivate(set) var state: State
    fileprivate(set) var loaded: LoadedSound?
    let law: DistanceAttenuation
    let silentBeyond: Float
    /// The frame of the mix at which an emitter last began with it.
    var lastBegin: Int?

    fileprivate init(_ key: Key, _ content: SoundContent, like known: Entry?) {
      self.key = key
      self.content = content
      life = content.life
      (state, loaded) = (known?.state ?? .loading, known?.loaded)
      law = key.law
      silentBeyond = key.silentBeyond ?? .infinity
      users = 1
    }

    var loadKey: LoadKey { key.load }
    var identity: ObjectIdentifier { key.load.content }
    var limit: PlaybackLimit? { key.limit }
    var isCompensated: Bool { key.loudnessOfMany == .compensated }
    var isPlaced: Bool { key.load.isPlaced }
  }

  /// The work of loading a sound.
  struct Job: Sendable {
    let content: SoundContent
    let key: LoadKey
  }

  private(set) var entries: [Entry] = []
  private var indices: [Key: Int] = [:]
  private var free: [Int] = []
  /// The objects to release without the lock.
  var garbage: [any Sendable] = []

  subscript(index: Int) -> Entry {
    // Without copies, whose references would be counted.
    _read { yield entries[index] }
    _modify { yield &entries[index] }
  }

  /// Adds a user of a sound; returns its index, and the work if nobody has loaded the sound yet.
  mutating func add(_ sound: Sound, isPlaced: Bool) -> (index: Int, job: Job?) {
    let content = sound.content
    let load = LoadKey(content: ObjectIdentifier(content), isPlaced: isPlaced, loopRange: sound.loopRange)
    let key = Key(
      load: load,
      law: sound.attenuation.usable,
      silentBeyond: sound.silentBeyond.flatMap { $0 > 0 ? $0 : nil },
      limit: sound.limit,
      loudnessOfMany: sound.loudnessOfMany
    )
    if let index = indices[key] {
      // The address of a sound that is gone may belong to another one now.
      if entries[index].users > 0 || entries[index].life === content.life {
        if entries[index].state == .failed, entries[index].users == 0 { entries[index].state = .loading }
        entries[index].users += 1
        entries[index].content = content
        return (index, needsLoading(index) ? Job(content: content, key: load) : nil)
      }
      remove(index)
    }
    // A world in which nothing plays has no tick that removes them.
    if free.isEmpty, entries.count >= 32, entries.count.nonzeroBitCount == 1 { purge() }
    let known = entries.first { $0.key.load == load && ($0.users > 0 || $0.life === content.life) }
    let entry = Entry(key, content, like: known)
    let index = free.popLast() ?? entries.count
    if index == entries.count { entries.append(entry) } else { entries[index] = entry }
    indices[key] = index
    // A job for an entry whose users are gone has no effect.
    let isLoading = known.map { $0.state != .loading || $0.users > 0 } ?? false
    return (index, isLoading ? nil : Job(content: content, key: load))
  }

  /// Removes a user of a sound.
  ///
  /// Everything that is released goes to ``garbage``: captures of a stream's closure may end an emitter, whose end takes the
  /// lock of the world.
  mutating func removeUser(of index: Int) {
    entries[index].users -= 1
    guard entries[index].users == 0, let content = entries[index].content else { return }
    garbage.append(content)
    entries[index].content = nil
  }

  /// Removes the entries without users of sounds that are gone.
  mutating func purge() {
    for index in entries.indices where entries[index].users == 0 && entries[index].life.isOver {
      if indices[entries[index].key] == index { remove(index) }
    }
  }

  /// Stores the result of a job for all uses of the sound; returns their indices.
  mutating func finish(_ key: LoadKey, _ sound: LoadedSound?) -> [Int] {
    let changed = entries.indices.filter { entries[$0].users > 0 && entries[$0].key.load == key }
    for index in changed { (entries[index].state, entries[index].loaded) = (sound == nil ? .failed : .ready, sound) }
    return changed
  }

  /// Whether an entry without a user was never loaded.
  private func needsLoading(_ index: Int) -> Bool {
    entries[index].state == .loading && entries[index].users == 1
  }

  private mutating func remove(_ index: Int) {
    indices[entries[index].key] = nil
    if let sound = entries[index].loaded { garbage.append(sound) }
    (entries[index].state, entries[index].loaded) = (.failed, nil)
    free.append(index)
  }
}

extension DistanceAttenuation {
  /// The law with the values that a source would take; the default in place of a value that is no number.
  fileprivate var usable: DistanceAttenuation {
    func part(_ value: Float, _ standard: Float) -> Float { value.isNaN ? standard : min(max(value, 0), 1e9) }
    return DistanceAttenuation(
      referenceDistance: part(referenceDistance, 1),
      maximumDistance: maximumDistance.isNaN
        ? .greatestFiniteMagnitude : min(max(maximumDistance, 0), .greatestFiniteMagnitude),
      rolloffFactor: part(rolloffFactor, 1),
      model: model
    )
  }
}
