import TestSupport
import Testing

@testable import GameAudio

/// The choice of the emitters that have a voice, as arithmetic.
@Suite struct VoiceChoiceTests {
  private typealias Candidate = VoiceChoice.Candidate

  private func candidates(_ count: Int, from first: Int, using random: inout SplitMix64) -> [Candidate] {
    (0..<count).map { index in
      Candidate(
        slot: first + index,
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
      var (sorted, streams) = (Set<Int>(), 0)
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
    for index in 0..<20 { choice.add(real: Candidate(slot: index, score: Float(index + 1), order: index)) }
    for index in 0..<20 {
      choice.add(waiting: Candidate(slot: 100 + index, score: Float(index) + 5.5, order: 50 + index))
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
      #expect(abs(Decibels(gain: Priority(priority).factor).rawValue - 0.6 * Float(priority - 50)) < 0.001)
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
}
