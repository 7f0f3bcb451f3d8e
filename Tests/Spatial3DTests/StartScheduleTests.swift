import TestSupport
import Testing

@testable import Spatial3D

@Suite struct StartScheduleTests {
  /// A model of the schedule, written in the slow and obvious way.
  private struct Model {
    var frames: [Int: (frame: Int, state: SourceState, order: Int)] = [:]
    var addedCount = 0

    mutating func add(_ slot: Int, _ frame: Int) {
      addedCount += 1
      frames[slot] = (frame, .playing, addedCount)
    }

    mutating func takeDue(at frame: Int) -> [UInt32] {
      let due = frames.filter { $1.state == .playing && $1.frame <= frame }.sorted { $0.value.order < $1.value.order }
        .map(
          \.key
        )
      for slot in due { frames[slot] = nil }
      return due.map(UInt32.init)
    }
  }

  @Test func `A schedule starts each source once at its frame unless paused or removed`() {
    var generator = SplitMix64(seed: 11)
    var schedule = StartSchedule()
    var model = Model()
    for now in 0..<20_000 {
      let slot = Int.random(in: 0..<12, using: &generator)
      let key = SourceKey(slot: slot, generation: 1)
      switch Int.random(in: 0..<7, using: &generator) {
      case 0, 1:
        let frame = now + Int.random(in: -5..<40, using: &generator)
        schedule.add(key, id: UInt32(slot), time: Int64(frame))
        model.add(slot, frame)
      case 2:
        schedule.remove(key)
        model.frames[slot] = nil
      case 3:
        schedule.pause(key)
        if model.frames[slot]?.state == .playing { model.frames[slot]?.state = .paused }
      case 4:
        #expect(schedule.resume(key) == (model.frames[slot]?.state == .paused))
        if model.frames[slot]?.state == .paused { model.frames[slot]?.state = .playing }
      default:
        #expect(schedule.takeDue { $0 <= now }.map(\.id) == model.takeDue(at: now))
      }
      #expect(schedule.state(of: key) == model.frames[slot]?.state)
      #expect(schedule.nextTime == model.frames.values.filter { $0.state == .playing }.map { Int64($0.frame) }.min())
      #expect(schedule.isEmpty == model.frames.isEmpty)
    }
  }
}
