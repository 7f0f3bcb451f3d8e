import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The gains of copies that begin together, without a world.
@Suite struct CopyCompensationTests {
  private var random = SplitMix64(seed: 5)
  private var copies = CopyCompensation()
  private var sounds: SoundTable
  private let identities: [Int]

  init() {
    let pcm = TestSignal.silence(duration: .milliseconds(2), format: .mono(sampleRate: 48_000))
    var table = SoundTable()
    let uses = (0..<3).map { _ in table.add(Sound(pcm), isPlaced: true).use }
    (sounds, identities) = (table, uses.map { table[$0.index].identity })
  }

  private mutating func beginning(at frame: Int) -> CopyCompensation.Beginning {
    let identity = identities.randomElement(using: &random) ?? identities[0]
    return CopyCompensation.Beginning(slot: 0, order: 0, identity: identity, frame: frame)
  }

  private func gain(of identity: Int, among beginnings: [CopyCompensation.Beginning]) -> Float {
    1 / Float(max(beginnings.count { $0.identity == identity }, 1)).squareRoot()
  }

  @Test mutating func `Each copy is lowered by the copies around it, and no longer by earlier ones`() {
    var model: [CopyCompensation.Beginning] = []
    var now = 0
    for _ in 0..<3_000 {
      now += Int.random(in: 0..<400, using: &random)
      let first = now - 2_400
      model.removeAll { $0.frame < first }
      if Int.random(in: 0..<8, using: &random) > 0 {
        let next = beginning(at: now + Int.random(in: 0..<512, using: &random))
        model.append(next)
        let result = copies.count(next, forgettingBefore: first, in: &sounds)
        #expect(result == gain(of: next.identity, among: model))
        let flags = [copies.takeHasNew(), copies.takeHasNew()]
        #expect(flags == [true, false])
      } else {
        copies.forget(before: first, in: &sounds)
        let hasNew = copies.takeHasNew()
        #expect(!hasNew)
      }
      let frames = copies.beginnings.map(\.frame)
      #expect(frames == model.map(\.frame).sorted())
      for identity in identities {
        #expect(CopyCompensation.gain(of: identity, in: sounds) == gain(of: identity, among: model))
      }
    }
    copies.forget(before: .max, in: &sounds)
    #expect(copies.beginnings.isEmpty && identities.allSatisfy { sounds.plays(of: $0).recent == 0 })
  }

  @Test mutating func `A planned start is taken once, at the frame that it is planned for`() {
    var planned: [Int] = []
    for frame in stride(from: 0, to: 30_000, by: 64) {
      if Bool.random(using: &random) {
        let start = frame + Int.random(in: 1..<4_000, using: &random)
        copies.plan(beginning(at: start))
        planned.append(start)
      }
      let taken = copies.takePlanned(upTo: frame)
      #expect(taken.map(\.frame) == planned.filter { $0 <= frame })
      planned.removeAll { $0 <= frame }
      let again = copies.takePlanned(upTo: frame)
      #expect(copies.planned.map(\.frame) == planned && again.isEmpty)
    }
  }

  @Test mutating func `The frames follow another rate`() {
    copies.plan(beginning(at: 96_000))
    _ = copies.count(beginning(at: 48_000), forgettingBefore: 0, in: &sounds)
    copies.convertFrames(FrameConversion(from: 48_000, to: 24_000, at: 48_000))
    #expect(copies.planned.map(\.frame) == [48_000])
    #expect(copies.beginnings.map(\.frame) == [24_000])
  }
}
