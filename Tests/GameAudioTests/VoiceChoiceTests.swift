import TestSupport
import Testing

@testable import GameAudio

/// The choice of the emitters that have a voice, as arithmetic.
@Suite struct VoiceChoiceTests {
  private typealias Candidate = VoiceChoice.Candidate

  private func candidates(_ count: Int, from first: Int, using random: inout SplitMix64) -> [Candidate] {
    (0..<count).map { index in
      Candidate(
        slot: EmitterSlot(first + index),
        // Few different scores, so that many are equal.
        score: Float(Int.random(in: 1...20, using: &random)) / 20,
        order: Int.random(in: 0...1_000_000, using: &random) * 1_000 + index
      )
    }
  }

  @Test func `Repeated choices end at the result of a full sort`() {
    var random = SplitMix64(seed: 201)
    for _ in 0..<1_000 {
      let voices = Int.random(in: 1...24, using: &random)
      let all = candidates(Int.random(in: 1...80, using: &random), from: 0, using: &random)
      let sorted = Set(all.sorted { $0.comes(before: $1) }.prefix(voices).map(\.slot))
      var real = Set(all.shuffled(using: &random).prefix(Int.random(in: 0...voices, using: &random)).map(\.slot))
      var choice = VoiceChoice()
      for round in 0... {
        choice.begin()
        for candidate in all {
          if real.contains(candidate.slot) { choice.add(real: candidate) } else { choice.add(waiting: candidate) }
        }
        choice.decide(freeVoices: voices - real.count)
        #expect(choice.displaced.count <= VoiceChoice.mostDisplacements)
        if choice.promoted.isEmpty { break }
        real.subtract(choice.displaced)
        real.formUnion(choice.promoted)
        #expect(real.count <= voices)
        guard round < 100 else {
          Issue.record("The choice does not settle.")
          return
        }
      }
      #expect(real == sorted)
    }
  }

  @Test func `Repeated choices end at the result of a full sort in which the streams have their places alone`() {
    var random = SplitMix64(seed: 203)
    for _ in 0..<300 {
      let (voices, places) = (Int.random(in: 1...24, using: &random), Int.random(in: 0...8, using: &random))
      var all = candidates(Int.random(in: 1...80, using: &random), from: 0, using: &random)
      for index in all.indices { all[index].isStream = Bool.random(using: &random) }
      var (sorted, streams) = (Set<EmitterSlot>(), 0)
      for candidate in all.sorted(by: { $0.comes(before: $1) }) where sorted.count < voices {
        if candidate.isStream { streams += 1 }
        if !candidate.isStream || streams <= places { sorted.insert(candidate.slot) }
      }
      var real = Set(all.shuffled(using: &random).prefix(Int.random(in: 0...voices, using: &random)).map(\.slot))
      var choice = VoiceChoice()
      for round in 0...100 {
        choice.begin()
        for candidate in all {
          if real.contains(candidate.slot) { choice.add(real: candidate) } else { choice.add(waiting: candidate) }
        }
        choice.decide(freeVoices: voices - real.count, streamPlaces: places)
        #expect(choice.displaced.count <= VoiceChoice.mostDisplacements)
        if choice.promoted.isEmpty, choice.displaced.isEmpty { break }
        real.subtract(choice.displaced)
        real.formUnion(choice.promoted)
        #expect(real.count <= voices && round < 100)
      }
      #expect(real == sorted)
    }
  }

  @Test func `A choice promotes the best first, and displaces the weakest`() {
    var choice = VoiceChoice()
    for index in 0..<20 { choice.add(real: Candidate(slot: EmitterSlot(index), score: Float(index + 1), order: index)) }
    for index in 0..<20 {
      choice.add(waiting: Candidate(slot: EmitterSlot(100 + index), score: Float(index) + 5.5, order: 50 + index))
    }
    choice.decide(freeVoices: 2)
    #expect(choice.promoted == [119, 118, 117, 116, 115, 114, 113, 112, 111, 110])
    #expect(choice.displaced == [0, 1, 2, 3, 4, 5, 6, 7])
  }

  @Test func `An emitter that has just got its voice loses it only to one that is 6 dB louder`() {
    for (score, isDisplaced) in [(1.5, false), (1.99, false), (2, true), (9, true)] as [(Float, Bool)] {
      var choice = VoiceChoice()
      choice.add(real: Candidate(slot: 1, score: 1, order: 1, isProtected: true))
      choice.add(waiting: Candidate(slot: 2, score: score, order: 2))
      choice.decide(freeVoices: 0)
      #expect(choice.displaced == (isDisplaced ? [1] : []))
      #expect(choice.promoted == (isDisplaced ? [2] : []))
    }
  }

  @Test func `An emitter that must be heard comes before each louder one`() {
    #expect(Audibility.threshold * Priority.mustBeHeard.factor > 1e6 * Priority(99).factor)
    for priority in 0..<100 {
      #expect(abs(Decibels(factor: Priority(priority).factor).rawValue - 0.6 * Float(priority - 50)) < 0.001)
    }
  }

  @Test func `Without spare voices nothing is displaced`() {
    var choice = VoiceChoice()
    choice.add(real: Candidate(slot: 1, score: 1, order: 1))
    choice.add(waiting: Candidate(slot: 2, score: 10, order: 2))
    choice.decide(freeVoices: 0, spares: 0)
    #expect((choice.displaced, choice.promoted) == ([], []))
  }

  @Test func `The bound of the highest values is reached by at least as many, and is near the last of them`() {
    var random = SplitMix64(seed: 202)
    var selection = BoundSelection()
    for _ in 0..<500 {
      let values = (0..<Int.random(in: 1...2_000, using: &random)).map { _ in
        Float.random(in: 0...1, using: &random) * Float.random(in: 0...1e3, using: &random)
      }
      let count = Int.random(in: 1...values.count, using: &random)
      let bound = selection.value(ofHighest: count, in: values)
      let exact = values.sorted(by: >)[count - 1]
      #expect(bound <= exact && exact < bound * 1.07 + .leastNormalMagnitude)
    }
  }

  @Test func `A choice reuses its memory`() {
    var choice = VoiceChoice()
    for index in 0..<200 {
      choice.add(real: Candidate(slot: EmitterSlot(index), score: 1, order: index))
      choice.add(waiting: Candidate(slot: EmitterSlot(1_000 + index), score: 2, order: index))
    }
    choice.decide(freeVoices: 150)
    #expect(choice.promoted.count == 158 && choice.displaced.count == 8)
    let before = [
      choice.real.capacity, choice.waiting.capacity, choice.waitingScores.capacity, choice.promoted.capacity,
      choice.displaced.capacity,
    ]
    choice.begin()
    #expect(choice.real.isEmpty && choice.waiting.isEmpty && choice.waitingScores.isEmpty)
    #expect(choice.promoted.isEmpty && choice.displaced.isEmpty && choice.lowestRealScore == nil)
    let after = [
      choice.real.capacity, choice.waiting.capacity, choice.waitingScores.capacity, choice.promoted.capacity,
      choice.displaced.capacity,
    ]
    #expect(after == before)
  }

  @Test func `The scores that bound the next candidates are those of sounds in memory`() {
    var choice = VoiceChoice()
    for index in 0..<10 {
      choice.add(
        waiting: Candidate(slot: EmitterSlot(index), score: Float(index), order: index, isStream: index % 3 == 0)
      )
    }
    #expect(choice.waitingScores == [1, 2, 4, 5, 7, 8] && choice.waiting.count == 10)
    for score in [3, 1, 2] as [Float] { choice.add(real: Candidate(slot: 20, score: score, order: 1)) }
    #expect(choice.lowestRealScore == 1)
  }

  /// The slots that one choice promotes and displaces, from a sorted list.
  private func reference(_ real: [Candidate], _ waiting: [Candidate], free: Int, spares: Int, places: Int)
    -> (promoted: [EmitterSlot], displaced: [EmitterSlot])
  {
    var (real, free, refusesStreams) = (real, free, false)
    var (promoted, displaced): ([EmitterSlot], [EmitterSlot]) = ([], [])
    /// Removes the weakest candidate with a voice that meets a condition.
    func displaceWeakest(where condition: (Candidate) -> Bool) -> Bool {
      guard let weakest = real.filter(condition).max(by: { $0.comes(before: $1) }) else { return false }
      real.removeAll { $0 == weakest }
      displaced.append(weakest.slot)
      return true
    }
    while real.count(where: \.isStream) > places, displaced.count < 8 { _ = displaceWeakest(where: \.isStream) }
    var streams = real.count(where: \.isStream)
    for best in waiting.sorted(by: { $0.comes(before: $1) }) where !(refusesStreams && best.isStream) {
      let needsPlace = best.isStream && streams >= places
      if free > 0, !needsPlace {
        free -= 1
      } else {
        let before = real.count(where: \.isStream)
        let isDisplacing =
          displaced.count < min(8, spares)
          && displaceWeakest { other in
            guard other.isStream || !needsPlace, best.comes(before: other) else { return false }
            return !other.isProtected || best.score >= 2 * other.score
          }
        guard isDisplacing else {
          guard needsPlace else { break }
          refusesStreams = true
          continue
        }
        streams -= before - real.count(where: \.isStream)
      }
      if best.isStream { streams += 1 }
      promoted.append(best.slot)
    }
    return (promoted, displaced)
  }

  @Test func `A choice is that of a sorted list, with protected voices, streams and few spares`() {
    var random = SplitMix64(seed: 204)
    var counts = (promoted: 0, displaced: 0)
    for round in 0..<3_000 {
      func some(_ count: Int, from first: Int) -> [Candidate] {
        var candidates = candidates(count, from: first, using: &random)
        for index in candidates.indices {
          candidates[index].isStream = round.isMultiple(of: 2) && Int.random(in: 0..<3, using: &random) == 0
          candidates[index].isProtected = Int.random(in: 0..<3, using: &random) == 0
        }
        return candidates
      }
      let real = some(Int.random(in: 0...14, using: &random), from: 0)
      let waiting = some(Int.random(in: 0...30, using: &random), from: 100)
      let (free, spares) = (Int.random(in: 0...3, using: &random), Int.random(in: 0...10, using: &random))
      let places = Int.random(in: 0...6, using: &random)
      var choice = VoiceChoice()
      for candidate in real { choice.add(real: candidate) }
      for candidate in waiting { choice.add(waiting: candidate) }
      choice.decide(freeVoices: free, spares: spares, streamPlaces: places)
      let expected = reference(real, waiting, free: free, spares: spares, places: places)
      #expect(choice.promoted == expected.promoted && choice.displaced == expected.displaced, "round \(round)")
      counts.promoted += choice.promoted.count
      counts.displaced += choice.displaced.count
    }
    #expect(counts.promoted > 3_000 && counts.displaced > 1_500, "\(counts)")
  }
}
