import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// Events that nobody reads.
@Suite(.hangLimit) struct UnreadEventTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let limit = 16_384

  /// The ends of an emitter that is played many times: in a sequence, for a closure, and for the thread of the game.
  @Test func `Of unread ends the latest are kept, the others counted and reported once`() async throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let diagnostics = Collected<Diagnostic>()
    let observer = offline.context.observeDiagnostics { diagnostics.append($0) }
    let world = AudioWorld(in: offline.context)
    var taken: [EmitterNotification] = []
    world.takeEvents(into: &taken)
    let sound = Sound(TestSignal.noise(duration: .milliseconds(100), format: Self.mono))
    var gun: Emitter? = Emitter(playing: sound, in: world)
    guard let events = gun?.events() else { return }
    let ends = Collected<EmitterEvent>()
    let token = gun?.observe { if case .ended = $0 { ends.append($0) } }
    let count = Self.limit + 1_000
    for _ in 0..<count {
      gun?.play()
      gun?.stop(.none)
    }
    #expect(events.lostCount == 0)
    gun = nil
    offline.render(frameCount: 2 * WorldInspector.tick)
    world.takeEvents(into: &taken)
    #expect(ends.all.count == count)
    #expect(taken.count { $0.event == .ended(.stopped) } == count)
    #expect(events.lostCount == 1_000)
    var read = 0
    for await event in events { if case .ended = event { read += 1 } }
    #expect(read == Self.limit)
    #expect(diagnostics.all.filter { $0.code == .eventsLost }.count == 1)
    withExtendedLifetime((token, observer)) {}
  }

  @Test func `The lines of a clock that nobody reads have the same bound`() async throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let diagnostics = Collected<Diagnostic>()
    let observer = offline.context.observeDiagnostics { diagnostics.append($0) }
    let beats = BeatClock(60_000, in: AudioWorld(in: offline.context))
    let ticks = beats.events()
    let lines = Collected<BeatClock.Tick>()
    let token = beats.observe { lines.append($0) }
    beats.start()
    offline.render(.seconds(20))
    #expect(lines.all.count > Self.limit + 100)
    #expect(ticks.lostCount == lines.all.count - Self.limit)
    #expect(diagnostics.all.map(\.code) == [.eventsLost])
    var first: BeatClock.Tick?
    for await line in ticks {
      first = line
      break
    }
    #expect(first == lines.all[lines.all.count - Self.limit])
    withExtendedLifetime((token, observer)) {}
  }
}
