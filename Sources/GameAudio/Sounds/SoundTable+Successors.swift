// The entries of sounds whose samples change: files that were read again, and samples for another rate of the mix.

extension SoundTable {
  /// Gives each use of a content a successor with other samples.
  ///
  /// New emitters and families have the successors from now on. The caller moves the emitters, and then calls
  /// ``recount(_:)``.
  mutating func supersede(_ old: Int, by content: SoundContent) {
    for index in allIndices where self[index].key.load.content == old && self[index].users > 0 {
      var key = self[index].key
      key.load = key.load.with(content: content.identity)
      let (next, job) = addUser(of: content, key)
      // The next play loads samples that nobody needed when the others were read again.
      if job != nil { self[next].state = .released }
      setSuccessor(next, of: index)
    }
  }

  /// Replaces samples by samples for another rate of the mix; returns whether something uses them, and the bank that
  /// keeps them.
  ///
  /// An entry that an emitter plays keeps the old samples, and gets a successor with the new samples: the position of
  /// the emitter counts frames of the old samples. The caller then moves the idle emitters, as after
  /// ``supersede(_:by:)``.
  mutating func renew(
    _ old: LoadedSound,
    with sound: LoadedSound,
    played: Set<SoundIndex>
  ) -> (isUsed: Bool, bank: Int?) {
    guard let key = old.origin?.key else { return (false, nil) }
    let bank = kept.replace(old, by: sound, for: key)
    let entries = entries(playing: old, key)
    guard bank != nil || !entries.isEmpty else { return (false, nil) }
    for index in entries where played.contains(index) { retire(index, for: sound) }
    // The new entries may have purged some of the others.
    for index in self.entries(playing: old, key) { self[index].loaded = sound }
    released.append(old)
    return (true, bank)
  }

  /// The entries whose next plays have some samples, which were loaded under a key.
  private func entries(playing sound: LoadedSound, _ key: LoadKey) -> [SoundIndex] {
    // Emitters of the other form may share the samples.
    [key, key.otherForm].flatMap { sharing[$0, default: []] }
      .filter { self[$0].loaded === sound && self[$0].successor == nil }
  }

  /// Gives an entry that emitters play a successor under its own key, for all later plays.
  ///
  /// The entry then has a key that no sound has, and goes with its last emitter.
  mutating func retire(_ index: SoundIndex, for sound: LoadedSound) {
    guard let content = self[index].content else { return }
    let key = self[index].key
    indices[key] = nil
    sharing[key.load]?.removeAll { $0 == index }
    self[index].retire()
    indices[self[index].key] = index
    sharing[self[index].key.load] = [index]
    let next = addUser(of: content, key).index
    (self[next].state, self[next].loaded) = (.ready, sound)
    setSuccessor(next, of: index)
  }

  private mutating func setSuccessor(_ next: SoundIndex, of index: SoundIndex) {
    // An older entry of the same sound goes over to the newest samples at once.
    for other in allIndices where self[other].successor == index { self[other].successor = next }
    if self[index].successor == nil { successorCount += 1 }
    self[index].successor = next
    for family in families.indices where families[family].users > 0 && families[family].members.contains(index) {
      families[family].members = families[family].members.map { $0 == index ? next : $0 }
    }
  }

  /// Whether samples are in use, or would be played next.
  func needsRenewal(_ sound: LoadedSound) -> Bool {
    guard convertsRates, let key = sound.origin?.key else { return false }
    return kept[key] === sound || !entries(playing: sound, key).isEmpty
  }

  /// The work of making the samples anew that were made for another rate of the mix, each once.
  func renewals(at mixRate: Int) -> [Job] {
    let sounds = entries.filter { $0.successor == nil }.compactMap(\.loaded) + kept.all
    var known: Set<ObjectIdentifier> = []
    return sounds.compactMap { sound in
      guard sound.isStale(at: mixRate), known.insert(ObjectIdentifier(sound)).inserted else { return nil }
      return sound.renewal
    }
  }

  /// Whether all samples in memory were loaded with the present setting.
  var areConvertedAlike: Bool {
    (entries.compactMap(\.loaded) + kept.all).allSatisfy { $0.buffer == nil || ($0.origin != nil) == convertsRates }
  }

  /// Counts the users of all entries anew.
  mutating func recount(_ uses: [Use]) {
    var counts = Array(repeating: 0, count: entries.count)
    for use in uses + moves.values {
      let members = use.family.map { self.members(of: $0) } ?? []
      for member in members { counts[member.position] += 1 }
      if !members.contains(use.index) { counts[use.index.position] += 1 }
    }
    // An entry holds its successor, which has none itself: `setSuccessor` has moved the others.
    for index in entries.indices where counts[index] > 0 {
      if let next = entries[index].successor { counts[next.position] += 1 }
    }
    for index in entries.indices where entries[index].users > 0 {
      entries[index].users = max(counts[index], 1)
      guard counts[index] == 0 else { continue }
      // The last user is removed like any other; the counts are without its successor.
      _ = takeSuccessor(of: SoundIndex(index))
      removeUser(of: SoundIndex(index))
    }
  }

  /// Moves a user of an entry with newer samples to those.
  mutating func moveToSuccessor(_ use: Use) -> Use {
    guard let next = self[use.index].successor else { return use }
    if use.family == nil { self[next].users += 1 }
    removeUser(of: use.index)
    return Use(index: next, family: use.family)
  }

  mutating func takeSuccessor(of index: SoundIndex) -> SoundIndex? {
    guard let next = self[index].successor else { return nil }
    self[index].successor = nil
    successorCount -= 1
    return next
  }
}
