import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// Calls that a recording holds in a form of its own, and the ends of replays.
@Suite struct RecordedCallTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let stereo = PCMFormat.stereo(sampleRate: 48_000)
  private static let noise = Sound(TestSignal.noise(duration: .seconds(1), format: mono))

  private static func replay(_ recording: WorldRecording, frames: Int, voices: Int = 64) throws -> [Float] {
    var other = try OfflineRenderer(format: stereo)
    let world = AudioWorld(in: other.context, voiceLimit: voices)
    recording.replay(in: world)
    defer { withExtendedLifetime(world) {} }
    return Array(other.render(frameCount: frames).samples)
  }

  /// The frames of the calls; other tests make effects at any time, whose numbers each recording has.
  private static func framesOfCalls(_ recording: WorldRecording) -> [Int] {
    recording.log.withCopy { content in
      content.entries.compactMap { if case .call = $0.happening { $0.frame } else { nil } }
    }
  }

  @Test(arguments: [false, true])
  func `A bank stops and rewinds emitters in a replay that the game has not kept`(isEarlier: Bool) throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let bank = SoundBank(in: world)
    bank.define("hum", Self.noise, loading: .onDemand)
    if isEarlier { try bank.play("hum", repeats: .forever) }
    let recording = world.record()
    if !isEarlier { try bank.play("hum", repeats: .forever) }
    var mix = Array(offline.render(.milliseconds(500)).samples)
    bank.rewind("hum")
    mix += offline.render(.milliseconds(300)).samples
    bank.stop("hum")
    let rest = offline.render(.milliseconds(500)).samples
    #expect(rest.last == 0 && mix.last != 0)
    mix += rest
    recording.stop()
    #expect(try Self.replay(recording, frames: mix.count / 2) == mix)
  }

  @Test func `A crossfade between players of two worlds is recorded in both`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let worlds = (0..<2).map { _ in AudioWorld(in: offline.context, voiceLimit: 8) }
    let recordings = worlds.map { $0.record() }
    let players = try worlds.map { try SoundPlayer(playing: Self.noise, in: $0) }
    players[0].play()
    var mix = Array(offline.render(.milliseconds(200)).samples)
    players[0].crossfade(to: players[1], Fade(.milliseconds(300)))
    mix += offline.render(.milliseconds(500)).samples
    for recording in recordings { recording.stop() }
    var other = try OfflineRenderer(format: Self.stereo)
    let copies = recordings.map { _ in AudioWorld(in: other.context, voiceLimit: 8) }
    for (recording, copy) in zip(recordings, copies) { recording.replay(in: copy) }
    #expect(Array(other.render(frameCount: mix.count / 2).samples) == mix)
    #expect(recordings.map { $0.events.map(\.text).contains { $0.hasPrefix("fade") } } == [true, true])
  }

  @Test func `An emitter that one call moves twice is at its last place in a replay`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let emitter = Emitter(playing: Self.noise, in: world)
    emitter.position = [1, 0, 0]
    let recording = world.record()
    let places: [SIMD3<Float>] = [[5, 0, 0], [1, 0, 0]]
    world.move([emitter, emitter], to: places.span)
    offline.render(.milliseconds(100))
    recording.stop()
    #expect(emitter.position == [1, 0, 0])
    var other = try OfflineRenderer(format: Self.stereo)
    let copy = AudioWorld(in: other.context)
    recording.replay(in: copy)
    other.render(.milliseconds(50))
    #expect(copy.snapshot().emitters.map(\.position) == [[1, 0, 0]])
  }

  @Test func `An explanation changes nothing`() throws {
    var mixes: [[Float]] = []
    for isExplained in [false, true] {
      var offline = try OfflineRenderer(format: Self.stereo)
      let world = AudioWorld(in: offline.context)
      world.zones = [ReverbZone(.box(center: [0, 0, 0], size: [8, 4, 8]), Reverb(.smallRoom), name: "cell")]
      world.portals = [Portal(between: "cell", and: nil, at: [4, 0, 0])]
      let emitter = Emitter(playing: Self.noise, in: world)
      emitter.position = [9, 0, 5]
      emitter.repeats = .forever
      emitter.play()
      var mix = Array(offline.render(.milliseconds(100)).samples)
      world.mixer.main.pause()
      mix += offline.render(.milliseconds(100)).samples
      emitter.position = [-9, 0, 5]
      if isExplained { _ = world.explain(emitter) }
      #expect(emitter.inspector.searchedPosition == [9, 0, 5], "\(isExplained)")
      world.mixer.main.resume()
      mix += offline.render(.milliseconds(300)).samples
      mixes.append(mix)
    }
    #expect(mixes[0] == mixes[1])
  }

  @Test(arguments: [false, true])
  func `A release between ticks begins its fade at the same frame in a replay, whatever was read before`(reads: Bool)
    throws
  {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context, voiceLimit: 1)
    let recording = world.record()
    var loud: Emitter? = Emitter(playing: Self.noise, in: world)
    let quiet = Emitter(playing: Self.noise, in: world)
    quiet.gain = .decibels(-20)
    loud?.play()
    quiet.play()
    var mix = Array(offline.render(frameCount: 900).samples)
    if reads { #expect(world.voiceStatistics().real == 1) }
    loud = nil
    mix += offline.render(frameCount: 4_096).samples
    recording.stop()
    #expect(recording.isComplete && mix.contains { $0 != 0 })
    #expect(try Self.replay(recording, frames: mix.count / 2, voices: 1) == mix)
    withExtendedLifetime(quiet) {}
  }

  @Test func `A lookup of a bus is no call, and events of players are recorded`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let recording = world.record()
    for _ in 0..<3 { _ = world.mixer.makeBus("sfx") }
    #expect(recording.callCount == 1)
    let short = Sound(TestSignal.noise(duration: .milliseconds(50), format: Self.mono))
    let player = try SoundPlayer(playing: short, in: world)
    player.repeats = .times(1)
    player.play()
    offline.render(.milliseconds(200))
    recording.stop()
    let events = recording.events.filter { $0.number == player.inspector.number }
    #expect(events.map(\.text) == ["play", "looped 1×", "finished"])
  }

  @Test func `A replay that is over releases the context that it was mixed in`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let recording = world.record()
    let emitter = Emitter(playing: Self.noise, in: world)
    emitter.play()
    offline.render(.milliseconds(100))
    recording.stop()
    weak var context: AudioContext?
    do {
      var other = try OfflineRenderer(format: Self.stereo)
      context = other.context
      let copy = AudioWorld(in: other.context)
      recording.replay(in: copy)
      #expect(recording.replays.withLock(\.count) == 1)
      other.render(.milliseconds(200))
      #expect(recording.replays.withLock(\.count) == 0)
    }
    #expect(context == nil)
  }

  @Test func `Frames are those of the rate at which the recording began`() throws {
    let offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let recording = world.record()
    func note(_ frame: Int, at rate: Int) {
      world.inspector.openUpdate(at: MixMoment(frame: frame, sampleRate: rate))
    }
    note(48_000, at: 48_000)
    note(48_100, at: 48_000)
    // One frame of the other rate before, read by a thread that came second to the lock.
    note(44_191, at: 44_100)
    note(88_200, at: 44_100)
    #expect(Self.framesOfCalls(recording) == [48_000, 48_100, 48_100, 96_000])
    #expect(recording.duration == .seconds(2))
  }

  @Test func `A replay at another rate has the sounds at the same times`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let recording = world.record()
    offline.render(.milliseconds(300))
    let emitter = Emitter(playing: Self.noise, in: world)
    emitter.play(at: world.context.clock + .milliseconds(200))
    offline.render(.milliseconds(500))
    recording.stop()
    var other = try OfflineRenderer(format: .stereo(sampleRate: 24_000))
    let copy = AudioWorld(in: other.context)
    recording.replay(in: copy)
    let mix = other.render(.milliseconds(700)).samples
    withExtendedLifetime(copy) {}
    let first = try #require(mix.firstIndex { abs($0) > 0.01 })
    #expect(abs(first / 2 - 12_000) < 50, "\(first / 2)")
  }

  @Test func `An emitter of a snapshot takes the memory that the documentation states`() {
    #expect((300...400).contains(MemoryLayout<WorldSnapshot.Emitter>.stride))
  }

  @Test func `Calls read the time of the mix without the lock of the world`() throws {
    let offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    #expect(world.momentOfCall == nil)
    let recording = world.record()
    #expect(world.momentOfCall?.sampleRate == 48_000)
    // Without the time of a call, a note has the last time that was read.
    world.inspector.openUpdate(at: MixMoment(frame: 77, sampleRate: 48_000))
    #expect(Self.framesOfCalls(recording) == [77])
    recording.stop()
    #expect(world.momentOfCall == nil)
  }

  @Test func `The last call of a recording is replayed at its time, long before the end`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    let recording = world.record()
    for gain in [0.5, 0.25] as [Gain] {
      offline.render(frameCount: 1_000)
      world.listener.gain = gain
    }
    offline.render(frameCount: 40_000)
    recording.stop()
    #expect(recording.callCount == 2 && recording.duration == Self.stereo.duration(ofFrames: 42_000))
    var other = try OfflineRenderer(format: Self.stereo)
    let copy = AudioWorld(in: other.context)
    recording.replay(in: copy)
    var gains: [Gain] = []
    for index in 0..<5 {
      other.render(frameCount: index == 0 ? 600 : 500)
      gains.append(copy.listener.gain)
    }
    #expect(gains == [1, 0.5, 0.5, 0.25, 0.25])
  }

  @Test func `Events name the sounds of emitters and players from before and after the beginning`() throws {
    var offline = try OfflineRenderer(format: Self.stereo)
    let world = AudioWorld(in: offline.context)
    func sound(_ name: String) -> Sound {
      let pcm = TestSignal.noise(duration: .milliseconds(50), format: Self.mono)
      return Sound(contents: [SoundContent(name: name, source: .samples(pcm))])
    }
    let bank = SoundBank(in: world)
    bank.define("step", sound("left.wav"), loading: .onDemand)
    let (first, old) = (Emitter(playing: sound("hum"), in: world), try SoundPlayer(playing: sound("song"), in: world))
    let keyed = try bank.play("step")
    offline.render(frameCount: 700)
    let recording = world.record()
    #expect(recording.conditions.frame == 700 && recording.conditions.sampleRate == 48_000)
    let (second, new) = (Emitter(playing: sound("wind"), in: world), try SoundPlayer(playing: sound("end"), in: world))
    for emitter in [first, second, keyed, try bank.play("step")] { emitter.play() }
    for player in [old, new] { player.play() }
    first.stop(.none)
    second.stop(Fade(.milliseconds(250)))
    offline.render(frameCount: 1_300)
    recording.stop()
    let snapshots = recording.snapshots
    #expect(snapshots.count > 1 && abs((snapshots.last?.time ?? 0) - 2_000 / 48_000.0) < 1e-6)
    let plays = recording.events.filter { $0.text == "play" }
    #expect(plays.map(\.sound) == ["step", "hum", "wind", "step", "step", "song", "end"])
    #expect(recording.events.filter { $0.text.hasPrefix("stop") }.map(\.text) == ["stop at once", "stop in 0.25 s"])
    #expect(recording.events.allSatisfy { $0.time >= 0 && $0.time <= 1_300 / 48_000.0 })
    #expect(recording.duration == Self.stereo.duration(ofFrames: 1_300))
  }
}
