internal import Spatial3D

/// The settings of a sound bank that its world needs.
struct BankRecord: Sendable {
  /// The bytes that the bank may keep; `nil` without a limit.
  var budget: Int?
  /// Whether the bank has reported that it is over its budget.
  var hasReported = false
  /// The sounds that were reported, as mixed down and for their rate.
  var mixedDown: Set<String> = []
  var resampled: Set<String> = []
}

// The samples that banks keep, and the release of those that the budget has no room for.

extension WorldState {
  /// Notes the play of an emitter, for the order in which samples are released.
  mutating func noteUse(of slot: EmitterSlot) {
    let index = Int(emitters[slot].sound)
    if sounds[index].bank != nil { sounds.kept.use(sounds[index].loadKey) }
  }

  /// Keeps samples that an emitter has asked for, if a bank does; returns those that are kept for the key.
  mutating func keep(_ sound: LoadedSound, for key: LoadKey) -> LoadedSound {
    if let kept = sounds.kept[key] { return kept }
    guard let bank = sounds.bank(of: key), sounds.banks[bank] != nil else { return sound }
    sounds.kept.keep(sound, for: key, of: bank)
    trim(bank, sparing: [key])
    return sound
  }

  /// Keeps samples that a bank has loaded, for all emitters that wait for them.
  mutating func install(_ sound: LoadedSound, for key: LoadKey, of bank: Int) {
    guard sounds.banks[bank] != nil, sounds.kept[key] == nil else { return outbox.release(sound) }
    sounds.kept.keep(sound, for: key, of: bank)
    adopt(sound, for: key)
  }

  /// Reports that a sound could not be loaded or holds less than it should: once, until it is whole.
  mutating func report(_ outcome: LoadedSound.Outcome, of content: SoundContent, _ keys: [SoundKey]) {
    let diagnostic: Diagnostic?
    switch outcome {
    case .success(let sound):
      report([(content, sound)])
      diagnostic = sound.isTruncated ? .soundIncomplete(content, keys, sound) : nil
    case .failure(let error): diagnostic = .soundUnavailable(content, keys, error)
    }
    let name = "\(keys.map(\.name)) \(content.path ?? "\(content.identity)")"
    guard let diagnostic else { return outbox.forget(name) }
    if outbox.isNew(diagnostic.message, about: name) { outbox.report(diagnostic) }
  }

  /// Reports sounds that were mixed down, and sounds of a bank that have another rate than the mix; once by name in a
  /// bank.
  mutating func report(_ sounds: [(content: SoundContent, sound: LoadedSound)]) {
    var others: [(name: String, rate: Int)] = []
    for (content, sound) in sounds {
      let name = content.name
      if sound.mixedChannels > 1,
        content.bank.map({ self.sounds.banks[$0]?.mixedDown.insert(name).inserted == true }) ?? true
      {
        outbox.report(.soundMixedDown(name, from: sound.mixedChannels))
      }
      if let range = sound.outerLoopRange,
        outbox.isNew("", about: ReportKey.loopRange(range, ofSound: name))
      {
        outbox.report(.loopRangeCut(range, name, to: sound.loopRange, frameCount: sound.frameCount))
      }
      guard let bank = content.bank, sound.buffer != nil, sound.sampleRate != time.physics.sampleRate else { continue }
      if self.sounds.banks[bank]?.resampled.insert(name).inserted == true { others.append((name, sound.sampleRate)) }
    }
    if !others.isEmpty { outbox.report(.soundsResampled(others, time.physics.sampleRate)) }
  }

  /// Releases samples until a bank is within its budget, except for those that play and those that are spared.
  mutating func trim(_ bank: Int, sparing spared: Set<LoadKey> = []) {
    guard let budget = sounds.banks[bank]?.budget, sounds.kept.byteCount(of: bank) > budget else {
      sounds.banks[bank]?.hasReported = false
      return
    }
    var playing: Set<ObjectIdentifier> = []
    for record in emitters.records where record.isUsed && record.status != .idle {
      if let sound = sounds[Int(record.sound)].loaded { playing.insert(ObjectIdentifier(sound)) }
    }
    let surplus = sounds.kept.surplus(of: bank, over: budget) { key, sound in
      spared.contains(key) || playing.contains(ObjectIdentifier(sound))
    }
    for key in surplus { drop(key) }
    let byteCount = sounds.kept.byteCount(of: bank)
    guard byteCount > budget else {
      sounds.banks[bank]?.hasReported = false
      return
    }
    guard sounds.banks[bank]?.hasReported == false else { return }
    sounds.banks[bank]?.hasReported = true
    outbox.report(.soundBankOverBudget(byteCount, budget))
  }

  /// Releases the samples of a key; emitters that play them do so to their end.
  mutating func drop(_ key: LoadKey) {
    guard let sound = sounds.kept.remove(key) else { return }
    let played = Set(emitters.records.lazy.filter { $0.isUsed && $0.status != .idle }.map { Int($0.sound) })
    sounds.release(sound) { played.contains($0) }
    guard let buffer = sound.buffer.map({ ObjectIdentifier($0) }) else { return }
    for voice in voices.voices.indices where voices.voices[voice].sound == buffer {
      if voices.voices[voice].state == .free { empty(voice) } else { voices.voices[voice].isStale = true }
    }
  }

  /// Replaces a content by a content with newer samples.
  ///
  /// An emitter that plays goes on with the old samples until its end or its next lap.
  mutating func supersede(_ old: Int, by content: SoundContent) {
    sounds.supersede(old, by: content)
    guard sounds.entries.contains(where: { $0.successor != nil }) else { return }
    var moved: [Int] = []
    for slot in emitters.indices
    where emitters[slot].isUsed && [.idle, .loading].contains(emitters[slot].status) {
      guard let next = sounds[Int(emitters[slot].sound)].successor else { continue }
      emitters.setUse(SoundTable.Use(index: next), of: slot)
      moved.append(slot)
    }
    sounds.recount(emitters.indices.filter { emitters[$0].isUsed }.map { emitters.use(of: $0) })
    for slot in moved where emitters[slot].status == .loading { begin(slot) }
  }

  /// Lets the loops that have begun another lap go on with the newer samples of their sounds.
  mutating func changeOver() {
    for slot in emitters.indices
    where emitters[slot].isUsed && emitters[slot].status == .playing {
      guard let next = sounds[Int(emitters[slot].sound)].successor else { continue }
      let old = emitters[slot].clock
      let laps = old.laps(at: now)
      guard laps > old.laps(at: time.lastTick), let from = sounds[Int(emitters[slot].sound)].loaded,
        let sound = sounds[next].loaded
      else { continue }
      postLaps(of: slot)
      let course = LogicalClock.Course(
        frameCount: sound.frameCount,
        loopRange: sound.loopRange,
        repeats: old.course.repeats
      )
      let seconds = (old.place(at: now) - Double(old.course.loopRange.lowerBound)) / Double(max(from.sampleRate, 1))
      let place = Double(course.loopRange.lowerBound) + max(seconds, 0) * Double(sound.sampleRate)
      moveToSuccessor(slot)
      let (now, step) = (now, old.step > 0 ? step(of: slot) : old.step)
      modify(slot) {
        $0.clock.change(to: course, place: place, at: now)
        $0.clock.setStep(step, at: now)
      }
      // Another voice begins with the newer samples, and the old one fades out.
      if isHeard(slot) { changeVoice(of: slot) }
    }
  }
}
