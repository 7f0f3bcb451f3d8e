import Testing

@testable import GameAudio

/// The recordings of a world, and the frames of a replay.
@Suite struct RecordingLogTests {
  private static func log(interval: Int) -> CallLog {
    CallLog(interval: interval, sampleRate: 48_000, lastEffect: .max)
  }

  private static func frames(_ log: CallLog) -> [Int] { log.withCopy { $0.entries.map(\.frame) } }

  @Test func `The state records while a recording runs, and each recording has the calls of its time`() {
    var log = RecordingLog()
    let (first, second) = (Self.log(interval: 2), Self.log(interval: 3))
    #expect(!log.isRecording)
    log.record(.openUpdate)
    log.begin(first, at: MixMoment(frame: 10, sampleRate: 48_000))
    #expect(log.isRecording && log.moment.frame == 10)
    log.record(.openUpdate)
    log.begin(second, at: MixMoment(frame: 20, sampleRate: 48_000))
    log.record(.ended(.played), of: 7)
    log.setMoment(MixMoment(frame: 30, sampleRate: 48_000))
    log.record(PlayerEvent.looped(2), of: 8)
    let isFirstEnded = log.end(first)
    let isFirstEndedTwice = log.end(first)
    #expect(isFirstEnded && !isFirstEndedTwice && log.isRecording && log.logs.count == 1)
    log.record(.closeUpdate)
    let isSecondEnded = log.end(second)
    #expect(isSecondEnded && !log.isRecording && log.logs.isEmpty)
    log.record(.closeUpdate)
    #expect(Self.frames(first) == [10, 20, 30] && Self.frames(second) == [20, 30, 30])
  }

  @Test func `A tick names the recordings that are to have a snapshot`() {
    var log = RecordingLog()
    #expect(log.recordTick(6).isEmpty)
    let (first, second) = (Self.log(interval: 2), Self.log(interval: 3))
    log.begin(first, at: MixMoment(frame: 0, sampleRate: 48_000))
    log.begin(second, at: MixMoment(frame: 0, sampleRate: 48_000))
    let due = (1...6).map { tick in log.recordTick(tick).map(\.interval) }
    #expect(due == [[], [2], [3], [2], [], [2, 3]])
    #expect(Self.frames(first).count == 6 && Self.frames(second).count == 6)
  }

  @Test func `A replay replaces all ticks until its end, and those up to its last frame behind it`() {
    var log = RecordingLog()
    #expect(!log.isReplaying && !log.isReplayed(0))
    log.beginReplay()
    #expect(log.isReplaying && log.isReplayed(0) && log.isReplayed(.max))
    log.endReplay(at: 512)
    #expect(!log.isReplaying && log.isReplayed(0) && log.isReplayed(512) && !log.isReplayed(513))
  }
}
