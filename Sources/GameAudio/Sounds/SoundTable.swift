internal import PCM
internal import Spatial3D

/// The sounds that emitters of a world use, each loaded once.
struct SoundTable: Sendable {
  var entries: [SoundEntry] = []
  var indices: [SoundEntry.Key: SoundIndex] = [:]
  /// The entries that share samples.
  var sharing: [LoadKey: [SoundIndex]] = [:]
  private var free: [SoundIndex] = []
  var families: [SoundFamily] = []
  private var familyIndices: [SoundFamily.Key: FamilyIndex] = [:]
  private var freeFamilies: [FamilyIndex] = []
  private var plays: [Int: SoundPlays] = [:]
  private(set) var variations = VariationSource()
  /// The banks, and the samples that they keep.
  var kept = KeptSounds()
  /// Whether samples in memory get the rate of the mix when they are loaded.
  var convertsRates = true
  /// The slots of the emitters that may wait for the samples of an entry.
  private var waiting: [SoundIndex: Set<EmitterSlot>] = [:]
  /// The samples of other stems that emitters are to go over to, by their slots.
  private(set) var moves: [EmitterSlot: Use] = [:]
  /// The number of entries for whose sounds there are newer samples.
  var successorCount = 0
  var hasSuccessors: Bool { successorCount > 0 }
  /// The slots of the emitters that play older samples; an emitter may have ended since.
  var outdated: [EmitterSlot] = []
  /// The objects to release without the lock.
  var released: [any Sendable] = []

  subscript(index: SoundIndex) -> SoundEntry {
    // Inlined, so that a use of a field copies no entry, whose references would be counted.
    @inline(__always) get { entries[index.position] }
    _modify { yield &entries[index.position] }
  }

  var allIndices: some Sequence<SoundIndex> { entries.indices.lazy.map { SoundIndex($0) } }

  /// The numbers of plays of an identity.
  func plays(of identity: Int) -> SoundPlays { plays[identity] ?? SoundPlays() }

  /// Changes the numbers of plays of an identity that an entry has.
  mutating func change(playsOf identity: Int, _ body: (inout SoundPlays) -> Void) {
    if let index = plays.index(forKey: identity) { body(&plays.values[index]) }
  }

  /// The keys of the sounds whose emitters use some samples, in their order.
  func keys(of load: LoadKey) -> [SoundKey] {
    Set(sharing[load, default: []].compactMap { plays(of: self[$0].identity).key }).sorted()
  }

  func members(of family: FamilyIndex) -> [SoundIndex] { families[family.position].members }
  func familyKey(of family: FamilyIndex) -> SoundFamily.Key { families[family.position].key }

  /// Adds a user of a sound; returns its `Use`, and the work for samples that nobody has loaded yet.
  mutating func add(_ sound: Sound, isPlaced: Bool, in stem: StemIndex = .main) -> (use: Use, jobs: [Job]) {
    let content = sound.variations[0].identity
    let load = LoadKey(content: content, isPlaced: isPlaced, loopRange: sound.loopRange, stem: stem)
    let key = SoundEntry.Key(sound, load)
    let result = add(sound.variations, key, SoundFamily.Key(sound, key))
    if let name = sound.key { change(playsOf: sound.identity) { $0.key = name } }
    return result
  }

  /// Adds the timeline of a player: no other entry shares it, and it goes with its player.
  mutating func addTimeline(_ timeline: LoadedSound) -> SoundIndex { store(SoundEntry(timeline: timeline)) }

  /// Gives the entry of a player another timeline.
  mutating func setTimeline(_ timeline: LoadedSound, of index: SoundIndex) {
    if let old = self[index].loaded, old !== timeline { released.append(old) }
    self[index].loaded = timeline
  }

  /// Replaces a user of a sound by a user of another form: with a position or without, and in a stem.
  mutating func change(_ use: Use, isPlaced: Bool, in stem: StemIndex = .main) -> (use: Use, jobs: [Job]) {
    guard let result = addForm(of: use, isPlaced: isPlaced, in: stem) else { return (use, []) }
    removeUser(of: use)
    return result
  }

  /// Adds a user of another form of a sound; `nil` for a sound whose content is gone.
  mutating func addForm(of use: Use, isPlaced: Bool, in stem: StemIndex = .main) -> (use: Use, jobs: [Job])? {
    let members = use.family.map { self.members(of: $0) } ?? [use.index]
    let contents = members.compactMap { self[$0].content }
    guard contents.count == members.count else { return nil }
    var key = self[members[0]].key
    (key.load.content, key.load.isPlaced, key.load.stem) = (contents[0].identity, isPlaced, stem)
    let family = use.family.map { familyKey(of: $0).beginning(with: key) }
    // The members of a family are in their order, so that the member that plays has the same position.
    let position = members.firstIndex(of: use.index)
    var (other, jobs) = add(contents, key, family)
    if let family = other.family, let position { other.index = self.members(of: family)[position] }
    return (other, jobs)
  }

  private mutating func add(
    _ contents: [SoundContent],
    _ key: SoundEntry.Key,
    _ familyKey: SoundFamily.Key?
  ) -> (use: Use, jobs: [Job]) {
    guard let familyKey else {
      let (index, job) = addUser(of: contents[0], key)
      return (Use(index: index), job.map { [$0] } ?? [])
    }
    var members: [SoundIndex] = []
    var jobs: [Job] = []
    for content in contents {
      var key = key
      key.load = key.load.with(content: content.identity)
      let (index, job) = addUser(of: content, key)
      members.append(index)
      if let job { jobs.append(job) }
    }
    variations.add(key.identity, contents[0].life)
    if let index = familyIndices[familyKey] {
      families[index.position].users += 1
      return (Use(index: members[0], family: index), jobs)
    }
    let family = SoundFamily(key: familyKey, members: members)
    let index = freeFamilies.popLast() ?? FamilyIndex(families.count)
    if index.position == families.count { families.append(family) } else { families[index.position] = family }
    familyIndices[familyKey] = index
    return (Use(index: members[0], family: index), jobs)
  }

  /// Keeps the samples to which an emitter that plays is to go over.
  mutating func addMove(of slot: EmitterSlot, to use: Use) { moves[slot] = use }

  /// Takes the samples of a move for an emitter, which is their user from now on.
  mutating func takeMove(of slot: EmitterSlot) { moves[slot] = nil }

  /// Gives up a move.
  mutating func removeMove(of slot: EmitterSlot) {
    if let use = moves.removeValue(forKey: slot) { removeUser(of: use) }
  }

  /// Draws the variation of a play.
  mutating func draw(from family: FamilyIndex) -> SoundFamily.Draw {
    variations.draw(from: families[family.position])
  }

  /// Starts the random numbers over, and forgets all choices.
  mutating func setSeed(_ seed: UInt64) { variations.setSeed(seed) }

  /// Continues with the random numbers of a recording.
  mutating func setRandom(_ random: RandomSequence) { variations.setRandom(random) }

  /// Removes a user of a sound.
  ///
  /// Everything that is released goes to ``released``: captures of a stream's closure may end an emitter, whose end
  /// takes the lock of the world.
  mutating func removeUser(of use: Use) {
    guard let family = use.family else { return removeUser(of: use.index) }
    for member in members(of: family) { removeUser(of: member) }
    if !members(of: family).contains(use.index) { removeUser(of: use.index) }
    families[family.position].users -= 1
    guard families[family.position].users == 0 else { return }
    familyIndices[familyKey(of: family)] = nil
    freeFamilies.append(family)
  }

  /// Removes the entries without users of sounds that are gone, and those whose samples another entry has too.
  mutating func purge() {
    for index in allIndices where self[index].users == 0 && indices[self[index].key] == index {
      if self[index].life.isOver || isSpare(index) { remove(index) }
    }
    variations.purge()
  }

  /// Whether another entry keeps the samples of one: a game may give each play of a sound other settings.
  private func isSpare(_ index: SoundIndex) -> Bool {
    sharing[self[index].key.load]?.contains { $0 != index && self[$0].state == .ready } ?? false
  }

  /// Stores the result of a job for all uses of the sound; returns their indices.
  ///
  /// An entry that an emitter plays keeps its samples if the frames of the new samples are others. It gets a successor,
  /// as in ``renew(_:with:played:)``.
  mutating func finish(_ key: LoadKey, _ sound: LoadedSound?, played: Set<SoundIndex>) -> [SoundIndex] {
    let changed = sharing[key, default: []].filter { self[$0].users > 0 }
    for index in changed {
      if let sound, let old = self[index].loaded, sound.hasOtherFrames(than: old), played.contains(index) {
        self[index].state = .ready
        retire(index, for: sound)
        continue
      }
      // The release of a buffer takes the lock of the context.
      if let old = self[index].loaded, old !== sound { released.append(old) }
      (self[index].state, self[index].loaded) = (sound == nil ? .failed : .ready, sound)
    }
    return changed
  }

  /// Whether an entry with a key has samples with other frames.
  func hasOtherFrames(for key: LoadKey, than sound: LoadedSound) -> Bool {
    sharing[key, default: []].contains { self[$0].loaded?.hasOtherFrames(than: sound) == true }
  }

  /// Lets an emitter begin when an entry has its samples.
  mutating func addWaiting(_ slot: EmitterSlot, for index: SoundIndex) { waiting[index, default: []].insert(slot) }

  /// Takes the slots of the emitters that wait for entries, in their order.
  mutating func takeWaiting(for entries: Set<SoundIndex>) -> [EmitterSlot] {
    Set(entries.compactMap { waiting.removeValue(forKey: $0) }.joined()).sorted()
  }

  /// The bank of the first used entry with some samples.
  func bank(of load: LoadKey) -> Int? {
    sharing[load, default: []].first { self[$0].users > 0 }.flatMap { self[$0].bank }
  }

  /// The work for a sound whose samples a bank has released.
  mutating func job(for index: SoundIndex) -> Job? {
    guard let content = self[index].content else { return nil }
    for other in sharing[self[index].key.load, default: []] where self[other].users > 0 {
      self[other].state = .loading
    }
    return job(for: self[index].key.load, of: content)
  }
}

// MARK: - Banks

extension SoundTable {
  mutating func addBank(_ bank: Int) { kept.addBank(bank) }
  mutating func setBudget(_ budget: Int?, ofBank bank: Int) { kept.setBudget(budget, of: bank) }

  /// Counts a play of the samples of an entry, for the order in which samples are released.
  mutating func countUse(of index: SoundIndex) {
    if self[index].bank != nil { kept.use(self[index].loadKey) }
  }

  /// Keeps samples that an emitter has asked for, if a bank does; returns the samples that are kept for the key, and
  /// the bank whose samples have become more.
  mutating func keep(_ sound: LoadedSound, for key: LoadKey) -> (sound: LoadedSound, bank: Int?) {
    if let known = kept[key] { return (known, nil) }
    guard let bank = bank(of: key), kept.hasBank(bank) else { return (sound, nil) }
    kept.keep(sound, for: key, of: bank)
    return (sound, bank)
  }

  /// Keeps samples that a bank has loaded; returns `false` if the bank is gone, or other samples are kept for the key.
  mutating func install(_ sound: LoadedSound, for key: LoadKey, of bank: Int) -> Bool {
    guard kept.hasBank(bank), kept[key] == nil else { return false }
    kept.keep(sound, for: key, of: bank)
    return true
  }

  /// Whether a bank reports a fault of a sound for the first time; always for a sound of no bank.
  mutating func isNew(_ fault: KeptSounds.Fault, of content: SoundContent) -> Bool {
    content.bank.map { kept.isNew(fault, of: content.name, in: $0) } ?? true
  }

  /// Releases samples until a bank is within its budget, except for the samples that play or are spared.
  ///
  /// `played` has the indices of the entries that emitters play. Returns the buffers that the sources are to give up,
  /// and the excess that the bank reports.
  mutating func trim(
    _ bank: Int,
    sparing spared: Set<LoadKey>,
    played: Set<SoundIndex>
  ) -> (buffers: [ObjectIdentifier], excess: KeptSounds.Excess?) {
    // A loop that plays goes over to its successor.
    let used = played.union(played.compactMap { self[$0].successor })
    let playing = Set(used.compactMap { self[$0].loaded.map { ObjectIdentifier($0) } })
    let (removed, excess) = kept.trim(bank) { spared.contains($0) || playing.contains(ObjectIdentifier($1)) }
    for sound in removed { release(sound, played: played) }
    return (removed.compactMap(\.bufferIdentity), excess)
  }

  /// Releases the samples of keys, except for the samples that emitters play; returns the buffers that the sources are
  /// to give up.
  mutating func drop(_ keys: [LoadKey], played: Set<SoundIndex>) -> [ObjectIdentifier] {
    let removed = keys.compactMap { kept.remove($0) }
    for sound in removed { release(sound, played: played) }
    return removed.compactMap(\.bufferIdentity)
  }

  /// Forgets a bank; the caller releases its samples.
  mutating func removeBank(_ bank: Int) { kept.removeBank(bank) }

  /// Releases samples; the samples that an emitter plays stay until its end.
  mutating func release(_ sound: LoadedSound, played: Set<SoundIndex>) {
    released.append(sound)
    for index in allIndices where self[index].loaded === sound {
      if self[index].users == 0 || !played.contains(index) { releaseSamples(of: index) }
    }
  }

  /// Moves the objects to release into another list; both lists keep their memory.
  mutating func moveReleased(into list: inout [any Sendable]) {
    guard !released.isEmpty else { return }
    list += released
    released.removeAll(keepingCapacity: true)
  }
}

// MARK: - Entries

extension SoundTable {
  /// The work for samples; samples of another stem are copied, instead of a file that is opened again.
  private func job(for load: LoadKey, of content: SoundContent) -> Job {
    var original: LoadedSound?
    for position in 0..<StemIndex.limit where original == nil && position != load.stem.position {
      var other = load
      other.stem = StemIndex(position)
      original = kept[other] ?? sharing[other]?.lazy.compactMap { self[$0].loaded }.first
    }
    return Job(content: content, key: load, convertsRate: convertsRates, original: original)
  }

  mutating func addUser(of content: SoundContent, _ key: SoundEntry.Key) -> (index: SoundIndex, job: Job?) {
    let samples = kept[key.load]
    if let index = indices[key] {
      if self[index].users == 0 {
        if let samples, self[index].state != .ready {
          (self[index].state, self[index].loaded) = (.ready, samples)
        }
        if self[index].state != .ready { self[index].state = .loading }
      }
      self[index].users += 1
      self[index].content = content
      let needsLoading = self[index].state == .loading && self[index].users == 1
      return (index, needsLoading ? job(for: key.load, of: content) : nil)
    }
    // A world in which nothing plays has no tick that removes entries. A purge at each doubling of the table costs a
    // constant time for each entry. Chosen: 32 entries are not worth a purge.
    if free.isEmpty, entries.count >= 32, entries.count.nonzeroBitCount == 1 { purge() }
    let known = sharing[key.load, default: []].first { self[$0].users > 0 || self[$0].state == .ready }
      .map { self[$0] }
    let loaded = samples ?? known?.loaded
    let state = loaded != nil ? .ready : known?.state ?? .loading
    var entry = SoundEntry(key, content, state == .released ? .loading : state, loaded)
    entry.users = 1
    let index = store(entry)
    indices[key] = index
    sharing[key.load, default: []].append(index)
    plays[key.identity, default: SoundPlays()].entries += 1
    // A job for an entry whose users are gone has no effect.
    let needsLoading = entry.state == .loading && known?.state != .loading
    return (index, needsLoading ? job(for: key.load, of: content) : nil)
  }

  private mutating func store(_ entry: SoundEntry) -> SoundIndex {
    let index = free.popLast() ?? SoundIndex(entries.count)
    if index.position == entries.count { entries.append(entry) } else { self[index] = entry }
    return index
  }

  mutating func removeUser(of index: SoundIndex) {
    self[index].users -= 1
    guard self[index].users == 0 else { return }
    if self[index].isTimeline { return remove(index) }
    guard let content = self[index].content else { return }
    released.append(content)
    self[index].content = nil
    if let next = takeSuccessor(of: index) { removeUser(of: next) }
    // A bank keeps or releases the samples of its contents itself. No later play has the key of a retired entry.
    let isReleasedByBank = content.bank != nil && kept[self[index].key.load] == nil
    if self[index].isRetired || isReleasedByBank { releaseSamples(of: index) }
  }

  private mutating func releaseSamples(of index: SoundIndex) {
    guard self[index].state == .ready, let sound = self[index].loaded else { return }
    released.append(sound)
    (self[index].state, self[index].loaded) = (.released, nil)
  }

  private mutating func remove(_ index: SoundIndex) {
    let identity = self[index].identity
    waiting[index] = nil
    indices[self[index].key] = nil
    let load = self[index].key.load
    sharing[load]?.removeAll { $0 == index }
    if sharing[load]?.isEmpty == true { sharing[load] = nil }
    change(playsOf: identity) { $0.entries -= 1 }
    if plays(of: identity).entries == 0 { plays[identity] = nil }
    if let sound = self[index].loaded { released.append(sound) }
    (self[index].state, self[index].loaded) = (.failed, nil)
    free.append(index)
  }
}

extension SoundTable: RateConvertible {
  mutating func convertFrames(_ conversion: FrameConversion) {
    plays = plays.mapValues { old in
      var plays = old
      conversion.convert(&plays.lastBegin)
      return plays
    }
  }
}
