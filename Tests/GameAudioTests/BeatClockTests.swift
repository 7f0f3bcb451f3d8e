import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// Clocks whose time a test renders.
@Suite struct BeatClockTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let click = TestSignal.impulse(duration: .milliseconds(1), format: mono, amplitude: 0.5)

  @Test func `Sounds start on the bar to the frame, over three tempo changes`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    // Two in turns: a start ends what an emitter plays.
    let clicks = (0..<2).map { _ in Emitter(playing: Sound(Self.click), in: world) }
    for click in clicks { click.position = [0, 0, -1] }
    let beats = BeatClock(117.3, in: world)
    offline.render(frameCount: 777)
    beats.start(at: .milliseconds(40))
    var samples = [Float](repeating: 0, count: 777)
    for bar in 0..<24 {
      clicks[bar % 2].play(at: beats.next(.bar))
      if bar == 5 { beats.setTempo(90, at: beats.next(.bars(4))) }
      if bar == 6 { beats.setTempo(171.77, at: beats.next(.bars(8))) }
      if bar == 14 { beats.setTempo(133, at: beats.next(.bars(8))) }
      // Past the line, and short of the next by more than the lead.
      let middle = beats.next(.bar) + beats.tempo.beatDuration * 2
      let end = Self.mono.frameCount(in: middle)
      samples += offline.render(frameCount: end - samples.count).samples
    }
    // Bars of four beats, in tempos from bars 1, 9, 9 and 17 on: the second change replaces the first.
    let tempos: [(bars: Int, tempo: Double)] = [(8, 117.3), (8, 171.77), (8, 133)]
    var (seconds, expected) = (0.04, [Int]())
    for (bars, tempo) in tempos {
      for _ in 0..<bars {
        expected.append(Int((seconds * 48_000).rounded()))
        seconds += 4 * 60 / tempo
      }
    }
    #expect(
      samples.indices.filter { samples[$0] != 0 && !samples[max($0 - 4_800, 0)..<$0].contains { $0 != 0 } } == expected
    )
  }

  @Test func `Sounds start on the bar to the frame over an hour`() throws {
    let format = PCMFormat.mono(sampleRate: 12_000)
    var offline = try OfflineRenderer(format: format)
    let world = AudioWorld(in: offline.context)
    let click = TestSignal.impulse(duration: .milliseconds(1), format: format, amplitude: 0.5)
    let emitter = Emitter(playing: Sound(click), in: world)
    let beats = BeatClock(117.3, in: world)
    beats.start(at: .milliseconds(400))
    let tempos = [117.3, 171.77, 90, 133.33]
    var (seconds, mixed, differences) = (0.4, 0, [Int?]())
    for (index, tempo) in tempos.enumerated() {
      // A quarter of an hour and a little more, in steps of eight bars.
      for _ in 0...Int(900 * tempo / 240 / 8) {
        let expected = Int((seconds * 12_000).rounded())
        emitter.play(at: beats.next(.bars(8)))
        offline.render(frameCount: expected - 100 - mixed)
        let start = offline.render(frameCount: 200).samples.firstIndex { $0 != 0 }
        differences.append(start.map { $0 - 100 })
        (mixed, seconds) = (expected + 100, seconds + 8 * 240 / tempo)
      }
      if index < 3 { beats.setTempo(Tempo(tempos[index + 1]), at: beats.next(.bars(8))) }
    }
    #expect(mixed > 3_600 * 12_000 && differences.allSatisfy { $0 == 0 }, "\(differences)")
  }

  @Test func `Each line is reported within a tick, with its moment, where several fall into one too`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let context = offline.context
    let beats = BeatClock(400, meter: Meter(3, 4), in: AudioWorld(in: context))
    let fine = Collected<(BeatClock.Tick, Duration)>()
    let bars = Collected<(BeatClock.Tick, Duration)>()
    // 1.5 ms apart: seven in each tick.
    let tokens = [(Grid.beats(0.01), fine), (.bar, bars)].map { grid, lines in
      beats.observe(grid) { [weak context] in lines.append(($0, context?.clock ?? .zero)) }
    }
    beats.start()
    for _ in 0..<100 { offline.render(frameCount: 487) }
    let tick = Self.mono.duration(ofFrames: 512)
    #expect(fine.all.map(\.0.moment) == fine.all.indices.map { .microseconds(1_500 * $0) })
    #expect(abs(fine.all.count - 100 * 487 / 72) <= 8)
    #expect(bars.all.map(\.0.bar) == Array(1...3) && bars.all.allSatisfy { $0.0.beat == 1 })
    for (line, clock) in fine.all + bars.all {
      #expect((.zero...tick).contains(clock - line.moment))
    }
    #expect(fine.all.map { $0.0.beat } == fine.all.indices.map { $0 / 100 % 3 + 1 })
    withExtendedLifetime(tokens) {}
  }

  @Test(.hangLimit) func `A sequence loses no line, and ends with the clock`() async throws {
    var offline = try OfflineRenderer(format: .mono(sampleRate: 12_000))
    var clock: BeatClock? = BeatClock(6_000, in: AudioWorld(in: offline.context))
    let ticks = try #require(clock).events(.beat)
    offline.render(.seconds(1))
    clock?.start()
    offline.render(.seconds(30))
    clock?.stop()
    offline.render(.seconds(1))
    clock = nil
    var lines: [BeatClock.Tick] = []
    for await line in ticks { lines.append(line) }
    #expect(lines.map(\.moment) == (0...3_000).map { .seconds(1) + .milliseconds(10 * $0) })
    #expect(lines.map(\.position) == (0...3_000).map(Double.init))
  }

  @Test(.hangLimit) func `The release of a clock ends a loop that waits`() async throws {
    let offline = try OfflineRenderer(format: Self.mono)
    var clock: BeatClock? = BeatClock(120, in: AudioWorld(in: offline.context))
    let ticks = try #require(clock).events()
    weak let released = clock
    let loop = Task {
      for await _ in ticks {}
      return true
    }
    clock = nil
    #expect(await loop.value && released == nil)
  }

  @Test func `A clock has ticks of the mix only while it runs and is observed`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let beats = BeatClock(120, in: AudioWorld(in: offline.context))
    beats.start()
    #expect(!beats.isTicking)
    var tokens = [beats.observe { _ in }, beats.observe(.bar) { _ in }]
    #expect(beats.isTicking)
    beats.stop()
    #expect(!beats.isTicking)
    beats.start(at: .seconds(100))
    tokens.removeLast()
    #expect(beats.isTicking)
    tokens.removeLast()
    #expect(!beats.isTicking)
    let ticks: NotificationSequence? = beats.events()
    #expect(beats.isTicking)
    offline.render(frameCount: 1_024)
    withExtendedLifetime(ticks) {}
  }

  @Test func `A handler may use the clock, start sounds, and end its own observation`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let beats = BeatClock(240, in: world)
    let click = Emitter(playing: Sound(Self.click), in: world)
    click.position = [0, 0, -1]
    let lines = Collected<Int>()
    let token = Collected<NotificationToken>()
    token.append(
      beats.observe { [weak beats] line in
        guard let beats else { return }
        lines.append(line.beat)
        click.play(at: beats.next(.beats(0.5)))
        if line.beat == 2 { beats.setTempo(480) }
        if line.bar == 2 { beats.start() }
        if lines.all.count == 9 { token.all[0].cancel() }
      }
    )
    beats.start()
    let samples = offline.render(.seconds(4)).samples
    #expect(lines.all == [1, 2, 3, 4, 1, 1, 2, 3, 4])
    #expect(!beats.isTicking && beats.isRunning)
    // The sound between the first two beats: 60 / 240 / 2 s.
    #expect(samples.firstIndex { $0 != 0 } == 6_000)
  }

  @Test func `Freezing the context stops the beats, and muting does not`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let context = offline.context
    let beats = BeatClock(120, in: AudioWorld(in: context))
    let lines = Collected<BeatClock.Tick>()
    let token = beats.observe { lines.append($0) }
    beats.start()
    offline.render(.milliseconds(750))
    context.suspend(.freeze)
    offline.render(.seconds(5))
    #expect(lines.all.count == 2 && abs(beats.position - 1.5) < 1e-6)
    context.resume()
    offline.render(.milliseconds(500))
    #expect(lines.all.map(\.moment) == [.zero, .milliseconds(500), .milliseconds(1_000)])
    context.suspend(.mute)
    offline.render(.seconds(1))
    #expect(lines.all.count == 5 && abs(beats.position - 4.5) < 1e-6)
    withExtendedLifetime(token) {}
  }

  @Test func `A clock that is stopped keeps its position and its tempo, and can go on`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let beats = BeatClock(120, meter: Meter(7, 8), in: AudioWorld(in: offline.context))
    #expect(beats.position == 0 && !beats.isRunning && beats.meter == Meter(7, 8))
    beats.start(at: .seconds(1))
    #expect(beats.isRunning && beats.position == -2 && beats.next(.beat) == .seconds(1))
    offline.render(.seconds(2))
    beats.setTempo(60)
    beats.setTempo(30, at: .seconds(100))
    offline.render(.seconds(1))
    beats.stop()
    #expect(beats.tempo == 60 && abs(beats.position - 3) < 1e-6)
    offline.render(.seconds(1))
    #expect(abs(beats.position - 3) < 1e-6)
    // As if it started now, at bar 1.
    #expect(beats.next(.beat) == .seconds(4.5))
    beats.start(fromBeat: beats.position)
    // Bar 2 begins at 3.5 quarter notes.
    #expect(beats.next(.bar) - offline.context.clock == .milliseconds(500))
    offline.render(.seconds(97))
    #expect(abs(beats.position - 100) < 1e-6 && beats.tempo == 60)
  }

  @Test func `The next line on an output lies 50 ms ahead at least, so that a sound begins exactly there`() throws {
    let context = try AudioContext(device: .silent)
    let clock = BeatClock(60, in: AudioWorld(in: context, voiceLimit: 1))
    for _ in 0..<20 {
      // Lines that are a millisecond apart.
      let before = context.clock
      let next = clock.next(.beats(0.001))
      let after = context.clock
      #expect(next >= before + .milliseconds(50) && next <= after + .microseconds(51_001))
    }
  }

  @Test func `An observation that begins late reports no line that is over, and one before the start none before it`()
    throws
  {
    var offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
    let clock = BeatClock(120, in: AudioWorld(in: offline.context, voiceLimit: 1))
    let lines = (0..<2).map { _ in Collected<BeatClock.Tick>() }
    clock.start(at: .seconds(2))
    let early = clock.observe { lines[0].append($0) }
    offline.render(.seconds(3.25))
    let late = clock.observe { lines[1].append($0) }
    offline.render(.seconds(1))
    #expect(lines[0].all.map(\.position) == [0, 1, 2, 3, 4])
    #expect(lines[0].all.map(\.moment) == (0..<5).map { .seconds(2) + .milliseconds(500 * $0) })
    #expect(lines[1].all.map(\.position) == [3, 4])
    withExtendedLifetime((early, late)) {}
  }
}
