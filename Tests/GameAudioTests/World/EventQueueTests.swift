import Spatial3D
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The order of events, compared with lists of them.
@Suite struct EventQueueTests {
  /// An event that no other one can represent.
  private struct Mark: Coalescing, Equatable {
    let number: Int
    var isJoinable: Bool { false }
    var isCount: Bool { false }
    func joined(with later: Mark) -> Mark? { nil }
  }

  private static func id(_ number: Int) -> EmitterKey { EmitterKey(slot: EmitterSlot(number), number: 1) }

  @Test
  func `Events come in order, and those of an emitter behind one that is deferred come with it in the next round`()
    throws
  {
    let context = try OfflineRenderer(format: .mono(sampleRate: 48_000)).context
    var random = SplitMix64(seed: 71)
    for _ in 0..<60 {
      let received = Collected<String>()
      var queue = EventQueue()
      var observers = Array(repeating: Observers<Mark>(), count: 4)
      // The last one has no observer, the others one to three.
      let subscriptions = (0..<3).map { emitter in
        (0...emitter).map { index in
          Subscription<Mark>(calling: { received.append("\(emitter).\(index): \($0.number)") })
        }
      }
      for emitter in 0..<3 { for one in subscriptions[emitter] { observers[emitter].add(one) } }
      #expect(observers.map(\.isEmpty) == [false, false, false, true])
      var (due, putOff, expected): ([[String]], [[String]], [String]) = ([], [], [])
      var waits = Array(repeating: false, count: 4)
      for number in 0..<40 {
        let emitter = Int.random(in: 0..<4, using: &random)
        switch Int.random(in: 0..<6, using: &random) {
        case 0:
          queue.beginRound()
          due += putOff
          (putOff, waits) = ([], [false, false, false, false])
        case 1:
          #expect(queue.post(in: context).isEmpty)
          context.deliverNotifications()
          expected += due.joined()
          due = []
          // Observers are called one by one: each has its own order.
          for one in (0..<3).flatMap({ emitter in (0...emitter).map { "\(emitter).\($0): " } }) {
            #expect(received.all.filter { $0.hasPrefix(one) } == expected.filter { $0.hasPrefix(one) })
          }
        default:
          let isDeferred = Int.random(in: 0..<4, using: &random) == 0
          queue.append(
            Mark(number: number),
            of: Self.id(emitter),
            to: &observers[emitter],
            isDeferred: isDeferred
          )
          guard emitter < 3 else { break }
          waits[emitter] = waits[emitter] || isDeferred
          let words = observers[emitter].subscriptions.indices.map { "\(emitter).\($0): \(number)" }
          if waits[emitter] { putOff.append(words) } else { due.append(words) }
        }
        #expect(queue.isDue == !due.isEmpty && queue.needsTick == !putOff.isEmpty)
      }
    }
  }

  @Test(arguments: [false, true])
  func `The end comes behind the events that are left, and the observers that left before hear nothing`(waits: Bool)
    throws
  {
    let context = try OfflineRenderer(format: .mono(sampleRate: 48_000)).context
    let received = Collected<Int>()
    var queue = EventQueue()
    var observers = Observers<Mark>()
    queue.appendEnd(of: Self.id(0), to: observers)
    #expect(!queue.isDue && !queue.needsTick)
    let (first, second) = (
      Subscription<Mark>(calling: { received.append($0.number) }),
      Subscription<Mark>(calling: { received.append(100 + $0.number) })
    )
    observers.add(first)
    observers.add(second)
    queue.append(Mark(number: 1), of: Self.id(0), to: &observers, isDeferred: waits)
    observers.remove(second)
    #expect(observers.subscriptions.count == 1)
    queue.append(Mark(number: 2), of: Self.id(0), to: &observers, isDeferred: false)
    queue.appendEnd(of: Self.id(0), to: observers)
    queue.append(Mark(number: 3), of: Self.id(0), to: &observers, isDeferred: false)
    #expect(queue.isDue == !waits && queue.needsTick == waits)
    for _ in 0..<2 {
      if waits { queue.beginRound() }
      #expect(queue.post(in: context).isEmpty && !queue.isDue && !queue.needsTick)
      context.deliverNotifications()
    }
    #expect(received.all == [1, 101, 2])
    observers.remove(first)
    #expect(observers.isEmpty)
  }

  @Test func `An emitter is named when a sequence of it loses its first event, whichever of its observers it is`()
    throws
  {
    let context = try OfflineRenderer(format: .mono(sampleRate: 48_000)).context
    for sequence in 0..<2 {
      var queue = EventQueue()
      var observers = Observers<Mark>()
      for index in 0..<2 {
        let handler: Subscription<Mark>.Handler = { _ in }
        observers.add(Subscription(calling: index == sequence ? nil : handler))
      }
      var losers: [Int] = []
      for number in 0..<Subscription<Mark>.unreadLimit + 3 {
        queue.append(Mark(number: number), of: Self.id(number), to: &observers, isDeferred: false)
        losers += queue.post(in: context).map { $0.slot.position }
        context.deliverNotifications()
      }
      #expect(losers == [Subscription<Mark>.unreadLimit])
    }
  }

  @Test func `An end waits for the tick where a handler that plays again could run without one`() {
    let waits: [(EmitterEvent.Reason, [Bool])] = [
      (.played, [false, false, false]), (.stopped, [false, true, true]), (.stolen, [false, true, true]),
      (.refused, [true, true, true]), (.failed, [true, true, true]),
    ]
    for (reason, expected) in waits {
      #expect([99, 100, 101].map { reason.waitsForTick(began: $0, lastTick: 100) } == expected, "\(reason)")
    }
  }

  @Test func `A deferred end is kept for a task that begins to wait before the tick, and is over with it`() throws {
    let context = try OfflineRenderer(format: .mono(sampleRate: 48_000)).context
    let received = Collected<EmitterEvent>()
    var (queue, emitters) = (EventQueue(), EmitterTable())
    let key = emitters.add(hasPosition: true, bus: .main, isDirect: false)
    let slot = key.slot
    let subscription = Subscription<EmitterEvent>(calling: { received.append($0) })
    // An end that is not deferred is not kept, unless an earlier end of the round was.
    queue.append(.ended(.played), of: slot, in: &emitters, lastTick: 100)
    #expect(emitters[slot].deferredEnd == nil)
    queue.append(.ended(.refused), of: slot, in: &emitters, lastTick: 100)
    #expect(emitters[slot].deferredEnd?.reason == .refused)
    queue.append(.ended(.played), of: slot, in: &emitters, lastTick: 100)
    #expect(emitters[slot].deferredEnd?.reason == .played && emitters[slot].deferredEnd?.round == queue.round)
    let isWaiting = queue.append(emitters[slot].deferredEnd, of: key, to: subscription)
    let isWaitingForNone = queue.append(nil, of: key, to: subscription)
    #expect(isWaiting && !isWaitingForNone && queue.needsTick && !queue.isDue)
    queue.beginRound()
    #expect(queue.isDue && !queue.needsTick)
    _ = queue.post(in: context)
    context.deliverNotifications()
    #expect(received.all == [.ended(.played)])
    let isWaitingBehind = queue.append(emitters[slot].deferredEnd, of: key, to: subscription)
    #expect(!isWaitingBehind && !queue.needsTick)
    queue.append(.ended(.played), of: slot, in: &emitters, lastTick: 100)
    #expect(emitters[slot].deferredEnd?.round != queue.round)
  }

  @Test func `The first call begins the collection of events, and each call moves them out`() {
    var (queue, emitters) = (EventQueue(), EmitterTable())
    let keys = (0..<2).map { _ in emitters.add(hasPosition: true, bus: .main, isDirect: false) }
    func taken() -> [String] {
      var events: [EmitterNotification] = []
      queue.takeEvents(into: &events)
      return events.map { "\($0.emitter.number) \($0.event == .becameReal)" }
    }
    queue.append(.becameReal, of: keys[0].slot, in: &emitters, lastTick: 0)
    #expect(queue.collected == nil)
    let first = taken()
    queue.append(.becameReal, of: keys[1].slot, in: &emitters, lastTick: 0)
    queue.append(.becameVirtual, of: keys[0].slot, in: &emitters, lastTick: 0)
    let (second, third) = (taken(), taken())
    #expect(first.isEmpty && second == ["\(keys[1].number) true", "\(keys[0].number) false"] && third.isEmpty)
    #expect(queue.collected?.isEmpty == true)
  }
}
