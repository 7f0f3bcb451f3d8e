internal import Spatial3D

/// The values and the state of one emitter, which only the chosen emitters need.
struct EmitterRecord: Sendable {
  /// The state of an emitter.
  enum Status: UInt8, Sendable {
    case idle
    /// Asked to play, before its sound is loaded.
    case loading
    case playing
    case paused
    /// Paused while its sound was being loaded: it has no clock, and begins when it is resumed.
    case pausedBeforeStart
    /// Fading out, to an end.
    case stopping
    /// Fading out, to a pause.
    case pausing
  }

  /// Whether an emitter is rendered at its position.
  enum Placement: UInt8, Sendable {
    case placed
    /// Without a position: rendered in stereo if its sound is.
    case unplaced
    /// With a position that its bus of the kind `direct` ignores.
    case unplacedByBus

    init(hasPosition: Bool, isBusDirect: Bool) {
      self = !hasPosition ? .unplaced : isBusDirect ? .unplacedByBus : .placed
    }
  }

  /// The relation of an emitter to the limits of its sound and of its buses.
  enum LimitState: UInt8, Sendable {
    case uncounted
    case counted
    /// A limit keeps the emitter virtual, and counts it no longer.
    case virtual
  }

  /// Distinguishes the emitters that have had the slot.
  var generation: UInt32 = 0
  /// The user of the slot.
  var occupant = Occupant.free
  private var flags: Flags = [.hasHandle, .hasNewValues]
  var status = Status.idle
  var placement = Placement.placed
  var limitState = LimitState.uncounted
  /// The listener that it is rendered for.
  var listener: ListenerIndex = 0
  var priority = Priority.normal
  var behavior = VirtualBehavior.elapsedTime
  var gain: Float = 1
  var fade: Float = 1
  /// The correction for copies that began together.
  var copyGain: Float = 1
  /// The largest score for a gain of 1, while it waits for a voice; infinite if its law of distance has no bound.
  var weightFactor: Float = 0
  var pitch: Float = 1
  /// The factor of the frequency by motion.
  var shift: Float = 1
  // A vector would take the room of four numbers.
  private var velocityX: Float = 0
  private var velocityY: Float = 0
  private var velocityZ: Float = 0
  var voice: VoiceIndex?
  /// The entry of the sound; a new emitter gets it with its slot.
  var sound: SoundIndex = 0
  /// The index of the rare settings; 0 for the defaults.
  var rare: Int32 = 0
  /// The position in the order of the beginnings.
  var order: UInt32 = 0
  /// The laps that were reported.
  var laps: Int32 = 0
  /// The last end that was deferred until a tick, which may have come since.
  var deferredEnd: DeferredEnd?
  /// The frames of the mix at which it began, and at which it got or lost its voice.
  var began = 0
  var switched = 0
  /// The time in the sound at which it begins, in seconds.
  var start = 0.0
  var clock = LogicalClock(.init(frameCount: 0), at: 0, step: 0)

  /// Yes or no, in one byte: an emitter of 10,000 has 256 bytes in all.
  private struct Flags: OptionSet, Sendable {
    let rawValue: UInt8

    static let hasHandle = Flags(rawValue: 1)
    static let isPitchChanged = Flags(rawValue: 2)
    static let keepsPosition = Flags(rawValue: 4)
    static let hasSounded = Flags(rawValue: 8)
    static let hasEnded = Flags(rawValue: 16)
    static let hasNewValues = Flags(rawValue: 32)

    subscript(flag: Flags) -> Bool {
      @inline(__always) get { rawValue & flag.rawValue != 0 }
      @inline(__always) set { self = Flags(rawValue: newValue ? rawValue | flag.rawValue : rawValue & ~flag.rawValue) }
    }
  }

  /// Whether the program has the emitter.
  var hasHandle: Bool {
    @inline(__always) get { flags[.hasHandle] }
    @inline(__always) set { flags[.hasHandle] = newValue }
  }

  /// Whether the program has set a pitch or a bus that no tick has applied.
  var isPitchChanged: Bool {
    @inline(__always) get { flags[.isPitchChanged] }
    @inline(__always) set { flags[.isPitchChanged] = newValue }
  }

  /// Whether it goes on from its playback position at its return, after a pause of its bus.
  var keepsPosition: Bool {
    @inline(__always) get { flags[.keepsPosition] }
    @inline(__always) set { flags[.keepsPosition] = newValue }
  }

  /// Whether it has had a voice since it began.
  var hasSounded: Bool {
    @inline(__always) get { flags[.hasSounded] }
    @inline(__always) set { flags[.hasSounded] = newValue }
  }

  /// Whether an earlier play of it has ended.
  var hasEnded: Bool {
    @inline(__always) get { flags[.hasEnded] }
    @inline(__always) set { flags[.hasEnded] = newValue }
  }

  /// Whether a value has changed since the source of the voice got all values; the position is not one of them.
  var hasNewValues: Bool {
    @inline(__always) get { flags[.hasNewValues] }
    @inline(__always) set { flags[.hasNewValues] = newValue }
  }

  var velocity: SIMD3<Float> {
    get { SIMD3(velocityX, velocityY, velocityZ) }
    set { (velocityX, velocityY, velocityZ) = (newValue.x, newValue.y, newValue.z) }
  }

  /// Changes values that the source of its voice may have.
  @inline(__always)
  mutating func change(_ body: (inout EmitterRecord) -> Void) {
    body(&self)
    hasNewValues = true
  }

  /// Changes values, and returns the change of the number of active emitters.
  @inline(__always)
  mutating func changeActivity(_ body: (inout EmitterRecord) -> Void) -> Int {
    let wasActive = isActive
    change(body)
    return (isActive ? 1 : 0) - (wasActive ? 1 : 0)
  }

  /// Stores the pitch; returns whether it is a change for the next tick that no other change has marked.
  @inline(__always)
  mutating func setPitch(_ pitch: Float) -> Bool {
    self.pitch = pitch
    hasNewValues = true
    return markPitch()
  }

  /// Marks a change of the pitch for the next tick; returns `false` if there is no need, or if it is marked.
  @inline(__always)
  mutating func markPitch() -> Bool {
    guard isSounding, !isPitchChanged else { return false }
    isPitchChanged = true
    return true
  }

  /// Whether it moves, or has moved until its last shift.
  var isMoving: Bool { velocityX != 0 || velocityY != 0 || velocityZ != 0 || shift != 1 }

  var hasRareSettings: Bool { rare != 0 }

  /// Whether an emitter or a player has the slot.
  var isUsed: Bool { occupant != .free }

  /// Whether the world plays it to its end, also without the program's reference.
  var isOnce: Bool { occupant == .oneShot }

  /// The player that uses the slot; `nil` for an emitter.
  var player: PlayerIndex? {
    if case .player(let player) = occupant { player } else { nil }
  }

  /// Whether a player uses the slot.
  var isPlayer: Bool { player != nil }

  /// Whether it has a position, which a bus of the kind `direct` ignores.
  var hasPosition: Bool { placement != .unplaced }

  /// Whether it is rendered at its position.
  var isPlaced: Bool { placement == .placed }

  /// Whether the limits of its sound and of its buses count it.
  var isCounted: Bool { limitState == .counted }

  /// Whether a limit keeps it virtual.
  ///
  /// A limit keeps only an emitter virtual that it does not count yet.
  var isLimited: Bool {
    @inline(__always) get { limitState == .virtual }
    set { if newValue != isLimited { limitState = newValue ? .virtual : .uncounted } }
  }

  /// Whether a release at a frame comes before a mix, unless the emitter was audible before or starts later.
  func isUnplayed(at frame: Int) -> Bool {
    guard !isOnce, !isPlayer, !hasEnded else { return false }
    return status == .loading && began <= frame || status == .playing && began == frame
  }

  /// Whether a pause is complete.
  var isPaused: Bool { status == .paused || status == .pausedBeforeStart }

  /// Whether the emitter plays in the sense of the limits, if its bus does.
  var counts: Bool { (status == .playing || status == .loading) && !isLimited }

  /// Whether it plays, fades out or waits for its sound.
  var isActive: Bool { status != .idle && !isPaused }

  /// Whether it plays without a voice, and no limit keeps it virtual.
  @inline(__always)
  var isWaitingForVoice: Bool { status == .playing && voice == nil && !isLimited }

  /// The largest score at the reference distance, while it waits for a voice.
  ///
  /// A product above the largest number does not become infinite: the bound would be NaN at distance 0.
  @inline(__always)
  var weight: Float { gain > 0 ? min(gain * weightFactor, .greatestFiniteMagnitude) : 0 }

  /// Whether its clock runs, unless its bus is paused.
  var isRunning: Bool { isSounding && (voice != nil || !behavior.stopsClock) }

  /// Whether a voice plays it, or may play it.
  var isSounding: Bool { status == .playing || status == .stopping || status == .pausing }

  /// Whether the start lies ahead of a frame, or a limit keeps it virtual.
  func isDelayed(isHeard: Bool, at frame: Int) -> Bool { isSounding && !isHeard && (isLimited || began > frame) }
}

/// The settings that few emitters have.
struct RareSettings: Sendable {
  var direction: SIMD3<Float> = .zero
  var cone = Cone()
  var radius: Float = 0
  var occlusion: Decibels = 0
  var obstruction: Decibels = 0
  /// The occlusion and the obstruction that the rays have found.
  var rays = RayAnswer()
  var sends: [VoiceSend] = []
  /// The number of the change that the sends have; 0 for none.
  var sendsVersion = 0
  /// The index of the family of a sound with variations.
  var family: FamilyIndex?
  /// The factors of the amplitude and of the frequency that the last play has drawn.
  var variation: Float = 1
  var bend: Float = 1
  /// The emitter that it follows.
  var leader: EmitterKey?
  /// The position at which the velocity was derived last.
  var derivedAt: SIMD3<Float>?
  var observers = Observers<EmitterEvent>()
}
