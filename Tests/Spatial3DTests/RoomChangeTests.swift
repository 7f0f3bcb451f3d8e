import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import Spatial3D

/// Changes between rooms while sounds play.
@Suite struct RoomChangeTests {
  /// A playing, looping tone.
  private func tone(in context: AudioContext, send: Float) throws -> SoundSource {
    let sine = TestSignal.sine(frequency: 440, duration: .milliseconds(500), format: Rooms.mono)
    let source = try SoundSource(playing: SoundBuffer(sine, in: context), in: context)
    source.isLooping = true
    source.reverbBlend = send
    source.play()
    return source
  }

  @Test(
    arguments: [
      [Reverb(.smallRoom), Reverb(.cathedral)], [Reverb(.largeHall), nil, Reverb(.plate)],
      [Reverb(.mediumChamber), Reverb(.largeChamber), Reverb(.smallRoom), Reverb(.cathedral), Reverb(.plate)],
      [Reverb(.largeRoom), Reverb(.largeRoom, equalizer: .init(frequency: 440, bandwidth: 1, level: -12))],
      [Reverb(.largeRoom), Reverb(.largeRoom, level: -20), Reverb(.largeRoom, level: 3)],
    ],
    [0.3, 1]
  )
  func `A change makes no step above those of the sound itself`(rooms: [Reverb?], send: Float) throws {
    /// The largest step after each change of the room, including the beginning of the tone.
    func steps(_ rooms: [Reverb?], send: Float) throws -> [Double] {
      var renderer = try OfflineRenderer(format: Rooms.mono)
      let source = try tone(in: renderer.context, send: send)
      defer { withExtendedLifetime(source) {} }
      var meter = StepMeter()
      return rooms.map { room in
        renderer.context.reverb = room
        return meter.largestStep(of: renderer.render(.milliseconds(700)).channel(0))
      }
    }
    let alone = try steps([nil], send: 0)[0]
    func dry(_ room: Reverb?) -> Double { alone * (room == nil ? 1 : Double(DryWetLaw.dry(send))) }
    let wet = try rooms.map { try $0 == nil ? 0 : steps([$0], send: 1)[0] * Double(DryWetLaw.wet(send)) }
    // The limit is the sum of all rooms so far plus the louder of two dry levels.
    for (index, step) in try steps(rooms, send: send).enumerated() where index > 0 {
      let most = max(dry(rooms[index]), dry(rooms[index - 1])) + wet[...index].reduce(0, +)
      #expect(step <= most * 1.0001)
    }
  }

  @Test func `The tail of the old room rings out after a change and after a removal`() throws {
    let hasty = [Reverb(.smallRoom), Reverb(.mediumRoom), Reverb(.smallRoom), Reverb(.mediumRoom), nil]
    for next in [[nil], [Reverb(.smallRoom)], hasty] {
      var renderer = try OfflineRenderer(format: Rooms.mono)
      renderer.context.reverb = Reverb(.cathedral)
      let source = try tone(in: renderer.context, send: 1)
      _ = renderer.render(.seconds(1))
      source.gain = 0
      for reverb in next {
        renderer.context.reverb = reverb
        _ = renderer.render(frameCount: 64)
      }
      let parts = (0..<6).map { _ in energy(of: renderer.render(.milliseconds(500)).channel(0)) }
      // The level falls by 60 dB in 5.5 seconds.
      #expect(abs(parts[1] - parts[5] - 2 * 60 / 5.5) < 3)
    }
  }

  @Test func `Several room changes before a mix use one slot`() throws {
    var renderer = try OfflineRenderer(format: Rooms.mono)
    let context = renderer.context
    _ = try tone(in: context, send: 1)
    for preset in RoomPreset.allCases { context.reverb = Reverb(preset) }
    #expect(context.inspector.roomSlotCount == 1)
    _ = renderer.render(frameCount: 64)
    for preset in RoomPreset.allCases { context.reverb = Reverb(preset) }
    #expect(context.inspector.roomSlotCount == 2)
  }

  @Test func `Any number of room changes uses at most four slots`() throws {
    var renderer = try OfflineRenderer(format: Rooms.mono)
    let context = renderer.context
    for round in 1...5 {
      for preset in RoomPreset.allCases {
        context.reverb = Reverb(preset, level: Decibels(-Float(round)))
        _ = renderer.render(frameCount: 64)
      }
    }
    #expect(context.inspector.roomSlotCount == RoomSlots.capacity)
  }

  @Test func `A slot is reused only after its tail has ended`() {
    var slots = RoomSlots()
    let plan = ReverbPlan(for: Reverb(.smallRoom), canChain: false, limits: EffectLimits(version: nil, rate: 48_000))
    let second: Int64 = 1_000_000_000
    var indices: [Int] = []
    for clock in [0, 1, 2, 20, 40] as [Int64] {
      let index = slots.index(at: clock * second)
      indices.append(index)
      slots.setUnit(.init(slot: UInt32(index + 1)), at: index)
      slots.feed(index, Reverb(.cathedral), plan, at: clock * second)
    }
    #expect(indices == [0, 1, 2, 1, 0])
  }

  @Test func `The slot that becomes silent first is reused if all slots are audible`() {
    var slots = RoomSlots()
    let plan = ReverbPlan(for: Reverb(.smallRoom), canChain: false, limits: EffectLimits(version: nil, rate: 48_000))
    for (index, preset) in [RoomPreset.cathedral, .smallRoom, .mediumRoom, .largeRoom].enumerated() {
      #expect(slots.index(at: Int64(index)) == index)
      slots.setUnit(.init(slot: UInt32(index + 1)), at: index)
      slots.feed(index, Reverb(preset), plan, at: Int64(index))
    }
    #expect(slots.index(at: 4) == 2)
  }

  @Test func `A room whose tail has ended leaves the mix at the next change and returns when set again`() throws {
    var renderer = try OfflineRenderer(format: Rooms.mono)
    let context = renderer.context
    let source = try tone(in: context, send: 1)
    var counts: [Int] = []
    var levels: [Double] = []
    for reverb in [Reverb(.smallRoom), Reverb(.mediumRoom), nil, nil, Reverb(.smallRoom), Reverb(.mediumRoom)] {
      context.reverb = reverb
      counts.append(context.inspector.loadedRoomCount)
      _ = renderer.render(.milliseconds(2_000))
      levels.append(energy(of: renderer.render(.milliseconds(200)).channel(0)))
    }
    #expect(counts == [1, 2, 1, 0, 1, 2])
    #expect(abs(levels[4] - levels[0]) < 0.1 && abs(levels[5] - levels[1]) < 0.1)
    withExtendedLifetime(source) {}
  }

  @Test func `The room gets the sends that the effects leave free`() {
    func send(_ slot: Int) -> EffectSends.Send { .init(slot: UInt32(slot + 1), level: 1, lowPass: 0) }
    for limit in 1...4 {
      let choices = (0..<(1 << (limit + 1))).map { bits in (0...limit).filter { bits & 1 << $0 != 0 } }
        .filter { $0.count <= limit }
      for first in choices {
        for second in choices {
          for third in choices {
            var effects = EffectSends()
            for wanted in [first, second.reversed(), third] {
              effects.set(wanted.map(send), limit: limit)
              let fed = effects.sends.filter { $0.level > 0 }
              let isRight =
                fed.map(\.slot).sorted() == wanted.map { UInt32($0 + 1) }.sorted()
                && effects.sends.count <= limit
                && min(2, limit - effects.activeCount) == min(2, limit - wanted.count)
              if !isRight { Issue.record("\(limit): \(first), \(second), \(third): \(effects)") }
            }
          }
        }
      }
    }
  }

  @Test func `With one send left the room has it, and with none the source stays dry`() {
    var room = RoomSlots()
    let plan = ReverbPlan(for: Reverb(.smallRoom), canChain: false, limits: EffectLimits(version: nil, rate: 48_000))
    for index in [0, 1] {
      room.setUnit(.init(slot: UInt32(index + 10)), at: index)
      room.feed(index, Reverb(.smallRoom), plan, at: Int64(index + 1))
    }
    var values = SourceValues()
    values.reverbBlend = 1
    var effects = EffectSends()
    func routing(_ limit: Int) -> [SourceRouting.Send] {
      let routing = SourceRouting(values, effects, in: RoomFeeds(of: room, sendLimit: limit))
      return (0..<routing.sendCount).map { routing[$0] }
    }
    #expect(routing(2).map(\.slot) == [10, 11] && routing(2).map(\.filter.gain) == [0, 1])
    #expect(routing(1).map(\.slot) == [11] && routing(1).map(\.index) == [0])
    #expect(
      routing(0).isEmpty && SourceRouting(values, effects, in: RoomFeeds(of: room, sendLimit: 0)).direct == PathFilter()
    )
    effects.set([.init(slot: 20, level: 0.5, lowPass: -6)], limit: 2)
    #expect(routing(2).map(\.slot) == [11, 20] && routing(2).map(\.index) == [0, 1])
    effects.set([], limit: 2)
    #expect(routing(2).map(\.slot) == [10, 11])
    effects.set([.init(slot: 20, level: 1, lowPass: 0), .init(slot: 21, level: 1, lowPass: 0)], limit: 2)
    #expect(
      routing(2).map(\.slot) == [20, 21]
        && SourceRouting(values, effects, in: RoomFeeds(of: room, sendLimit: 2)).direct == PathFilter()
    )
    effects.set([.init(slot: 21, level: 1, lowPass: 0)], limit: 2)
    #expect(routing(2).map(\.slot) == [11, 21] && routing(2).map(\.filter.gain) == [1, 1])
  }
}
