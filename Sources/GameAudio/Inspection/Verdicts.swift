internal import Spatial3D

/// The reasons why the emitters of a world sound or not.
struct Verdicts: Sendable {
  private let copy: WorldCopy
  private let rivals: Rivals
  /// For each bus the reason for which it silences its emitters; `nil` for none.
  private let silenceOfBuses: [SilenceReason?]

  init(_ copy: WorldCopy) {
    self.copy = copy
    rivals = Rivals(copy)
    silenceOfBuses = copy.scene.mixer.buses.indices.map { copy.scene.mixer.silence(ofBus: $0) }
  }

  /// The verdict about an emitter or player.
  subscript(slot: EmitterSlot) -> Explanation.Verdict {
    let record = copy.scene.emitters[slot]
    switch record.status {
    case .idle: return .silent(.notPlaying)
    case .loading: return .silent(.loading)
    case .paused, .pausedBeforeStart: return .silent(.paused(by: "the emitter"))
    case .playing, .stopping, .pausing: break
    }
    if let silence = silenceOfBuses[copy.scene.emitters.bus(of: slot).position] { return .silent(silence) }
    if copy.isHeard(slot) { return .hasVoice }
    if copy.isDelayed(slot) || record.voice != nil { return .silent(.waiting) }
    let audibility = copy.scene.audibility(of: slot)
    if audibility.reach == 0 { return .silent(.beyondReach) }
    let threshold = record.hasSounded ? Audibility.thresholdOfReturn : Audibility.threshold
    guard audibility.audible >= threshold else {
      return .silent(.tooQuiet(by: Decibels(factor: threshold) - Decibels(factor: audibility.audible)))
    }
    let competesWithStreams = copy.scene.needsStreamPlace(slot) && rivals.areStreamsFull
    if rivals.hasFreeVoice, !competesWithStreams { return .silent(.outranked(by: 0)) }
    let last = competesWithStreams ? rivals.lastOfStreams : rivals.last
    let score = audibility.audible * record.priority.factor
    return .silent(.outranked(by: max(Decibels(factor: last) - Decibels(factor: score), 0)))
  }
}

/// The weakest of the emitters that have a voice.
private struct Rivals: Sendable {
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
