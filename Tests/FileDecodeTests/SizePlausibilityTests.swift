import TestSupport
import Testing

@testable import FileDecode

@Suite struct SizePlausibilityTests {
  @Test func `A claimed length is plausible only if the file is large enough`() {
    #expect(SizePlausibility.fixed.plausible(200, byteCount: 100) == 200)
    #expect(SizePlausibility.fixed.plausible(201, byteCount: 100) == nil)
    #expect(SizePlausibility.packets.plausible(68_719_476_735, byteCount: 10_000) == nil)
    #expect(SizePlausibility.packets.plausible(441_000, byteCount: 1_000) == 441_000)
    #expect(SizePlausibility.packets.plausible(nil, byteCount: 1_000) == nil)
    #expect(SizePlausibility.packets.plausible(5, byteCount: Int.max) == 5)
  }

  @Test func `The file's size and a million frames limit the initial reservation`() {
    var generator = SplitMix64(seed: 7)
    for plausibility in [SizePlausibility.fixed, .packets] {
      #expect(plausibility.initialReservation(claim: nil, byteCount: 1 << 40) == 0)
      for _ in 0..<2_000 {
        let claim = Int.random(in: 0...Int.max, using: &generator) >> Int.random(in: 0...62, using: &generator)
        let byteCount = Int.random(in: 1...Int.max, using: &generator) >> Int.random(in: 0...62, using: &generator)
        let reserved = plausibility.initialReservation(claim: claim, byteCount: byteCount)
        #expect(reserved <= min(claim, 1 << 20))
        #expect(reserved / plausibility.likelyFramesPerByte <= byteCount)
      }
    }
  }

  @Test func `A reservation grows with the decoded frames and ends at the claimed length`() {
    var room = 1 << 20
    var steps = 0
    while room < 7_938_000 {
      let next = SizePlausibility.nextReservation(claim: 7_938_000, decoded: room)
      #expect(next > room && next <= max(room * 4, 4_096))
      room = next
      steps += 1
    }
    #expect(room == 7_938_000)
    #expect(steps == 2)
    #expect(SizePlausibility.nextReservation(claim: nil, decoded: 0) == 4_096)
    #expect(SizePlausibility.nextReservation(claim: 10, decoded: 10) > 10)
    #expect(SizePlausibility.nextReservation(claim: nil, decoded: Int.max) == Int.max)
  }
}
