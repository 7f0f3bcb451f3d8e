/// The voices of a world: their states, their uses and the collection of those that fall silent.
///
/// A function that changes a source appends a command to a list of its caller.
struct VoicePool: Sendable {
  /// The number of voices that emitters have; the pool has eight more, for those that fall silent.
  let limit: Int
  /// Whether each tick is at the end of a mix.
  let mixesByFrames: Bool
  /// The largest number of streams that play at a time; the streams of players come first.
  ///
  /// Chosen: each stream decodes into a buffer of its own. A game with more long sounds at a time sets another limit.
  var streamLimit = 16
  /// Whether the device pauses sources when its output is lost: the world plays its own on.
  var revives = false
  /// The number of the last use of a voice.
  private(set) var lastUse: Int
  private(set) var statistics = VoiceStatistics()
  private var voices: [Voice]

  init(limit: Int, mixesByFrames: Bool, voices: [Voice]) {
    self.limit = limit
    self.mixesByFrames = mixesByFrames
    self.voices = voices
    lastUse = voices.lazy.map(\.use).max() ?? 0
  }

  /// The frames after which a source whose gain is zero pauses.
  ///
  /// A tick suffices where it ends a mix. An output may be inside of a mix, and two mixes of a usual output are four
  /// ticks.
  var fadingFrames: Int { mixesByFrames ? MixTime.tick : 4 * MixTime.tick }

  // MARK: - Reading

  /// The indices of the voices.
  ///
  /// They do not refer to the pool, which may change during a loop over them.
  @inline(__always)
  var indices: LazyMapSequence<Range<Int>, VoiceIndex> { (0..<voices.count).lazy.map { VoiceIndex($0) } }

  subscript(index: VoiceIndex) -> Voice {
    // Inlined, so that a use of a field copies no voice; no `_read`, like the records of `EmitterTable`.
    @inline(__always) get { voices[index.position] }
  }

  var count: Int { voices.count }

  /// The voice of a use; `nil` for a use that is over.
  subscript(key: VoiceKey) -> Voice? { isInUse(key) ? voices[key.voice.position] : nil }

  /// Whether the use of a voice is its present one.
  func isInUse(_ key: VoiceKey) -> Bool { voices[key.voice.position].use == key.use }

  /// Whether a use of a voice is its present one, and an emitter has the voice.
  func isTaken(_ key: VoiceKey) -> Bool { isInUse(key) && voices[key.voice.position].isTaken }

  /// Whether the use of a voice waits for its stream.
  func isOpening(_ key: VoiceKey) -> Bool { isInUse(key) && voices[key.voice.position].state == .opening }

  /// Whether a voice sounds.
  @inline(__always)
  func isSounding(_ voice: VoiceIndex?) -> Bool { voice.map { voices[$0.position].state == .sounding } ?? false }

  /// The present use of a voice.
  func key(of voice: VoiceIndex) -> VoiceKey { VoiceKey(voice: voice, use: voices[voice.position].use) }

  /// The number of voices that emitters have.
  var takenCount: Int { voices.count(where: \.isTaken) }
  /// Whether emitters have as many voices as they may have.
  var isFull: Bool { takenCount >= limit }
  /// The number of voices that are free.
  var freeCount: Int { voices.count { $0.state == .free } }
  var hasFree: Bool { voices.contains { $0.state == .free } }
  /// Whether a voice is free, or will be by itself.
  var hasFreeSoon: Bool { voices.contains { !$0.isTaken } }
  /// Whether the streams that play have reached the limit.
  var areStreamsFull: Bool { voices.count { $0.isTaken && $0.isStream } >= streamLimit }
  /// Whether a voice needs the next tick.
  var isBusy: Bool { voices.contains { $0.state != .free && $0.state != .resting } }

  /// A voice that is free, if possible one whose source holds a sound already and needs no other buffer.
  func freeVoice(holding sound: ObjectIdentifier?) -> VoiceIndex? {
    var free: Int?
    for index in voices.indices where voices[index].state == .free {
      if voices[index].sound == sound { return VoiceIndex(index) }
      free = free ?? index
    }
    return free.map { VoiceIndex($0) }
  }
}

// MARK: - The beginning of a use

extension VoicePool {
  /// Lets a voice that is free play what an emitter plays; a stream is opened first.
  mutating func begin(
    _ voice: VoiceIndex,
    _ start: VoiceStart,
    for slot: EmitterSlot,
    feeds: VoiceFeeds,
    channelCount: Int,
    _ commands: inout [VoiceCommand]
  ) {
    let isStream = start.sound.isStream
    lastUse += 1
    voices[voice.position] = Voice(
      state: isStream ? .opening : .sounding,
      slot: slot,
      use: lastUse,
      values: start.values,
      isLooping: start.isLooping,
      sound: start.copies > 1 ? nil : start.sound.buffer.map { ObjectIdentifier($0) },
      isStream: isStream,
      stem: start.stem,
      feeds: feeds,
      channelCount: channelCount
    )
    commands.append(isStream ? .open(voice, start, key(of: voice)) : .start(voice, start))
  }

  /// Opens a stream in a voice that is free, for a part that it has for its player; `nil` where none is free.
  mutating func open(
    _ role: Voice.Role,
    _ start: VoiceStart,
    for slot: EmitterSlot,
    channelCount: Int,
    at begin: Int,
    _ commands: inout [VoiceCommand]
  ) -> VoiceKey? {
    guard let index = voices.firstIndex(where: { $0.state == .free }) else { return nil }
    lastUse += 1
    voices[index] = Voice(
      state: .opening,
      slot: slot,
      use: lastUse,
      values: start.values,
      isLooping: false,
      sound: voices[index].sound,
      isStream: true,
      stem: start.stem,
      role: role,
      channelCount: channelCount,
      begin: begin
    )
    let key = VoiceKey(voice: VoiceIndex(index), use: lastUse)
    commands.append(.open(key.voice, start, key))
    return key
  }

  /// The stream of a voice is open, and its source begins to play.
  mutating func beginStream(_ voice: VoiceIndex, _ start: VoiceStart) {
    voices[voice.position].state = .sounding
    store(start.values, of: voice)
    voices[voice.position].isLooping = start.isLooping
  }

  /// The stream of a voice is open, and its source waits for the command to play.
  mutating func prepare(_ voice: VoiceIndex, _ values: VoiceValues) {
    voices[voice.position].state = .resting
    store(values, of: voice)
  }

  /// Plays a voice that rests, at a clock of the mix or now.
  mutating func resume(
    _ voice: VoiceIndex,
    _ values: VoiceValues,
    sends: [VoiceSend],
    at moment: Duration?,
    _ commands: inout [VoiceCommand]
  ) {
    voices[voice.position].state = .sounding
    store(values, of: voice)
    commands.append(.set(voice, values, .all))
    commands.append(.setSends(voice, sends))
    commands.append(.play(voice, moment))
  }

  /// Sets the frame of the mix at which a voice begins.
  mutating func setBegin(_ frame: Int, of voice: VoiceIndex) { voices[voice.position].begin = frame }

  mutating func countPromoted() { statistics.promoted += 1 }
  mutating func countStolen() { statistics.stolen += 1 }

  /// Lets a voice play what its player plays, whatever its part was.
  mutating func becomePlain(_ voice: VoiceIndex) { voices[voice.position].role = .plain }
}

// MARK: - The values of a source

extension VoicePool {
  /// The emitter of a voice that sounds; `nil` for another voice.
  @inline(__always)
  func soundingSlot(of voice: VoiceIndex) -> EmitterSlot? {
    guard case .sounding = voices[voice.position].state else { return nil }
    return voices[voice.position].slot
  }

  /// Stores the update of the totals at which a source has all values of its emitter.
  mutating func setSettled(_ update: Int, _ voice: VoiceIndex) { voices[voice.position].settledUpdate = update }

  /// Moves a source that is settled to the position of its emitter.
  @inline(__always)
  mutating func follow(_ position: SIMD3<Float>, _ voice: VoiceIndex, _ commands: inout [VoiceCommand]) {
    guard position != voices[voice.position].values.position else { return }
    voices[voice.position].values.position = position
    commands.append(.move(voice, position))
  }

  private mutating func store(_ values: VoiceValues, of voice: VoiceIndex) {
    voices[voice.position].values = values
    voices[voice.position].settledUpdate = nil
  }

  /// Moves the values of a source towards the values of its emitter, and returns the properties that changed.
  ///
  /// Filters move by a step, in decibels, at most. A voice that will replace another voice stays silent.
  mutating func move(
    _ voice: VoiceIndex,
    to target: VoiceValues,
    filterStep: Float,
    _ commands: inout [VoiceCommand]
  ) -> VoiceValues.Changes {
    var values = target
    values.glide(from: voices[voice.position].values, by: filterStep)
    if voices[voice.position].role == .standby { values.gain = 0 }
    let changes = values.changes(from: voices[voice.position].values)
    voices[voice.position].settledUpdate = nil
    if !changes.isEmpty { set(voice, values, changes, &commands) }
    return changes
  }

  /// Sets the properties of a source that have changed.
  mutating func set(
    _ voice: VoiceIndex,
    _ values: VoiceValues,
    _ changes: VoiceValues.Changes,
    _ commands: inout [VoiceCommand]
  ) {
    store(values, of: voice)
    commands.append(.set(voice, values, changes))
  }

  /// Sets the gain of a source alone.
  mutating func setGain(_ gain: Float, of voice: VoiceIndex, _ commands: inout [VoiceCommand]) {
    voices[voice.position].values.gain = gain
    voices[voice.position].settledUpdate = nil
    commands.append(.set(voice, voices[voice.position].values, .gain))
  }

  /// Sets the occlusion and the obstruction of a source alone.
  mutating func setOcclusion(from values: VoiceValues, of voice: VoiceIndex, _ commands: inout [VoiceCommand]) {
    voices[voice.position].values.occlusion = values.occlusion
    voices[voice.position].values.obstruction = values.obstruction
    voices[voice.position].settledUpdate = nil
    commands.append(.set(voice, voices[voice.position].values, .occlusions))
  }

  mutating func setFeeds(_ feeds: VoiceFeeds, of voice: VoiceIndex) { voices[voice.position].feeds = feeds }

  mutating func setLooping(_ isLooping: Bool, of voice: VoiceIndex, _ commands: inout [VoiceCommand]) {
    guard isLooping != voices[voice.position].isLooping else { return }
    voices[voice.position].isLooping = isLooping
    commands.append(.setLooping(voice, isLooping))
  }
}

// MARK: - The end of a use

extension VoicePool {
  /// Takes a voice from its emitter; it is free as soon as it is silent.
  mutating func giveUp(
    _ voice: VoiceIndex,
    _ silencing: Voice.Silencing,
    at frame: Int,
    _ commands: inout [VoiceCommand]
  ) {
    let index = voice.position
    voices[index].slot = nil
    if voices[index].state == .resting { return stop(voice, at: frame, &commands) }
    guard voices[index].state == .sounding else {
      // A stream that is being opened finds that its use is over.
      voices[index].use = 0
      voices[index].state = .free
      return
    }
    switch silencing {
    case .drains:
      if voices[index].isLooping { commands.append(.setLooping(voice, false)) }
      voices[index].state = .draining
    case .cuts: stop(voice, at: frame, &commands)
    case .fades:
      voices[index].values.gain = 0
      commands.append(.silence(voice))
      voices[index].state = mixesByFrames ? .fading(since: frame, steps: 0) : .silencing
    }
  }

  private mutating func stop(_ voice: VoiceIndex, at frame: Int, _ commands: inout [VoiceCommand]) {
    commands.append(.stop(voice))
    voices[voice.position].state = .stopped(at: frame)
  }

  /// Pauses the source of a voice that is silent; it holds its playback position.
  mutating func rest(_ voice: VoiceIndex, _ commands: inout [VoiceCommand]) {
    voices[voice.position].state = .resting
    commands.append(.pause(voice, key(of: voice)))
  }

  /// Stops a voice that is silent, frees a voice that was stopped, and polls a voice that may end by itself.
  ///
  /// It returns the use of a source that may be late, a second after its beginning or its last underrun. The second is
  /// chosen: a stream that reads ahead for less than that, and is still too slow, has its next underrun before.
  mutating func collect(
    _ voice: VoiceIndex,
    at frame: Int,
    sampleRate: Int,
    _ commands: inout [VoiceCommand]
  ) -> VoiceKey? {
    let index = voice.position
    let state = voices[index].state
    if revives, state == .sounding || state == .opening || state == .draining { commands.append(.revive(voice)) }
    switch state {
    case .fading(let since, let steps) where mixesByFrames ? frame - since >= MixTime.tick : frame > since:
      // An output may be inside of a mix when the gain is set: the next one is silent.
      if mixesByFrames || steps > 0 {
        stop(voice, at: frame, &commands)
      } else {
        voices[index].state = .fading(since: frame, steps: steps + 1)
      }
    case .stopped(let stopped) where frame > stopped: free(voice, &commands)
    case .draining: commands.append(.poll(voice, key(of: voice)))
    case .sounding:
      if voices[index].isStream { commands.append(.poll(voice, key(of: voice))) }
      if let late = voices[index].lateSince, frame - late >= sampleRate { return key(of: voice) }
    default: break
    }
    return nil
  }

  /// The gain of a voice was set to zero in a turn of carrying out commands.
  mutating func silenced(_ voice: VoiceIndex, in turn: Int) {
    if voices[voice.position].state == .silencing { voices[voice.position].state = .silenced(turn: turn) }
  }

  /// The mixer has the gains that were set in a turn: an output may have mixed seconds in a row before that.
  mutating func beginFades(of turn: Int, at frame: Int) {
    for index in voices.indices where voices[index].state == .silenced(turn: turn) {
      voices[index].state = .fading(since: frame, steps: 0)
    }
  }

  /// Frees a voice that drains, once its source has stopped by itself.
  mutating func freeDrained(_ key: VoiceKey, _ commands: inout [VoiceCommand]) {
    guard isInUse(key), voices[key.voice.position].state == .draining else { return }
    free(key.voice, &commands)
  }

  private mutating func free(_ voice: VoiceIndex, _ commands: inout [VoiceCommand]) {
    voices[voice.position].state = .free
    if voices[voice.position].isStale { empty(voice, &commands) }
  }

  /// Takes samples that a bank has released from the sources that are free, and later from the others.
  mutating func release(_ sounds: [ObjectIdentifier], _ commands: inout [VoiceCommand]) {
    for sound in sounds {
      for index in voices.indices where voices[index].sound == sound {
        if voices[index].state == .free { empty(VoiceIndex(index), &commands) } else { voices[index].isStale = true }
      }
    }
  }

  private mutating func empty(_ voice: VoiceIndex, _ commands: inout [VoiceCommand]) {
    (voices[voice.position].isStale, voices[voice.position].sound) = (false, nil)
    commands.append(.empty(voice))
  }
}

// MARK: - Late sources

extension VoicePool {
  /// Stores the number of underruns of a stream that sounds; returns whether it has changed.
  mutating func noteUnderruns(_ count: Int, of key: VoiceKey, at frame: Int) -> Bool {
    guard let voice = self[key], voice.state == .sounding, voice.underrunCount != count else { return false }
    voices[key.voice.position].underrunCount = count
    voices[key.voice.position].lateSince = frame
    return true
  }

  /// Stores since when the source of a voice may be late; `nil` for a source that is where its clock is.
  mutating func setDelay(of voice: VoiceIndex, since frame: Int?) { voices[voice.position].lateSince = frame }
}

extension VoicePool: RateConvertible {
  mutating func convertFrames(_ conversion: FrameConversion) {
    for index in voices.indices { voices[index].convertFrames(conversion) }
  }
}
