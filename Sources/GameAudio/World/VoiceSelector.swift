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
    // The bound and the score round differently.
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

  /// The next emitter after a slot, or the first emitter, whose bound is in a range.
  func slot(after last: EmitterSlot?, in range: BoundRange) -> EmitterSlot? {
    let first = last.map { $0.position + 1 } ?? 0
    for position in first..<bounds.count where range.contains(bounds[position]) { return EmitterSlot(position) }
    return nil
  }
}

// MARK: - The choice

extension VoiceSelector {
  /// Prepares for another choice.
  mutating func begin() { choice.begin() }

  mutating func add(real candidate: VoiceChoice.Candidate) { choice.add(real: candidate) }
  mutating func add(waiting candidate: VoiceChoice.Candidate) { choice.add(waiting: candidate) }

  /// Decides which emitters get a voice and which lose theirs: ``VoiceChoice/promoted`` and ``VoiceChoice/displaced``.
  mutating func decide(free: Int, spares: Int, streamPlaces: Int) {
    let free = min(free, spares)
    choice.decide(freeVoices: free, spares: spares - free, streamPlaces: max(streamPlaces, 0))
  }

  /// Whether an emitter that must be heard has no voice because others that must be heard have all of them.
  var lacksVoicesForEssentials: Bool {
    choice.waiting.contains { $0.isEssential && !choice.promoted.contains($0.slot) }
      && choice.real.allSatisfy(\.isEssential)
  }

  /// The lack of voices for emitters that must be heard was reported: it is reported once.
  mutating func setReportedEssentials() { hasReportedEssentials = true }
}
