import TestSupport
import Testing

@testable import Spatial3D

@Suite struct StartScheduleTests {
  /// A model of the schedule, in slow and obvious code.
  private struct Model {
    var frames: [Int: (frame: Int, state: SourceState, order: Int)] = [:]
    var addedCount = 0

    mutating func add(_ slot: Int, _ frame: Int) {
      addedCount += 1
      frames[slot] = (frame, .playing, addedCount)
    }

    mutating func takeDue(at frame: Int) -> [Int] {
      let due = frames.filter { $1.state == .playing && $1.frame <= frame }.sorted { $0.value.order < $1.value.order }
        .map(\.key)
      for slot in due { frames[slot] = nil }
      return due
    }
  }

  @Test func `A schedule starts each source once at its frame unless paused or removed`() {
    var generator = SplitMix64(seed: 11)
    var schedule = StartSchedule()
    var starts = Array(repeating: SourceStart(), count: 12)
    var model = Model()
    for time in 0..<20_000 {
      let slot = Int.random(in: 0..<12, using: &generator)
      let key = SourceKey(slot: slot, generation: 1)
      switch Int.random(in: 0..<7, using: &generator) {
      case 0, 1:
        let frame = time + Int.random(in: -5..<40, using: &generator)
        schedule.add(.init(time: Int64(frame)), of: key, to: &starts[slot])
        model.add(slot, frame)
      case 2:
        schedule.endWait(of: key, in: &starts[slot])
        model.frames[slot] = nil
      case 3:
        starts[slot].pauseWait()
        if model.frames[slot]?.state == .playing { model.frames[slot]?.state = .paused }
      case 4:
        #expect(starts[slot].resumeWait() == (model.frames[slot]?.state == .paused))
        if model.frames[slot]?.state == .paused { model.frames[slot]?.state = .playing }
      default:
        let due = schedule.due({ starts[$0.slot].wait }, at: { $0 <= time })
        #expect(due.map(\.slot) == model.takeDue(at: time))
        for key in due { schedule.endWait(of: key, in: &starts[key.slot]) }
      }
      #expect(starts[slot].state == model.frames[slot]?.state)
      let nextTime = schedule.nextTime { starts[$0.slot].wait }
      #expect(nextTime == model.frames.values.filter { $0.state == .playing }.map { Int64($0.frame) }.min())
      #expect(schedule.isEmpty == model.frames.isEmpty)
    }
  }
}
