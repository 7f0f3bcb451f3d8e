internal import PCM
internal import Spatial3D

// The values of a source that plays an emitter.

extension WorldScene {
  /// The emitter or the player of a slot, in words.
  func ownerInWords(of slot: EmitterSlot) -> String {
    let record = emitters[slot]
    if let playlist = playlist(of: slot) { return "a player (\(playlist.current.sound.name))" }
    let name = sounds[record.sound].content?.name
    return "emitter \(record.generation)\(name.map { " (\($0))" } ?? "")"
  }

  /// The emitter or the player of an identity, in words.
  func ownerInWords(of id: EmitterKey) -> String {
    emitters.has(id) ? ownerInWords(of: id.slot) : "a released emitter or player"
  }

  /// The stem in which the sounds of an emitter begin.
  func stem(of slot: EmitterSlot) -> StemIndex { mixer.buses[emitters.bus(of: slot)].totals.stem }

  /// Whether a source in the stem of an emitter's bus can play its sound: its samples are there, or it is a stream.
  func canMoveToStem(_ slot: EmitterSlot) -> Bool {
    let entry = sounds[emitters[slot].sound]
    return emitters[slot].isPlayer || entry.loadKey.stem == stem(of: slot)
  }

  /// The sends of an emitter and of its buses.
  func sends(of slot: EmitterSlot) -> [VoiceSend] {
    emitters[rare: slot].sends.joined(inheriting: mixer.buses[emitters.bus(of: slot)].totals.sends)
  }

  /// Whether a voice plays a sound whose channels may go to the loudspeakers as they are.
  func hasChannels(_ slot: EmitterSlot, channelCount: Int) -> Bool {
    let record = emitters[slot]
    return record.isPlayer ? channelCount > 1 : sounds[record.sound].loaded?.channelCount != 1
  }

  /// Moves the occlusion and the obstruction by rays of an emitter with a voice on by a time.
  mutating func stepRays(of slot: EmitterSlot, seconds: Float) {
    guard emitters[slot].hasRareSettings, emitters[rare: slot].rays.isMoving else { return }
    emitters[rare: slot].rays.step(seconds: seconds)
  }

  /// Lets an emitter without a voice belong to the listener at which it is loudest.
  mutating func updateListener(of slot: EmitterSlot) {
    guard space.listeners.count > 1, let emitter = emitters.placed(slot) else { return }
    let listener = loudestListener(of: emitter)
    emitters.store(slot) { $0.listener = listener }
  }

  /// Finds the path of an emitter; with a voice, it glides from the last path by some ticks.
  mutating func updatePath(of slot: EmitterSlot, glides: Bool = false, ticks: Float = 0) {
    if let emitter = emitters.placed(slot) { space.updatePath(of: emitter, glides: glides, ticks: ticks) }
  }

  /// The shares of an emitter that go to the zones: of sounds with a position, beside the sends of the game.
  // A call of its own would copy the whole state, which takes longer than the shares of a voice.
  @inline(__always)
  func feeds(of slot: EmitterSlot) -> VoiceFeeds {
    guard let emitter = emitters.placed(slot) else { return VoiceFeeds() }
    return space.zones.feeds(of: emitter, besides: ownSendCount(of: slot))
  }

  /// The largest number of sends that the game has asked for.
  @inline(__always)
  func ownSendCount(of slot: EmitterSlot) -> Int {
    emitters[rare: slot].sends.count + mixer.buses[emitters.bus(of: slot)].totals.sends.count
  }

  /// All sends of an emitter, with the sends to the zones.
  @inline(__always)
  func sends(of slot: EmitterSlot, with feeds: VoiceFeeds) -> [VoiceSend] {
    var sends = sends(of: slot)
    space.zones.append(feeds, to: &sends)
    return sends
  }

  /// The largest gain of a source: 24 dB, the largest gain of an emitter in `Emitter.gainRange`.
  private static let largestGain: Float = 16

  /// Whether the values of a source follow from the emitter and its bus alone, in straight paths to one listener.
  func valuesFollowFromEmitter(_ slot: EmitterSlot) -> Bool {
    let record = emitters[slot]
    return record.isPlaced && !record.isPlayer && emitters.reach(of: slot) == .infinity
      && sounds[record.sound].key.curve == nil
  }

  /// Whether values are the present values of a source for an emitter.
  func hasValues(_ values: VoiceValues, of slot: EmitterSlot) -> Bool {
    voiceValues(of: slot).changes(from: values).isEmpty
  }

  /// The values of a source for an emitter, as of now.
  ///
  /// The voices of a player may have different numbers of channels.
  ///
  /// A source plays on in its stem for a while after its bus got another one; `nil` for the stem of the bus.
  func voiceValues(of slot: EmitterSlot, channelCount: Int? = nil, in stem: StemIndex? = nil) -> VoiceValues {
    let record = emitters[slot]
    var values = VoiceValues()
    let bus = emitters.bus(of: slot)
    let busGain = stem.map { mixer.buses.sourceGain(of: bus, in: $0) } ?? mixer.buses[bus].totals.sourceGain
    var gain = record.gain * emitters.drawn(slot).gain * record.fade * record.copyGain * busGain
    values.gain = min(gain, Self.largestGain)
    values.pitch = pitch(of: slot)
    values.isPlaced = record.isPlaced
    values.filter = mixer.buses[bus].totals.filter
    values.busSendsVersion = mixer.buses[bus].totals.sendsVersion
    values.sendingBus = values.busSendsVersion > 0 ? bus : nil
    let emitter = emitters.placed(slot)
    let path = space.path(of: emitter)
    (values.occlusion, values.obstruction) = emitters[rare: slot].occlusion(on: path)
    if record.hasRareSettings {
      let rare = emitters[rare: slot]
      values.direction = rare.direction
      values.cone = rare.cone
      values.radius = rare.radius
      values.sendsVersion = rare.sendsVersion
    }
    if case .player(let player) = record.occupant {
      let channelCount = channelCount ?? self.channelCount(of: slot)
      if let law = players.panLaw(of: player, channelCount: channelCount) {
        values.apply(law, channelCount: channelCount)
      }
    }
    // Channels that go to the loudspeakers as they are have no angles.
    values.isDirect = mixer.buses[bus].isDirect && values.angles == StereoAngles()
    guard let emitter else {
      values.radius = 0
      let isMono = !record.isPlayer && sounds[record.sound].loaded?.channelCount == 1
      if isMono, players.hasTwoLoudspeakers { values.gain = min(gain * PanLaw.middleGain, Self.largestGain) }
      values.moveToFirst(of: space.listeners, from: record.listener)
      return values
    }
    values.position = path?.place ?? emitter.position
    values.velocity = path?.turned(record.velocity) ?? record.velocity
    values.direction = path?.turned(values.direction) ?? values.direction
    values.law = sounds[record.sound].law
    let silentBeyond = emitters.reach(of: slot)
    let hasCurve = sounds[record.sound].key.curve != nil
    if hasCurve || silentBeyond < .infinity {
      let way = values.position - space.listeners[record.listener].position
      let distance = (way * way).sum().squareRoot()
      gain *= Audibility.reach(at: distance, of: silentBeyond)
      if hasCurve { gain *= sounds[record.sound].curveGain(at: distance) }
      values.gain = min(gain, Self.largestGain)
    }
    values.moveToFirst(of: space.listeners, from: record.listener)
    return values
  }
}
