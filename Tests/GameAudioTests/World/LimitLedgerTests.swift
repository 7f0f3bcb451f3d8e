import TestSupport
import Testing

@testable import GameAudio

/// The list of the emitters that limits keep virtual.
@Suite struct LimitLedgerTests {
  @Test func `A ledger without emitters has no room for any of them`() {
    var ledger = LimitLedger()
    ledger.setHasRoom()
    let taken = ledger.takeWaiting()
    #expect(!ledger.hasRoom && ledger.waiting.isEmpty && taken == nil)
  }

  @Test func `The emitters are taken in their order, once for each time that there may be room`() {
    var random = SplitMix64(seed: 3)
    var (ledger, model, hasRoom) = (LimitLedger(), [UInt32](), false)
    for order in 0..<5_000 as Range<UInt32> {
      switch Int.random(in: 0..<4, using: &random) {
      case 0, 1:
        ledger.append(EmitterSlot(Int.random(in: 0..<9, using: &random)), order: order)
        model.append(order)
      case 2:
        ledger.setHasRoom()
        hasRoom = !model.isEmpty
      default:
        let taken = ledger.takeWaiting()
        #expect((taken != nil) == hasRoom)
        guard let taken else { break }
        #expect(taken.map(\.order) == model && ledger.waiting.isEmpty && !ledger.hasRoom)
        let left = taken.filter { _ in Bool.random(using: &random) }
        ledger.putBack(left)
        (model, hasRoom) = (left.map(\.order), false)
        let again = ledger.takeWaiting()
        #expect(again == nil)
      }
      #expect(ledger.waiting.map(\.order) == model && ledger.hasRoom == hasRoom)
    }
  }
}
