internal import PCM
internal import Spatial3D

/// A value of a bus that moves from tick to tick.
struct BusFade: Sendable {
  /// The value that moves.
  enum Value: Hashable, Sendable {
    case gain
    case pitch
    case low
    case high
    /// The level of a pause, and the level of the buses that are muted while other programs play audio.
    case pause
    case otherAudio
    case send(ObjectIdentifier)
  }

  /// A value of one bus has one fade.
  struct Key: Hashable, Sendable {
    let bus: BusIndex
    let value: Value
  }

  /// A gain, or the level of a filter.
  enum Amount: Hashable, Sendable {
    case gain(Gain)
    case level(Decibels)
  }

  let key: Key
  let from: Amount
  let to: Amount
  var begin: Int
  let fade: Fade
  /// Whether the end of the fade removes the send, or stops the time of the sounds.
  let completes: Bool

  var bus: BusIndex { key.bus }
  var value: Value { key.value }

  /// The amount at a time after the beginning of the fade.
  func amount(after time: Duration) -> Amount {
    switch (from, to) {
    case (.gain(let first), .gain(let last)): .gain(fade.gain(from: first, to: last, after: time))
    case (.level(let first), .level(let last)): .level(fade.level(from: first, to: last, after: time))
    case (.gain, .level), (.level, .gain): to
    }
  }
}

// Fades of buses, pauses and duckers: the part of a tick that comes before the choice.

extension WorldState {
  /// Begins a fade of a bus from the value in force; one without a duration is over at once.
  mutating func beginFade(
    ofBus bus: BusIndex,
    _ value: BusFade.Value,
    to amount: BusFade.Amount,
    _ fade: Fade,
    completes: Bool = false
  ) {
    addFade(ofBus: bus, value, to: amount, fade, completes: completes)
    if fade.duration <= .zero { stepBuses(ahead: 0) }
  }

  /// Begins fades of many buses to their lines of a snapshot.
  mutating func apply(_ snapshot: MixSnapshot, _ fade: Fade) {
    for index in mixer.buses.indices {
      guard let line = snapshot.lines[BusName(mixer.buses[index].name)] else { continue }
      for (value, amount) in line.amounts { addFade(ofBus: index, value, to: amount, fade, completes: false) }
    }
    if fade.duration <= .zero { stepBuses(ahead: 0) }
  }

  private mutating func addFade(
    ofBus bus: BusIndex,
    _ value: BusFade.Value,
    to amount: BusFade.Amount,
    _ fade: Fade,
    completes: Bool
  ) {
    let key = BusFade.Key(bus: bus, value: value)
    let from = mixer.buses[bus].amount(of: value)
    mixer.fades.set(BusFade(key: key, from: from, to: amount, begin: now, fade: fade, completes: completes), for: key)
  }

  /// Ends a fade at the value in force.
  mutating func removeFade(ofBus bus: BusIndex, _ value: BusFade.Value) {
    if !mixer.fades.isEmpty { mixer.fades.remove(BusFade.Key(bus: bus, value: value)) }
  }

  /// Pauses a bus once more, after a fade.
  mutating func pauseBus(_ bus: BusIndex, _ fade: Fade) {
    mixer.buses[bus].pauses += 1
    guard mixer.buses[bus].pauses == 1 else { return }
    beginFade(ofBus: bus, .pause, to: .gain(.silence), fade, completes: true)
  }

  /// Takes one pause back; the last one lets the sounds go on, with a fade.
  mutating func resumeBus(_ bus: BusIndex, _ fade: Fade) {
    guard mixer.buses[bus].pauses > 0 else { return }
    mixer.buses[bus].pauses -= 1
    guard mixer.buses[bus].pauses == 0 else { return }
    beginFade(ofBus: bus, .pause, to: .gain(.unity), fade)
    // The voices that begin at the position of the pause begin with the level at the end of their first tick.
    _ = stepFadesOfBuses(ahead: AudioWorld.tick)
    mixer.buses[bus].isHalted = false
    carryOut(mixer.buses.updateTotals())
  }

  /// Moves the fades and the duckers to the end of the next tick.
  mutating func stepBuses(ahead: Int = AudioWorld.tick) {
    let hasFaded = stepFadesOfBuses(ahead: ahead)
    let hasDucked = ahead > 0 && stepDuckers()
    if hasFaded || hasDucked { carryOut(mixer.buses.updateTotals()) }
  }

  /// Sets the values of all fades; returns whether there is one.
  private mutating func stepFadesOfBuses(ahead: Int) -> Bool {
    guard !mixer.fades.isEmpty else { return false }
    var finished: [BusFade.Key] = []
    for running in mixer.fades.values {
      let isOver = now - running.begin >= frames(in: running.fade.duration)
      let time = time(ofFrames: now + ahead - running.begin)
      mixer.buses[running.bus].set(running.value, to: isOver ? running.to : running.amount(after: time))
      guard isOver else { continue }
      finished.append(running.key)
      guard running.completes else { continue }
      switch running.value {
      case .pause: mixer.buses[running.bus].isHalted = true
      case .send(let unit): removeSend(to: unit, ofBus: running.bus)
      case .gain, .pitch, .low, .high, .otherAudio: break
      }
    }
    for key in finished { mixer.fades.remove(key) }
    return true
  }

  private mutating func removeSend(to unit: ObjectIdentifier, ofBus bus: BusIndex) {
    guard let index = mixer.buses[bus].sends.firstIndex(where: { ObjectIdentifier($0.unit) == unit }) else { return }
    // The release of an effect takes the lock of the context.
    outbox.release(mixer.buses[bus].sends.remove(at: index).unit)
  }

  /// Moves the duckers; returns whether a level has changed.
  private mutating func stepDuckers() -> Bool {
    // A late tick covers all of the time since the last one. The first one after a rest moves by its own length.
    let elapsed = min(max(now - mixer.duckedUntil, AudioWorld.tick), 8 * time.physics.sampleRate)
    mixer.duckedUntil = now
    guard !mixer.duckers.isEmpty else { return false }
    computeBusPowers()
    let seconds = Double(elapsed) / Double(max(time.physics.sampleRate, 1))
    var isChanged = false
    for index in mixer.duckers.indices {
      let before = mixer.duckers[index].level
      let level = Decibels(factor: mixer.powers[mixer.duckers[index].trigger.position].squareRoot())
      mixer.duckers[index].advance(triggerLevel: level, by: seconds)
      if mixer.duckers[index].level != before { isChanged = true }
    }
    guard isChanged else { return false }
    mixer.duckers.removeAll { $0.isRetired && $0.level == 0 }
    adoptDucks()
    return true
  }

  private mutating func adoptDucks() {
    for index in mixer.buses.indices where mixer.buses[index].duck != 0 { mixer.buses[index].duck = 0 }
    for ducker in mixer.duckers {
      mixer.buses[ducker.target].duck = max(mixer.buses[ducker.target].duck + ducker.level, Ducker.floor)
    }
  }

  /// Adds, changes or ends a ducker; returns `false` if it would depend on its own effect.
  mutating func duck(_ target: BusIndex, under trigger: BusIndex, _ ducking: Ducking?) -> Bool {
    let known = mixer.duckers.firstIndex { $0.target == target && $0.trigger == trigger }
    guard let ducking else {
      guard let known else { return true }
      if mixer.duckers[known].level == 0 { mixer.duckers.remove(at: known) } else { mixer.duckers[known].retire() }
      return true
    }
    let isInForce = known.map { !mixer.duckers[$0].isRetired } ?? false
    guard isInForce || !mixer.buses.isCycle(target, under: trigger, beside: mixer.duckers) else { return false }
    if let known {
      mixer.duckers[known].set(ducking)
    } else {
      mixer.duckers.append(Ducker(target, under: trigger, ducking))
    }
    return true
  }

  /// Predicts the power of each bus, including the buses inside it.
  private mutating func computeBusPowers() {
    mixer.powers.removeAll(keepingCapacity: true)
    mixer.powers.append(contentsOf: repeatElement(0, count: mixer.buses.count))
    for index in voices.voices.indices where isFirst(index) {
      let slot = voices.voices[index].slot
      let (bus, power) = (emitters.bus(of: slot), power(of: slot))
      mixer.powers[bus.position] += power
    }
    for index in mixer.buses.indices.reversed() {
      if let parent = mixer.buses[index].parent { mixer.powers[parent.position] += mixer.powers[index.position] }
    }
  }

  /// The predicted level of a bus, including the buses inside it.
  func level(ofBus index: BusIndex) -> Decibels {
    var sum: Float = 0
    for voice in voices.voices.indices where isFirst(voice) {
      let slot = voices.voices[voice].slot
      if mixer.buses.isBus(emitters.bus(of: slot), inside: index) { sum += power(of: slot) }
    }
    return max(Decibels(factor: sum.squareRoot()), -160)
  }

  /// Whether a voice sounds and is the first voice of its emitter: the second voice of a player is silent, or waits.
  private func isFirst(_ voice: VoiceIndex) -> Bool {
    let slot = voices.voices[voice].slot
    return voices.voices[voice].state == .sounding && slot >= 0 && Int(emitters[slot].voice) == voice
  }

  /// The predicted power of an emitter at the listener, at its present position in the sound.
  ///
  /// An emitter that begins at a moment has its voice ahead of the moment.
  private func power(of slot: EmitterSlot) -> Float {
    guard emitters[slot].began <= now else { return 0 }
    let audible = audibility(of: slot, envelope: soundLevel(of: slot)).audible
    return audible * audible
  }
}

extension BusRecord {
  /// The amount of a value in force; a pitch is a factor like a gain, so that a fade of it is straight in semitones.
  fileprivate func amount(of value: BusFade.Value) -> BusFade.Amount {
    switch value {
    case .gain: .gain(Gain(gain))
    case .pitch: .gain(Gain(pitch))
    case .low: .level(filter.low)
    case .high: .level(filter.high)
    case .pause: .gain(Gain(pauseLevel))
    case .otherAudio: .gain(Gain(otherAudioLevel))
    case .send(let unit): .gain(Gain(sends.first { ObjectIdentifier($0.unit) == unit }?.gain ?? 0))
    }
  }

  fileprivate mutating func set(_ value: BusFade.Value, to amount: BusFade.Amount) {
    switch (value, amount) {
    case (.gain, .gain(let new)): gain = new.rawValue
    case (.pitch, .gain(let new)): pitch = new.rawValue
    case (.low, .level(let new)): filter.low = new
    case (.high, .level(let new)): filter.high = new
    case (.pause, .gain(let new)): pauseLevel = new.rawValue
    case (.otherAudio, .gain(let new)): otherAudioLevel = new.rawValue
    case (.send(let unit), .gain(let new)):
      for index in sends.indices where ObjectIdentifier(sends[index].unit) == unit { sends[index].gain = new.rawValue }
    case (.gain, .level), (.pitch, .level), (.low, .gain), (.high, .gain), (.pause, .level), (.otherAudio, .level),
      (.send, .level):
      break
    }
  }
}
