internal import Spatial3D

/// The choice of the emitters that have a voice, with its memory.
struct VoiceSelector: Sendable {
  private(set) var choice = VoiceChoice()
  private var selection = BoundSelection()
  /// The largest score that each emitter can have, for the present choice.
  private(set) var bounds: [Float] = []
  /// The largest scores at one of the listeners beside the first.
  private var otherBounds: [Float] = []
  private(set) var hasReportedEssentials = false
  /// The next voice whose emitter is added, for the present choice.
  private var nextVoice = 0
  /// The number of voices that emitters have, for the present choice.
  private(set) var takenCount = 0
  /// The number of streams that may play, for the present choice.
  private var freeStreams = 0

  /// Computes the largest score that each emitter can have at any listener, re the loudest of them.
  mutating func computeBounds(of columns: EmitterColumns, at listeners: ListenerSet, buses: [Float]) {
    columns.computeBounds(listener: listeners.first.position, buses: buses, into: &bounds)
    guard listeners.count > 1 else { return }
    let loudest = max(listeners.rendered.gain.rawValue, .leastNormalMagnitude)
    let first = listeners.first.gain.rawValue
    if first != loudest {
      for slot in 0..<columns.count { bounds[slot] *= first / loudest }
    }
    for other in listeners.others {
      columns.computeBounds(listener: other.position, buses: buses, into: &otherBounds)
      let factor = other.gain.rawValue / loudest
      for slot in 0..<columns.count { bounds[slot] = max(bounds[slot], otherBounds[slot] * factor) }
    }
  }
}

// MARK: - The likely candidates

extension VoiceSelector {
  /// The number of emitters beyond which a choice computes the exact scores of the likely candidates first.
  ///
  /// Chosen: eight times the voices of a usual world, so that most choices compute no second range.
  private static let mostCandidates = 512

  /// The emitters whose bounds are in a range.
  struct BoundRange: Sendable {
    let lower: Float
    var upper = Float.infinity
    /// The least bound of the emitters that follow this range; `nil` for none.
    var rest: Float?

    @inline(__always)
    func contains(_ bound: Float) -> Bool { bound >= lower && (bound < upper || upper == .infinity) }
  }

  /// The bounds of the first candidates: all candidates, or the likely candidates if there are many.
  ///
  /// The bound of an emitter is never below its score. With no free voice, only a bound above the lowest real score
  /// counts, and few emitters have one. With many left, the emitters with the highest bounds get exact scores first.
  /// Their scores give a threshold, and an emitter with a lower bound cannot reach it: the result equals a full sort.
  mutating func firstRange(free: Int, loudestListener: Float) -> BoundRange {
    let least = Audibility.threshold * Priority(0).factor
    var threshold = free > 0 ? least : max(choice.lowestRealScore ?? least, least)
    // The bound and the score differ by rounding errors of a few ulps: 0.01 % is more.
    threshold *= 0.9999 / loudestListener
    var count = 0
    for bound in bounds where bound >= threshold { count += 1 }
    guard count > Self.mostCandidates else { return BoundRange(lower: threshold) }
    return BoundRange(lower: selection.value(ofHighest: Self.mostCandidates, in: bounds), rest: threshold)
  }

  /// The bounds of the candidates that may still be chosen, after the exact scores of a range; `nil` for none.
  mutating func nextRange(after range: BoundRange, free: Int, loudestListener: Float) -> BoundRange? {
    guard var threshold = range.rest else { return nil }
    let needed = free + VoiceChoice.mostDisplacements
    if choice.waiting.count >= needed {
      let best = selection.value(ofHighest: needed, in: choice.waitingScores)
      threshold = max(threshold, best * 0.9999 / loudestListener)
    }
    return BoundRange(lower: threshold, upper: range.lower)
  }
}

// MARK: - The candidates

extension VoiceSelector {
  /// Begins a choice.
  mutating func begin(streamLimit: Int) {
    choice.begin()
    (nextVoice, takenCount, freeStreams) = (0, 0, streamLimit)
  }

  /// Adds the emitters that have a voice, from the next voice on; returns an emitter that is too quiet for its voice,
  /// and `nil` after the last voice.
  ///
  /// An emitter that fades out keeps its voice until then. The second voice of a player stays, and so does the voice of
  /// a player that is paused.
  mutating func gather(_ voices: borrowing VoicePool, in scene: borrowing WorldScene) -> EmitterSlot? {
    while nextVoice < voices.count {
      let index = VoiceIndex(nextVoice)
      nextVoice += 1
      guard voices[index].isTaken, let slot = voices[index].slot else { continue }
      let isChosen =
        scene.emitters[slot].voice == index && voices[index].state != .resting
        && scene.emitters[slot].status == .playing
      guard isChosen else {
        takenCount += 1
        if voices[index].isStream { freeStreams -= 1 }
        continue
      }
      guard let candidate = scene.voiceCandidate(slot) else { return slot }
      takenCount += 1
      // The stream of a player counts, although the player does not compete for the streams.
      if voices[index].isStream, !candidate.isStream { freeStreams -= 1 }
      choice.add(real: candidate)
    }
    return nil
  }

  /// Adds the emitters without a voice that may get one, with a number of voices that are left.
  mutating func gatherWaiting(in scene: inout WorldScene, free: Int) {
    let loudest = scene.space.listeners.rendered.gain.rawValue
    guard loudest > 0, scene.emitters.count > 0 else { return }
    computeBounds(of: scene.emitters.columns, at: scene.space.listeners, buses: scene.mixer.buses.bounds)
    let first = firstRange(free: free, loudestListener: loudest)
    addWaiting(in: first, of: &scene)
    if let next = nextRange(after: first, free: free, loudestListener: loudest) { addWaiting(in: next, of: &scene) }
  }

  private mutating func addWaiting(in range: BoundRange, of scene: inout WorldScene) {
    for position in bounds.indices where range.contains(bounds[position]) {
      let slot = EmitterSlot(position)
      scene.updateListener(of: slot)
      scene.updatePath(of: slot)
      if let candidate = scene.voiceCandidate(slot) { choice.add(waiting: candidate) }
    }
  }
}

// MARK: - The choice

extension VoiceSelector {
  /// Decides which emitters get a voice and which lose theirs: ``VoiceChoice/promoted`` and ``VoiceChoice/displaced``.
  mutating func decide(free: Int, spares: Int) {
    let free = min(free, spares)
    choice.decide(freeVoices: free, spares: spares - free, streamPlaces: max(freeStreams, 0))
  }

  /// Whether an emitter that must be heard has no voice because others that must be heard have all of them, for the
  /// first time.
  var lacksVoicesForEssentials: Bool {
    !hasReportedEssentials
      && choice.waiting.contains { $0.isEssential && !choice.promoted.contains($0.slot) }
      && choice.real.allSatisfy(\.isEssential)
  }

  /// The lack of voices for emitters that must be heard was reported: it is reported once.
  mutating func setReportedEssentials() { hasReportedEssentials = true }
}
