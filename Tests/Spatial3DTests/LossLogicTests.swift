import TestSupport
import Testing

@testable import Spatial3D

/// What is decided when outputs come and go, without any.
@Suite struct LossLogicTests {
  @Test func `Tries come after 100 ms at first, and never further apart than 2 s`() {
    var backoff = Backoff()
    let waits = (0..<50).map { _ in backoff.next() / 1_000_000 }
    #expect(waits.prefix(6) == [100, 200, 400, 800, 1_600, 2_000])
    #expect(waits.dropFirst(5).allSatisfy { $0 == 2_000 })
  }

  @Test func `A place some time after another is where counting frame by frame comes to`() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<5_000 {
      let frameCount = Int.random(in: 1...300, using: &random)
      let lower = Int.random(in: 0..<frameCount, using: &random)
      let upper = Int.random(in: lower + 1...frameCount, using: &random)
      let isLooping = Bool.random(using: &random)
      let start = Int.random(in: 0..<(isLooping ? upper : frameCount), using: &random)
      let distance = Int.random(in: 0...1_000, using: &random)
      var place: Int? = start
      for _ in 0..<distance {
        guard let now = place else { break }
        if isLooping, now + 1 == upper { place = lower } else { place = now + 1 < frameCount ? now + 1 : nil }
      }
      let course = PlaybackMark.Course(frameCount: frameCount, loopRange: isLooping ? lower..<upper : 0..<0)
      let mark = PlaybackMark(frame: Double(start), clock: 5_000_000_000, isPlaying: true)
      let after = mark.frame(at: 6_000_000_000, framesPerSecond: Double(distance), on: course)
      #expect(after == place.map(Double.init))
      let held = PlaybackMark(frame: Double(start), clock: 0, isPlaying: false)
      #expect(held.frame(at: 6_000_000_000, framesPerSecond: Double(distance), on: course) == Double(start))
    }
  }

  @Test func `A device moves only where its policy asks for it, and the default is another than before`() {
    let names = ["a", "b", "c"]
    for opened in [nil, "a"] as [String?] {
      for policy in DevicePolicy.allCases {
        for current in names {
          for other in names + [nil] as [String?] {
            for known in [names, names.filter { $0 != current }] {
              var choice = OutputChoice(name: opened, on: current)
              #expect(choice.policy == (opened == nil ? .follow : .stay))
              choice.policy = policy
              let step = choice.step(on: current, default: other, known: known)
              guard policy != .stay, let other, other != current else {
                #expect(step == .stay)
                continue
              }
              let isPulledOut = !known.contains(current)
              #expect(step == .move(to: other, pausing: policy == .pauseOnOutputLoss && isPulledOut))
              choice.knownDefault = other
              #expect(choice.step(on: current, default: other, known: known) == .stay)
            }
          }
          var choice = OutputChoice(name: opened, on: current)
          choice.policy = policy
          #expect(choice.wanted(last: current) == (policy == .stay ? opened ?? current : nil))
        }
      }
    }
  }
}
