import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The laps of a sound whose repetitions change, or that is moved in its loop.
@Suite struct LapTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  private static func tone(_ frames: Int) -> PCMBuffer<Float> {
    TestSignal.sine(frequency: 400, duration: mono.duration(ofFrames: frames), format: mono)
  }

  @Test func `Another number of repetitions keeps the place, for thousands of places and numbers`() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<10_000 {
      let count = Int.random(in: 10...1_000, using: &random)
      let lower = Int.random(in: 0..<count / 2, using: &random)
      let loop = lower..<Int.random(in: lower + 1...count, using: &random)
      func repeats() -> Repeats { Repeats(integerLiteral: Int.random(in: -1...9, using: &random)) }
      var clock = LogicalClock(.init(frameCount: count, loopRange: loop, repeats: repeats()), at: 0, step: 1)
      let frame = Int.random(in: 0...5 * count, using: &random)
      let (place, laps) = (clock.place(at: frame), clock.laps(at: frame))
      let wasOver = clock.end.map { $0 <= frame } ?? false
      let new = repeats()
      clock.setRepeats(new, at: frame)
      #expect(clock.place(at: frame) == place && clock.course.repeats == new)
      let isInLoop = place < Double(loop.upperBound)
      let left = isInLoop ? max((clock.course.repetitions ?? 0) - laps, 0) : 0
      // The rest of the sound, with the laps that are left.
      let rest = Double(count) - place + Double(left * loop.count)
      let isEndless = new == .forever && isInLoop
      #expect(clock.end == (isEndless ? nil : frame + Int(rest)) || wasOver)
    }
  }

  @Test func `A loop that is to end plays its present lap to the end, and obeys a stop until then`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitter = Emitter(playing: Sound(Self.tone(48_000)), in: world)
    emitter.repeats = .forever
    emitter.play()
    offline.render(frameCount: 3 * 48_000 + 12_000)
    emitter.repeats = 0
    offline.render(frameCount: 12_000)
    #expect(emitter.isPlaying && emitter.playbackTime == .milliseconds(500))
    emitter.stop()
    offline.render(frameCount: 1_536)
    #expect(offline.render(frameCount: 4_800).isSilent())
  }

  @Test func `A sound that begins behind its loop plays to its end, without a lap`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    var sound = Sound(Self.tone(48_000))
    sound.loopRange = 4_800..<9_600
    let emitter = Emitter(playing: sound, in: world)
    let events = Collected<EmitterEvent>()
    let token = emitter.observe { events.append($0) }
    emitter.repeats = 2
    emitter.play()
    emitter.playbackTime = .milliseconds(900)
    offline.render(.milliseconds(90))
    #expect(emitter.isPlaying && emitter.playbackTime == .milliseconds(990))
    offline.render(.milliseconds(30))
    #expect(!emitter.isPlaying && emitter.repeats == 2)
    #expect(events.all == [.becameReal, .ended(.played)])
    withExtendedLifetime(token) {}
  }

  @Test func `The laps before a stop, a seek and another play are reported`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    var events: [EmitterNotification] = []
    world.takeEvents(into: &events)
    let emitter = Emitter(playing: Sound(Self.tone(4_800)), in: world)
    emitter.repeats = .forever
    emitter.play()
    offline.render(frameCount: 10_000)
    emitter.playbackTime = .zero
    offline.render(frameCount: 5_000)
    emitter.play()
    offline.render(frameCount: 15_000)
    emitter.stop(.none)
    world.takeEvents(into: &events)
    let own = events.map(\.event).filter { $0 != .becameReal && $0 != .becameVirtual }
    #expect(own == [.looped(2), .looped(1), .ended(.stopped), .looped(3), .ended(.stopped)])
  }

  @Test func `The first call for all events leaves the observers their laps`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitter = Emitter(playing: Sound(Self.tone(4_800)), in: world)
    let laps = Collected<Int>()
    let token = emitter.observe { if case .looped(let count) = $0 { laps.append(count) } }
    emitter.repeats = .forever
    emitter.play()
    offline.render(frameCount: 4_900)
    var events: [EmitterNotification] = []
    world.takeEvents(into: &events)
    offline.render(frameCount: 1_024)
    #expect(laps.all == [1] && events.isEmpty)
    withExtendedLifetime(token) {}
  }
}
