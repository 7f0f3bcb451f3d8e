internal import Spatial3D

// The sounds of emitters: their variations, the samples that banks keep, and samples that were read again.

extension WorldState {
  /// Draws the variation of a play that the limits have admitted.
  mutating func drawVariation(of slot: EmitterSlot) {
    if let family = emitters.use(of: slot).family { emitters.setDraw(sounds.draw(from: family), of: slot) }
  }

  /// Goes over to newer samples of the sound, if there are any.
  mutating func moveToSuccessor(_ slot: EmitterSlot) {
    if sounds.hasSuccessors { emitters.setUse(sounds.moveToSuccessor(emitters.use(of: slot)), of: slot) }
  }

  /// Stores the samples that an emitter has asked for, or the failure to load them, and lets the emitters begin.
  mutating func finishLoading(_ sound: LoadedSound?, for key: LoadKey) {
    var sound = sound
    if let loaded = sound {
      let result = sounds.keep(loaded, for: key)
      sound = result.sound
      if let bank = result.bank { trim(bank, sparing: [key]) }
    }
    let entries = Set(sounds.finish(key, sound))
    // An emitter that has stopped meanwhile, or has another sound, waits no longer.
    for slot in sounds.takeWaiting(for: entries)
    where emitters[slot].isUsed && emitters[slot].status == .loading {
      if entries.contains(Int(emitters[slot].sound)) { begin(slot) }
    }
  }

  /// Keeps samples that a bank has loaded, for all emitters that wait for them.
  mutating func install(_ sound: LoadedSound, for key: LoadKey, of bank: Int) {
    guard sounds.install(sound, for: key, of: bank) else { return outbox.release(sound) }
    finishLoading(sound, for: key)
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
      if sound.mixedChannels > 1, self.sounds.isNew(.mixedDown, of: content) {
        outbox.report(.soundMixedDown(name, from: sound.mixedChannels))
      }
      if let range = sound.outerLoopRange,
        outbox.isNew("", about: ReportKey.loopRange(range, ofSound: name))
      {
        outbox.report(.loopRangeCut(range, name, to: sound.loopRange, frameCount: sound.frameCount))
      }
      guard content.bank != nil, sound.buffer != nil, sound.sampleRate != time.sampleRate else { continue }
      if self.sounds.isNew(.resampled, of: content) { others.append((name, sound.sampleRate)) }
    }
    if !others.isEmpty { outbox.report(.soundsResampled(others, time.sampleRate)) }
  }

  /// Releases samples until a bank is within its budget, except for the samples that play or are spared.
  mutating func trim(_ bank: Int, sparing spared: Set<LoadKey> = []) {
    let played = sounds.kept.isOverBudget(bank) ? playedSounds : []
    let (buffers, excess) = sounds.trim(bank, sparing: spared, played: played)
    emptyVoices(of: buffers)
    if let excess { outbox.report(.soundBankOverBudget(excess.byteCount, excess.budget)) }
  }

  /// Releases the samples of keys; emitters that play them do so to their end.
  mutating func drop(_ keys: [LoadKey]) {
    if !keys.isEmpty { emptyVoices(of: sounds.drop(keys, played: playedSounds)) }
  }

  /// The indices of the entries that emitters play.
  private var playedSounds: Set<Int> {
    Set(emitters.records.lazy.filter { $0.isUsed && $0.status != .idle }.map { Int($0.sound) })
  }

  /// Lets the sources give up buffers, at once or when they are free.
  private mutating func emptyVoices(of buffers: [ObjectIdentifier]) {
    for buffer in buffers { voices.release(buffer, &outbox.commands) }
  }

  /// Replaces a content by a content with newer samples.
  ///
  /// An emitter that plays goes on with the old samples until its end or its next lap.
  mutating func supersede(_ old: Int, by content: SoundContent) {
    sounds.supersede(old, by: content)
    guard sounds.entries.contains(where: { $0.successor != nil }) else { return }
    var moved: [EmitterSlot] = []
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
