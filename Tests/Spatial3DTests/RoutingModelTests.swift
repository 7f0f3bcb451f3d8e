import TestSupport
import Testing

@testable import Spatial3D

/// The slots and sends of rooms and effects, step by step.
@Suite struct RoutingModelTests {
  private typealias Send = EffectSends.Send

  private func send(_ slot: UInt32, _ level: Float = 1) -> Send { Send(slot: slot, level: level, lowPass: -6) }

  /// The slots and levels of sends, such as `[1: 1]`.
  private func content(_ effects: EffectSends) -> [String] {
    effects.sends.map { "\($0.slot):\(Int($0.level))" } + ["\(effects.activeCount)"]
  }

  @Test func `Each send keeps its index, and a new one takes a silent index, then a new one, then a left one`() {
    var effects = EffectSends()
    func set(_ slots: [UInt32], limit: Int = 4) -> [String] {
      effects.set(slots.map { send($0) }, limit: limit)
      return content(effects)
    }
    #expect(set([1]) == ["1:1", "1"])
    // The first send fades out, so the second has another index.
    #expect(set([2]) == ["1:0", "2:1", "2"])
    #expect(set([3]) == ["3:1", "2:0", "1"])
    #expect(set([3, 4]) == ["3:1", "4:1", "2"])
    #expect(set([4, 5, 6, 3]) == ["3:1", "4:1", "5:1", "6:1", "4"])
    // The room's part are the last two sends.
    #expect(set([3, 5, 6]) == ["3:1", "6:1", "5:1", "0:0", "3"])
    #expect(set([3, 5]) == ["3:1", "5:1", "0:0", "0:0", "2"])
    #expect(set([]) == ["3:0", "5:0", "0:0", "0:0", "0"])
    effects = EffectSends()
    #expect(set([1, 2, 3, 4]) == ["1:1", "2:1", "3:1", "4:1", "4"])
    #expect(set([4]) == ["4:1", "2:0", "3:0", "0:0", "1"])
    effects = EffectSends()
    #expect(set([1], limit: 1) == ["1:1", "1"])
    #expect(set([2], limit: 1) == ["2:1", "1"])
    #expect(set([3, 4, 5], limit: 2) == ["4:1", "3:1", "2"])
    #expect(set([6, 7], limit: 2) == ["6:1", "7:1", "2"])
  }

  @Test func `A change and a deletion concern one slot`() {
    var effects = EffectSends()
    effects.set([send(1), send(2), send(3)], limit: 5)
    let before = effects
    effects.change(Send(slot: 2, level: 5, lowPass: -1))
    #expect(effects.sends == [send(1), Send(slot: 2, level: 5, lowPass: -1), send(3)])
    effects.change(Send(slot: 9, level: 5, lowPass: -1))
    effects.forget(9)
    #expect(effects.sends.map(\.slot) == [1, 2, 3])
    effects.change(send(2))
    #expect(effects == before)
    effects.forget(3)
    #expect(effects.sends == [send(1), send(2), .none] && Send.none == Send(slot: 0, level: 0, lowPass: 0))
    #expect(effects.activeCount == 3)
  }

  private static let limits = EffectLimits(version: nil, rate: 48_000)
  private static let cathedral = Reverb(.cathedral)
  private static let plan = ReverbPlan(for: cathedral, canChain: false, limits: limits)

  /// Slots with rooms at some indices, fed one after the other.
  private func slots(_ feeds: [(index: Int, clock: Int64)], _ reverb: Reverb = cathedral) -> RoomSlots {
    var slots = RoomSlots()
    let plan = ReverbPlan(for: reverb, canChain: false, limits: Self.limits)
    for (index, clock) in feeds {
      slots.setUnit(.init(slot: UInt32(index + 1)), at: index)
      slots.feed(index, reverb, plan, at: clock)
    }
    return slots
  }

  @Test func `A tail lasts half as long again as the longest decay and half a second`() {
    for (low, high, seconds) in [(1, 0.6, 8.75), (2, 0.6, 17), (0.5, 1.5, 12.875), (0.5, 0.5, 8.75)]
      as [(Float, Float, Double)]
    {
      var room = RoomAcoustics(.cathedral)
      (room.lowFrequencyDecayRatio, room.highFrequencyDecayRatio) = (low, high)
      var slots = slots([(0, 100)], Reverb(room: room))
      #expect(slots.units[0]?.tail == Int64(seconds * 1e9))
      slots.stop(at: 1_000)
      let end = 1_000 + Int64(seconds * 1e9)
      #expect(slots.units[0]?.end == end && slots.units[0]?.leftAt == 1_000)
      check(slots.takeSilent(at: end - 1).isEmpty, true)
      check(slots.takeSilent(at: end).map(\.slot), [1])
      // Each is taken once.
      check(slots.takeSilent(at: end + 1).isEmpty, true)
      #expect(slots.units[0]?.isLoaded == false)
    }
  }

  @Test func `The next room has the other send, an index that is silent, a free one, or the one that is silent first`()
  {
    #expect(RoomSlots.capacity == 4)
    #expect(RoomSlots().index(at: 0) == 0 && RoomSlots().units.count == 4)
    let tail: Int64 = 8_750_000_000
    // Without a mix since its start, the same index again.
    #expect(slots([(0, 5)]).index(at: 5) == 0 && slots([(0, 5)]).index(at: 6) == 1)
    #expect(slots([(1, 5)]).index(at: 5) == 1 && slots([(1, 5)]).index(at: 6) == 0)
    let two = slots([(0, 0), (1, 10)])
    #expect(two.index(at: 10 + tail - 1) == 2 && two.index(at: 10 + tail) == 0)
    let all = slots([(0, 0), (1, 10), (2, 20), (3, 30)])
    #expect(all.index(at: 40) == 0)
    // The second send's first room was left later than its second.
    let turned = slots([(1, 0), (2, 1), (3, 2), (0, 3), (1, 4), (0, 5)])
    #expect(turned.index(at: 6) == 3)
    // At the same end, the lower index.
    var equal = RoomSlots()
    for index in [0, 2, 1] {
      equal.setUnit(.init(slot: UInt32(index + 1), leftAt: 7, tail: tail), at: index)
    }
    equal.feed(1, Self.cathedral, Self.plan, at: 8)
    #expect(equal.index(at: 9) == 0)
  }

  @Test func `Slots that are fed have a room, and stopped or failed ones have none`() {
    var slots = slots([(2, 3)])
    #expect(slots.current == 2 && slots.last == 2 && slots.slot == 3 && slots.newest == [2, nil])
    #expect(slots.reverb == Self.cathedral && slots.plan == Self.plan)
    #expect(slots.resolution(Self.limits)?.level == 0 && slots.boost == 1)
    let loud = Reverb(.cathedral, level: 40)
    slots.setLevel(of: loud)
    #expect(slots.reverb == loud && slots.boost == Self.plan.boost(40) && slots.boost > 1)
    check(slots.takeSilent(at: .max).isEmpty, true)
    slots.stop(at: 4)
    #expect(slots.current == nil && slots.last == 2 && slots.slot == nil && slots.newest == [2, nil])
    #expect(slots.reverb == nil && slots.plan == nil && slots.resolution(Self.limits) == nil && slots.boost == 1)
    slots.fail(loud, at: 5)
    #expect(slots.reverb == loud && slots.resolution(Self.limits) == nil && slots.boost == 1 && slots.current == nil)
    #expect(slots.units[2]?.leftAt == 4)
    slots.feed(2, loud, Self.plan, at: 6)
    slots.fail(loud, at: 7)
    #expect(slots.current == nil && slots.units[2]?.leftAt == 7)
  }

  @Test func `The feeds of a room have the newest slot of each send`() {
    func feeds(_ slots: RoomSlots) -> [Int] {
      let feeds = RoomFeeds(of: slots, sendLimit: 7)
      #expect(feeds.sendLimit == 7 && feeds.boost == slots.boost)
      return [Int(feeds.slots[0]), Int(feeds.slots[1]), feeds.current ?? -1, feeds.last ?? -1]
    }
    #expect(feeds(RoomSlots()) == [0, 0, -1, -1])
    #expect(feeds(slots([(0, 1)])) == [1, 0, 0, 0])
    #expect(feeds(slots([(3, 1)])) == [0, 4, 1, 1])
    #expect(feeds(slots([(0, 1), (1, 2), (2, 3)])) == [3, 2, 0, 0])
    var stopped = slots([(0, 1), (3, 2)])
    stopped.stop(at: 3)
    #expect(feeds(stopped) == [1, 4, -1, 1])
  }

  @Test func `A boosted room raises the source, and lowers all other paths by as much`() throws {
    let loud = Reverb(.cathedral, level: 40)
    let room = slots([(0, 1), (1, 2)], loud)
    let boost = room.boost
    #expect(boost > 1.1)
    var effects = EffectSends()
    effects.set([.init(slot: 20, level: 0.5, lowPass: -6), .init(slot: 21, level: 0.25, lowPass: 0)], limit: 6)
    for level in [0, 0.5, 1] as [Float] {
      var values = SourceValues()
      (values.reverbBlend, values.occlusion, values.obstruction) = (level, -12, -6)
      values.filter = ToneFilter(low: -3, high: -9)
      let routing = SourceRouting(values, effects, in: RoomFeeds(of: room, sendLimit: 20))
      let used: Float = level > 0 ? boost : 1
      #expect(routing.boost == used)
      let direct = PathFilter.direct(occlusion: -12, obstruction: -6, tone: values.filter)
      #expect(routing.direct == direct.scaled(by: DryWetLaw.dry(level) / used))
      let wet = PathFilter.send(occlusion: -12, tone: values.filter).scaled(by: DryWetLaw.wet(level))
      let muffled = PathFilter.send(occlusion: -12, lowPass: -6, tone: values.filter).scaled(by: 0.5 / used)
      let clear = PathFilter.send(occlusion: -12, tone: values.filter).scaled(by: 0.25 / used)
      #expect(
        (0..<routing.sendCount).map { routing[$0] } == [
          .init(index: 0, slot: 1, filter: wet.scaled(by: 0)), .init(index: 1, slot: 2, filter: wet),
          .init(index: 15, slot: 20, filter: muffled), .init(index: 14, slot: 21, filter: clear),
        ]
      )
    }
    // Without a room, a source has its own level everywhere.
    var values = SourceValues()
    values.reverbBlend = 1
    var dry = room
    dry.stop(at: 3)
    let routing = SourceRouting(values, EffectSends(), in: RoomFeeds(of: dry, sendLimit: 2))
    #expect(routing.boost == 1 && routing.direct == PathFilter())
    #expect((0..<routing.sendCount).map { routing[$0].filter.gain } == [0, 0])
  }

  @Test func `A path's filter takes low frequencies by a quarter, and what exceeds 60 dB off all of them`() {
    func decibels(_ filter: PathFilter) -> [Float] {
      [filter.gain, filter.lowGain, filter.highGain].map { (Decibels(factor: $0).rawValue * 1_000).rounded() / 1_000 }
    }
    #expect(decibels(.direct(occlusion: -40, obstruction: -20)) == [-10, 0, -50])
    #expect(decibels(.direct(occlusion: -100, obstruction: 0)) == [-40, 0, -60])
    #expect(decibels(.direct(occlusion: -80, obstruction: 0)) == [-20, 0, -60])
    #expect(decibels(.send(occlusion: -40, lowPass: -5, tone: ToneFilter(low: -7, high: -3))) == [-10, -7, -38])
    #expect(decibels(.send(occlusion: 0, lowPass: -70)) == [-10, 0, -60])
    let filter = PathFilter.direct(occlusion: -40, obstruction: 0).scaled(by: 0.5)
    #expect(abs(Decibels(factor: filter.gain).rawValue + 16.0206) < 1e-3)
    #expect(decibels(filter)[2] == -30)
    #expect([PathFilter().gain, PathFilter().lowGain, PathFilter().highGain] == [1, 1, 1])
  }
}
