internal import Spatial3D

/// The reasons why the emitters of a world sound or not.
struct Verdicts: Sendable {
  /// Why an emitter sounds or not, with the numbers that a reason follows from.
  enum Finding {
    case hasVoice
    case notPlaying, loading, paused, waiting, beyondReach
    case silencedByBus(BusIndex)
    /// The amplitude is below the threshold of a beginning, or of a return.
    case tooQuiet(Float, isReturn: Bool)
    /// A voice is free: it has its voice at the next choice.
    case isNext
    /// The score is behind the scores that have a voice, or behind the streams that have one.
    case outranked(Float, ofStreams: Bool)
  }

  private let copy: WorldCopy
  let rivals: Rivals
  /// For each bus the reason for which it silences its emitters; `nil` for none.
  let silenceOfBuses: [SilenceReason?]

  init(_ copy: WorldCopy) {
    self.copy = copy
    rivals = Rivals(copy)
    silenceOfBuses = copy.scene.mixer.buses.indices.map { copy.scene.mixer.silence(ofBus: $0) }
  }

  /// The verdict about an emitter or player.
  subscript(slot: EmitterSlot) -> Explanation.Verdict {
    switch finding(of: slot, { copy.scene.audibility(of: slot) }) {
    case .hasVoice: .hasVoice
    case .notPlaying: .silent(.notPlaying)
    case .loading: .silent(.loading)
    case .paused: .silent(.pausedByEmitter)
    case .waiting: .silent(.waiting)
    case .beyondReach: .silent(.beyondReach)
    case .silencedByBus(let bus): silenceOfBuses[bus.position].map { .silent($0) } ?? .hasVoice
    case .tooQuiet(let amplitude, let isReturn):
      .silent(.tooQuiet(amplitude, below: isReturn ? Audibility.thresholdOfReturn : Audibility.threshold))
    case .isNext: .silent(.outranked(by: 0))
    case .outranked(let score, let isStream):
      .silent(.lacking(score, below: isStream ? rivals.lastOfStreams : rivals.last))
    }
  }

  /// The finding about an emitter or player; its audibility is computed only where it counts.
  @inline(__always)
  func finding(of slot: EmitterSlot, _ audibility: () -> Audibility) -> Finding {
    switch copy.scene.emitters[slot].status {
    case .idle: return .notPlaying
    case .loading: return .loading
    case .paused, .pausedBeforeStart: return .paused
    case .playing, .stopping, .pausing: break
    }
    let bus = copy.scene.emitters.bus(of: slot)
    if silenceOfBuses[bus.position] != nil { return .silencedByBus(bus) }
    let isHeard = copy.isHeard(slot)
    if isHeard { return .hasVoice }
    if copy.scene.emitters[slot].isDelayed(isHeard: isHeard, at: copy.scene.now)
      || copy.scene.emitters[slot].voice != nil
    {
      return .waiting
    }
    let audibility = audibility()
    if audibility.reach == 0 { return .beyondReach }
    let audible = audibility.audible
    let isReturn = copy.scene.emitters[slot].hasSounded
    guard audible >= (isReturn ? Audibility.thresholdOfReturn : Audibility.threshold) else {
      return .tooQuiet(audible, isReturn: isReturn)
    }
    let competesWithStreams = rivals.areStreamsFull && copy.scene.needsStreamPlace(slot)
    if rivals.hasFreeVoice, !competesWithStreams { return .isNext }
    return .outranked(audible * copy.scene.emitters[slot].priority.factor, ofStreams: competesWithStreams)
  }
}

extension SilenceReason {
  /// The reason of an emitter that the program has paused.
  static var pausedByEmitter: SilenceReason { .paused(by: "the emitter") }
}

/// The weakest of the emitters that have a voice.
struct Rivals: Sendable {
  /// The lowest score of all, and the lowest score of streams; 0 for none.
  let last: Float
  let lastOfStreams: Float
  let areStreamsFull: Bool
  /// Whether a voice is free: the next choice gives it away.
  let hasFreeVoice: Bool

  init(_ copy: WorldCopy) {
    var (last, lastOfStreams) = (Float.infinity, Float.infinity)
    var taken = 0
    for index in copy.voices.indices {
      let voice = copy.voices[index]
      guard voice.isTaken, let slot = voice.slot else { continue }
      taken += 1
      let score = copy.score(of: slot)
      last = min(last, score)
      if voice.isStream { lastOfStreams = min(lastOfStreams, score) }
    }
    self.last = last.isFinite ? last : 0
    self.lastOfStreams = lastOfStreams.isFinite ? lastOfStreams : 0
    areStreamsFull = copy.voices.areStreamsFull
    hasFreeVoice = taken < copy.voices.limit
  }
}

extension MixerState {
  /// The reason for which a bus silences its emitters; `nil` for none.
  fileprivate func silence(ofBus bus: BusIndex) -> SilenceReason? {
    let path = buses.path(from: bus)
    if let paused = path.first(where: { buses[$0].isHalted }) {
      return .paused(by: "the bus \(buses[paused].name)")
    }
    if let muted = path.first(where: { buses[$0].isMuted }) {
      return .muted(by: "the bus \(buses[muted].name)")
    }
    let totals = buses[bus].totals
    return totals.gain == 0 && totals.pathGain > 0 ? .soloedElsewhere : nil
  }
}
