import TestSupport
import Testing

@testable import GameAudio

/// The order and the alignment of stems.
@Suite struct StemPlanTests {
  /// A random tree of stems: each stem has a parent among all others, without a circle.
  private static func plan(_ random: inout SplitMix64) -> StemPlan {
    let count = Int.random(in: 1...9, using: &random)
    var numbers = Array(1..<count)
    numbers.shuffle(using: &random)
    var parents: [StemIndex?] = Array(repeating: nil, count: count)
    var placed = [0]
    for number in numbers {
      parents[number] = placed.randomElement(using: &random).map { StemIndex($0) }
      placed.append(number)
    }
    return StemPlan(parents: parents)
  }

  @Test func `A stem is processed behind all stems inside it, and each stem once`() {
    var random = SplitMix64(seed: 1)
    for _ in 0..<2_000 {
      let plan = Self.plan(&random)
      #expect(Set(plan.order).count == plan.parents.count && plan.order.count == plan.parents.count)
      #expect(plan.order.last == .main)
      for stem in plan.order {
        guard let parent = plan.parents[stem.position] else { continue }
        let (own, other) = (plan.order.firstIndex(of: stem), plan.order.firstIndex(of: parent))
        #expect(own.flatMap { own in other.map { own < $0 } } == true)
      }
    }
  }

  @Test func `All sounds of an aligned mix are equally late, and the latest has no delay`() {
    var random = SplitMix64(seed: 2)
    for _ in 0..<2_000 {
      let plan = Self.plan(&random)
      let latencies = plan.parents.map { _ in Bool.random(using: &random) ? 0 : Int.random(in: 0...200, using: &random)
      }
      let alignments = plan.alignments(forLatencies: latencies)
      func delay(of stem: Int) -> Int {
        var (delay, next) = (alignments[stem].entry, StemIndex(stem) as StemIndex?)
        while let present = next {
          delay += latencies[present.position] + alignments[present.position].exit
          next = plan.parents[present.position]
        }
        return delay
      }
      let delays = plan.parents.indices.map { delay(of: $0) }
      #expect(Set(delays).count == 1)
      // The longest path of latencies alone is the delay of the mix.
      func path(of stem: Int) -> Int {
        var (sum, next) = (0, StemIndex(stem) as StemIndex?)
        while let present = next { (sum, next) = (sum + latencies[present.position], plan.parents[present.position]) }
        return sum
      }
      #expect(delays.first == plan.parents.indices.map { path(of: $0) }.max())
      #expect(alignments[0].exit == 0)
    }
  }

  @Test func `The main bus alone needs no alignment`() {
    #expect(StemPlan.main.alignments(forLatencies: [82]) == [StemPlan.Alignment()])
  }
}
