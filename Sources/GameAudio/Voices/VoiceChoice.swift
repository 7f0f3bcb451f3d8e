/// The choice of the emitters that have a voice, and of the emitters whose voices are stolen.
///
/// The order is total: the higher score comes first, then the emitter that began first. The choice is therefore the
/// same each time. The factor of an emitter that must be heard puts its score above all others. Pure: no call and no
/// lock.
struct VoiceChoice: Sendable {
  /// An emitter with its score.
  struct Candidate: Hashable, Sendable {
    let slot: EmitterSlot
    /// The amplitude at the listener, times the factors of the priority and of the hysteresis.
    let score: Float
    /// The position in the order of the beginnings.
    let order: Int
    /// Whether the emitter must be heard.
    var isEssential = false
    /// Whether the emitter has had its voice for less than 100 ms: only an emitter that is 6 dB louder displaces it.
    ///
    /// Listeners perceive the full loudness of a sound after about 100 ms. 6 dB are chosen: a shot displaces a step.
    var isProtected = false
    /// Whether the emitter counts against the limit of streams.
    var isStream = false

    /// Whether this emitter has a voice before another.
    func comes(before other: Candidate) -> Bool {
      if score != other.score { return score > other.score }
      return order < other.order
    }

    /// Whether this emitter takes the voice of another emitter.
    fileprivate func displaces(_ other: Candidate) -> Bool {
      guard comes(before: other) else { return false }
      return !other.isProtected || score >= other.score * 2
    }
  }

  /// The largest number of emitters that lose their voices in one choice.
  ///
  /// The pool has as many voices beyond its limit, so that the lost voices can fade out. Chosen: it limits the calls of
  /// the library in one tick, and 64 voices change completely within eight choices, 0.17 s.
  static let mostDisplacements = 8

  /// The emitters with a voice.
  private(set) var real: [Candidate] = []
  /// The emitters without a voice that may get one.
  private(set) var waiting: [Candidate] = []
  /// The scores of the waiting emitters that play no stream: with a voice free, each of them may have it.
  private(set) var waitingScores: [Float] = []
  /// The slots that get a voice, the best first, and those that lose theirs.
  private(set) var promoted: [EmitterSlot] = []
  private(set) var displaced: [EmitterSlot] = []

  /// Prepares for another choice; the arrays keep their memory.
  mutating func begin() {
    real.removeAll(keepingCapacity: true)
    waiting.removeAll(keepingCapacity: true)
    waitingScores.removeAll(keepingCapacity: true)
    promoted.removeAll(keepingCapacity: true)
    displaced.removeAll(keepingCapacity: true)
  }

  mutating func add(real candidate: Candidate) { real.append(candidate) }
  mutating func add(waiting candidate: Candidate) {
    waiting.append(candidate)
    if !candidate.isStream { waitingScores.append(candidate.score) }
  }

  /// The score that a candidate has to exceed to displace any, where no voice is free; `nil` without a voice at all.
  var lowestRealScore: Float? { real.lazy.map(\.score).min() }

  /// Gives the best candidates the free voices, and then steals the voices of weaker emitters.
  ///
  /// At the limit of streams, a stream takes the voice of a weaker stream, or stays virtual. Streams beyond the limit
  /// lose their voices.
  mutating func decide(freeVoices: Int, spares: Int = mostDisplacements, streamPlaces: Int = .max) {
    var free = freeVoices
    let most = min(Self.mostDisplacements, spares)
    var streams = real.count(where: \.isStream)
    while streams > streamPlaces, displaced.count < Self.mostDisplacements, let weakest = weakest(where: \.isStream) {
      displaced.append(real.remove(at: weakest).slot)
      streams -= 1
    }
    var (next, last) = (0, waiting.count)
    while next < last {
      for index in next + 1..<last where waiting[index].comes(before: waiting[next]) { waiting.swapAt(index, next) }
      let best = waiting[next]
      let needsPlace = best.isStream && streams >= streamPlaces
      if free > 0, !needsPlace {
        free -= 1
      } else if displaced.count < most,
        let weakest = weakest(where: { best.displaces($0) && ($0.isStream || !needsPlace) })
      {
        let loser = real.remove(at: weakest)
        displaced.append(loser.slot)
        if loser.isStream { streams -= 1 }
      } else {
        guard needsPlace else { return }
        // No weaker stream gets a voice either.
        for index in (next..<last).reversed() where waiting[index].isStream {
          last -= 1
          waiting.swapAt(index, last)
        }
        continue
      }
      if best.isStream { streams += 1 }
      promoted.append(best.slot)
      next += 1
    }
  }

  /// The index of the weakest emitter with a voice, under a condition.
  private func weakest(where condition: (Candidate) -> Bool) -> Int? {
    var weakest: Int?
    for index in real.indices where condition(real[index]) {
      if let known = weakest, real[index].comes(before: real[known]) { continue }
      weakest = index
    }
    return weakest
  }
}
