import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// Clocks on devices that mix in real time.
@Suite struct LiveBeatTests {
  private func contexts() throws -> [AudioContext] { [try AudioContext(device: .silent), try AudioContext()] }

  @Test(.hangLimit) func `A loop receives the lines of a clock in real time`() async throws {
    for context in try contexts() {
      let beats = BeatClock(1_200, meter: Meter(3, 4), in: AudioWorld(in: context))
      let ticks = beats.events()
      let before = context.clock
      beats.start()
      let after = context.clock
      var lines: [BeatClock.Tick] = []
      for await line in ticks {
        #expect(context.clock >= line.moment)
        lines.append(line)
        if lines.count == 5 { break }
      }
      #expect((before...after).contains(lines[0].moment))
      #expect(lines.map(\.moment) == (0..<5).map { lines[0].moment + .milliseconds(50 * $0) })
      #expect(lines.map(\.bar) == [1, 1, 1, 2, 2] && lines.map(\.beat) == [1, 2, 3, 1, 2])
    }
  }

  @Test(.hangLimit) func `A change of the output's rate moves no line`() async throws {
    let device = try AudioDevice.silent
    let context = try AudioContext(device: device, settings: OutputSettings(sampleRate: 48_000))
    let beats = BeatClock(6_000, in: AudioWorld(in: context))
    let lines = Collected<BeatClock.Tick>()
    let token = beats.observe { lines.append($0) }
    beats.start()
    try await eventually("a first line") { !lines.all.isEmpty }
    let start = lines.all[0].moment
    for rate in [44_100, 22_050, 48_000] {
      let count = lines.all.count + 8
      let other = try AudioContext(device: device, settings: OutputSettings(sampleRate: rate))
      #expect(context.sampleRate == rate)
      let before = context.clock
      let position = beats.position
      let after = context.clock
      let range = (before - start) / .milliseconds(10) - 1e-6...(after - start) / .milliseconds(10) + 1e-6
      #expect(range.contains(position))
      try await eventually("eight more lines") { lines.all.count >= count }
      withExtendedLifetime(other) {}
    }
    beats.stop()
    let moments = lines.all.map(\.moment)
    #expect(moments == moments.indices.map { start + .milliseconds(10 * $0) })
    withExtendedLifetime(token) {}
  }

  @Test(.hangLimit) func `Threads may start, stop, observe and change a clock at once`() async throws {
    for context in try contexts() {
      let world = AudioWorld(in: context)
      let beats = BeatClock(3_000, in: world)
      let lines = Collected<BeatClock.Tick>()
      await withTaskGroup { group in
        for seed in 0..<4 {
          group.addTask {
            var random = SplitMix64(seed: UInt64(seed))
            var tokens: [NotificationToken] = []
            for _ in 0..<100 {
              switch Int.random(in: 0..<6, using: &random) {
              case 0: beats.start(at: beats.next(.beat))
              case 1: beats.stop()
              case 2: beats.setTempo(Tempo(.random(in: 2_000...9_000, using: &random)), at: beats.next(.bar))
              case 3: tokens.append(beats.observe(.beats(0.5)) { lines.append($0) })
              case 4: tokens = []
              default: _ = (beats.position, beats.tempo, beats.isRunning)
              }
              if Int.random(in: 0..<10, using: &random) == 0 { try? await Task.sleep(for: .milliseconds(2)) }
            }
          }
        }
      }
      #expect(!beats.isTicking)
      let count = lines.all.count
      let token = beats.observe { lines.append($0) }
      beats.start()
      try await eventually("the clock reports beats") { lines.all.count > count + 3 }
      withExtendedLifetime(token) {}
    }
  }
}
