internal import PCM
internal import Spatial3D

// The sounds of emitters: samples that are loaded, released or read again.

extension WorldPlayback {
  /// Stores the samples that an emitter has asked for, or the failure to load them, and lets the emitters begin.
  mutating func finishLoading(_ sound: LoadedSound?, for key: LoadKey) {
    var sound = sound
    if let loaded = sound {
      let result = scene.sounds.keep(loaded, for: key)
      sound = result.sound
      if let bank = result.bank { trim(bank, sparing: [key]) }
    }
    let played = sound.map { scene.sounds.hasOtherFrames(for: key, than: $0) } == true ? scene.playedSounds : []
    let entries = Set(scene.sounds.finish(key, sound, played: played))
    if !played.isEmpty { moveToSuccessors() }
    if !scene.sounds.moves.isEmpty { finishMoves() }
    // An emitter that has stopped meanwhile, or has another sound, waits no longer.
    for slot in scene.sounds.takeWaiting(for: entries)
    where scene.emitters[slot].isUsed && scene.emitters[slot].status == .loading {
      if entries.contains(scene.emitters[slot].sound) { begin(slot) }
    }
    if let sound { renewIfStale(sound) }
  }

  /// Makes samples anew that were loaded while the rate of the mix changed.
  private mutating func renewIfStale(_ sound: LoadedSound) {
    guard scene.sounds.convertsRates, sound.isStale(at: scene.time.sampleRate), let job = sound.renewal else { return }
    outbox.load(job)
  }

  /// Makes all samples anew that were made for another rate of the mix.
  mutating func renewSounds() {
    guard scene.sounds.convertsRates else { return }
    // A world in which nothing plays has no tick that removes the sounds that are gone.
    scene.sounds.purge()
    outbox.load(scene.sounds.renewals(at: scene.time.sampleRate))
  }

  /// Replaces samples by samples for another rate of the mix.
  ///
  /// An emitter that plays goes on with the old samples until its end or its next lap.
  mutating func renew(_ old: LoadedSound, with sound: LoadedSound) {
    let (isUsed, bank) = scene.sounds.renew(old, with: sound, played: scene.playedSounds)
    guard isUsed else { return outbox.release(sound) }
    voices.release([old.bufferIdentity].compactMap(\.self), &outbox.commands)
    moveToSuccessors()
    if let bank { trim(bank, sparing: Set([sound.origin?.key].compactMap(\.self))) }
    renewIfStale(sound)
  }

  /// Keeps samples that a bank has loaded, for all emitters that wait for them.
  mutating func install(_ sound: LoadedSound, for key: LoadKey, of bank: Int) {
    guard scene.sounds.install(sound, for: key, of: bank) else { return outbox.release(sound) }
    finishLoading(sound, for: key)
  }

  /// Releases samples until a bank is within its budget, except for the samples that play or are spared.
  mutating func trim(_ bank: Int, sparing spared: Set<LoadKey> = []) {
    let played = scene.sounds.kept.isOverBudget(bank) ? scene.playedSounds : []
    let (buffers, excess) = scene.sounds.trim(bank, sparing: spared, played: played)
    voices.release(buffers, &outbox.commands)
    if let excess { outbox.report(.soundBankOverBudget(excess.byteCount, excess.budget)) }
  }

  /// Releases the samples of keys; emitters that play them do so to their end.
  mutating func drop(_ keys: [LoadKey]) {
    if !keys.isEmpty { voices.release(scene.sounds.drop(keys, played: scene.playedSounds), &outbox.commands) }
  }

  /// Replaces a content by a content with newer samples.
  ///
  /// An emitter that plays goes on with the old samples until its end or its next lap.
  mutating func supersede(_ old: Int, by content: SoundContent) {
    scene.sounds.supersede(old, by: content)
    moveToSuccessors()
  }

  /// Moves the emitters that do not play to the newer samples of their sounds.
  private mutating func moveToSuccessors() {
    guard scene.sounds.hasSuccessors else { return }
    var (moved, outdated): ([EmitterSlot], [EmitterSlot]) = ([], [])
    for slot in scene.emitters.indices where scene.emitters[slot].isUsed {
      guard let next = scene.sounds[scene.emitters[slot].sound].successor else { continue }
      switch scene.emitters[slot].status {
      case .idle, .loading:
        scene.emitters.setUse(SoundTable.Use(index: next), of: slot)
        moved.append(slot)
      default: outdated.append(slot)
      }
    }
    scene.sounds.outdated = outdated
    scene.sounds.recount(scene.emitters.indices.filter { scene.emitters[$0].isUsed }.map { scene.emitters.use(of: $0) })
    for slot in moved where scene.emitters[slot].status == .loading { begin(slot) }
  }

  /// Lets the loops that have begun another lap go on with the newer samples of their sounds.
  mutating func changeOver() {
    var hasChanged = false
    for slot in scene.sounds.outdated
    where scene.emitters[slot].isUsed && scene.emitters[slot].status == .playing {
      guard let next = scene.sounds[scene.emitters[slot].sound].successor else { continue }
      let old = scene.emitters[slot].clock
      let laps = old.laps(at: now)
      guard laps > old.laps(at: scene.time.lastTick), let from = scene.sounds[scene.emitters[slot].sound].loaded,
        let sound = scene.sounds[next].loaded
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
      let (now, step) = (now, old.step > 0 ? scene.step(of: slot) : old.step)
      scene.modify(slot) {
        $0.clock.change(to: course, place: place, at: now)
        $0.clock.setStep(step, at: now)
      }
      // Another voice begins with the newer samples, and the old one fades out.
      if isHeard(slot) {
        changeVoice(of: slot)
        noteDelay(of: slot, playing: sound)
      }
      hasChanged = true
    }
    guard hasChanged else { return }
    scene.sounds.outdated = scene.sounds.outdated.filter {
      scene.emitters[$0].isUsed && scene.sounds[scene.emitters[$0].sound].successor != nil
    }
  }

  /// Stores that the source of an emitter begins up to a mix late on an output, or later on a busy machine.
  private mutating func noteDelay(of slot: EmitterSlot, playing sound: LoadedSound) {
    let clock = scene.emitters[slot].clock
    let plan = LoopPlan(clock, at: now, sampleRate: sound.sampleRate, isStream: sound.isStream)
    // The position of a queue of copies is no position in the sound.
    guard !scene.time.mixesByFrames, plan.copies == 1, let voice = scene.emitters[slot].voice else { return }
    voices.setDelay(of: voice, since: now)
  }

  /// Lets an emitter go over to newer samples; the sources that hold the older samples give them up.
  mutating func moveToSuccessor(_ slot: EmitterSlot) {
    guard let old = scene.moveToSuccessor(slot) else { return }
    voices.release([old.bufferIdentity].compactMap(\.self), &outbox.commands)
  }
}
