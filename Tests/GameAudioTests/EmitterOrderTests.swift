import Foundation
import Spatial3DTesting
import Synchronization
import TestSupport
import Testing

@testable import GameAudio

/// Calls that meet an emitter in a state that few programs reach.
@Suite struct EmitterOrderTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  private static func laps(_ events: some Sequence<EmitterEvent>) -> Int {
    events.reduce(0) { if case .looped(let count) = $1 { $0 + count } else { $0 } }
  }

  @Test(arguments: [true, false])
  func `More changes of voices than spares leave no emitter silent`(isSeek: Bool) throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context, voiceLimit: 2)
    let emitters = (0..<2).map { _ in Emitter(playing: Sound.tone(.seconds(0.1)), in: world) }
    let events = Collected<EmitterEvent>()
    let tokens = emitters.map { $0.observe { events.append($0) } }
    for emitter in emitters {
      emitter.repeats = isSeek ? .forever : .times(20)
      emitter.play()
    }
    offline.render(.milliseconds(100))
    for index in 0..<12 {
      for emitter in emitters {
        if isSeek { emitter.playbackTime = .milliseconds(index) } else { emitter.repeats = .times(20 + index) }
      }
    }
    offline.render(.milliseconds(300))
    #expect(emitters.allSatisfy { !$0.isVirtual })
    #expect(!offline.render(.milliseconds(100)).isSilent())
    let changes = events.all.filter { $0 == .becameReal || $0 == .becameVirtual }
    #expect(changes.count { $0 == .becameReal } == changes.count { $0 == .becameVirtual } + 2)
    withExtendedLifetime(tokens) {}
  }

  @Test func `An emitter that plays again counts with the loudness of its beginning`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    var sound = Sound.tone(.seconds(0.5))
    sound.limit = PlaybackLimit(1)
    let (near, far) = (Emitter(playing: sound, in: world), Emitter(playing: sound, in: world))
    far.position = [0, 0, -20]
    near.play()
    offline.render(.seconds(1))
    far.play()
    near.play()
    #expect(near.isPlaying && !far.isPlaying)
  }

  @Test func `What a limit steals makes room for the newcomer alone`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let bus = world.mixer.makeBus("steps")
    bus.limit = PlaybackLimit(2, whenReached: .stealOldest)
    var limited = Sound.tone(.seconds(2))
    limited.limit = PlaybackLimit(2, whenReached: .virtualize)
    let emitters = [limited, limited, limited, Sound.tone(.seconds(2))].map { Emitter(playing: $0, in: world, on: bus) }
    for emitter in emitters.prefix(2) { emitter.play() }
    bus.limit = nil
    emitters[2].play()
    bus.limit = PlaybackLimit(2, whenReached: .stealOldest)
    emitters[3].play()
    offline.render(.milliseconds(100))
    #expect(emitters.count { $0.isPlaying && !$0.isVirtual } == 2)
    #expect(!emitters[0].isPlaying && emitters[3].isPlaying)
  }

  @Test(.hangLimit) func `A sound that is loaded late keeps the moment of its start`() async throws {
    let context = try AudioContext(device: .silent)
    let world = AudioWorld(in: context)
    let gate = Gate()
    let samples = TestSignal.noise(duration: .seconds(1), format: Self.mono)
    let sound = Sound(streaming: "late") {
      gate.wait()
      return OneTone(samples)
    }
    let emitter = Emitter(playing: sound, in: world)
    let moment = context.clock + .seconds(3_600)
    emitter.play(at: moment)
    gate.open()
    try await eventually("the sound is loaded") { emitter.inspector.status == .playing }
    #expect(emitter.inspector.began == world.inspector.frames(in: moment))
    #expect(world.voiceStatistics().waiting == 1)
  }

  @Test(.hangLimit) func `An emitter that is paused while its sound loads begins when it is resumed`() async throws {
    let context = try AudioContext(device: .silent)
    let world = AudioWorld(in: context)
    let gate = Gate()
    let samples = TestSignal.noise(duration: .seconds(1), format: Self.mono)
    let sound = Sound(streaming: "late") {
      gate.wait()
      return OneTone(samples)
    }
    let emitter = Emitter(playing: sound, in: world)
    // The sound loops, because the test may have to wait for its thread.
    emitter.repeats = .forever
    emitter.play()
    emitter.pause()
    #expect(emitter.isPaused)
    gate.open()
    try await eventually("the sound is loaded") { emitter.inspector.loaded != nil }
    #expect(emitter.isPaused && emitter.playbackTime == .zero)
    emitter.play()
    try await eventually("the emitter plays") { emitter.playbackTime > .zero }
  }

  @Test func `The place of a reserved voice does not start the clock`() throws {
    let offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitter = Emitter(playing: Sound.tone(.seconds(1)), in: world)
    emitter.play(at: .seconds(1))
    var state = world.inspector.state
    state.playback.scene.correctClock(
      place: 0,
      at: state.playback.now + 100,
      of: emitter.key,
      withClock: emitter.inspector.clock
    )
    #expect(state.playback.scene.emitters[emitter.inspector.slot].clock.place(at: 48_480) == 480)
  }

  @Test func `The place of a source that was given up does not undo a seek`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitter = Emitter(playing: Sound.tone(.seconds(10)), in: world)
    emitter.gain = .silence
    emitter.play()
    offline.render(.milliseconds(100))
    let clock = emitter.inspector.clock
    emitter.playbackTime = .seconds(5)
    emitter.inspector.adopt(place: 4_800, withClock: clock)
    #expect(emitter.playbackTime == .seconds(5))
  }

  @Test func `Laps are reported after a return from the beginning`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitter = Emitter(playing: Sound.tone(.seconds(0.1)), in: world)
    (emitter.repeats, emitter.virtualBehavior) = (.forever, .fromBeginning)
    let events = Collected<EmitterEvent>()
    let token = emitter.observe { events.append($0) }
    emitter.play()
    offline.render(.milliseconds(950))
    emitter.position = [0, 0, -1e9]
    offline.render(.milliseconds(200))
    let before = Self.laps(events.all)
    emitter.position = .zero
    offline.render(.milliseconds(550))
    #expect((9...10).contains(before))
    #expect((4...5).contains(Self.laps(events.all) - before))
    withExtendedLifetime(token) {}
  }

  @Test func `An observation takes no lap from those who collect all events`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitter = Emitter(playing: Sound.tone(.seconds(0.1)), in: world)
    emitter.repeats = .forever
    var events: [EmitterNotification] = []
    world.takeEvents(into: &events)
    emitter.play()
    offline.render(.milliseconds(550))
    let token = emitter.observe { _ in }
    world.takeEvents(into: &events)
    #expect(Self.laps(events.map(\.event)) == 5)
    withExtendedLifetime(token) {}
  }

  @Test func `A suspension is no reason for the silence of what does not play`() throws {
    let offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitter = Emitter(playing: Sound.tone(.seconds(1)), in: world)
    offline.context.suspend()
    #expect(world.explain(emitter).verdict == .silent(.notPlaying))
    emitter.play()
    guard case .silent(.suspended) = world.explain(emitter).verdict else {
      Issue.record("\(world.explain(emitter))")
      return
    }
  }

  @Test func `A stream that is moved in its sound changes its voice in pairs of events`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let samples = TestSignal.sine(frequency: 400, duration: .seconds(2), format: Self.mono)
    let emitter = Emitter(playing: Sound(streaming: "tone") { OneTone(samples) }, in: world)
    let events = Collected<EmitterEvent>()
    let token = emitter.observe { events.append($0) }
    emitter.play()
    offline.render(.milliseconds(200))
    emitter.playbackTime = .seconds(1)
    #expect(!offline.render(.milliseconds(200)).isSilent())
    #expect(events.all == [.becameReal, .becameVirtual, .becameReal])
    withExtendedLifetime(token) {}
  }

  @Test func `A new fade takes the place of an older one, and a gain ends it`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitters = (0..<3).map { _ in Emitter(playing: Sound.tone(.seconds(2)), in: world) }
    for emitter in emitters {
      emitter.play()
      emitter.fade(to: .decibels(-40), Fade(.milliseconds(300)))
    }
    offline.render(.milliseconds(100))
    emitters[0].fade(to: .unity, Fade(.milliseconds(100)))
    emitters[1].gain = .decibels(-3)
    emitters[2].fade(to: .decibels(-12), .none)
    #expect(emitters[2].gain == .decibels(-12))
    offline.render(.milliseconds(500))
    #expect(zip(emitters, [0, -3, -12]).allSatisfy { abs($0.gain.decibels.rawValue - $1) < 0.01 })
    #expect(world.inspector.fadeCount == 0)
  }
}

/// A gate that a reader's thread waits for.
private final class Gate: Sendable {
  private let semaphore = DispatchSemaphore(value: 0)

  func wait() {
    semaphore.wait()
    semaphore.signal()
  }

  func open() { semaphore.signal() }
}

/// A reader of samples in memory.
private struct OneTone: PCMReader, Sendable {
  let format: PCMFormat
  private let samples: [Float]
  private var next = 0

  init(_ sound: PCMBuffer<Float>) { (format, samples) = (sound.format, sound.samples) }

  var frameCount: Int? { samples.count }

  mutating func read(into buffer: inout PCMBuffer<Float>, maxFrames: Int) -> Int {
    buffer.removeAll(adopting: format)
    let part = samples[next..<min(samples.count, next + maxFrames)]
    buffer.append(frames: part.count) { room in for sample in part { room.append(sample) } }
    next += part.count
    return part.count
  }

  mutating func seek(toFrame frame: Int) { next = min(max(frame, 0), samples.count) }
}
