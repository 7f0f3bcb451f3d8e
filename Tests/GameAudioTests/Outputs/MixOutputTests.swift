import AudioSupport
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio
@testable import Spatial3D

/// Buses, zones, listeners, beats and recordings whose output is lost, moves, returns or changes its rate or layout.
@Suite(.enabled(if: (try? AudioDevice()) != nil, "no output device opens here"), .hangLimit, .serialized)
struct MixOutputTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let tone = Sound(
    TestSignal.sine(frequency: 440, duration: .seconds(1), format: mono, amplitude: 0.1)
  )

  @Test(arguments: OutputChange.allCases)
  func `A fade of a bus and a ducker end at their levels, in their time`(change: OutputChange) async throws {
    let context = try change.context()
    let world = AudioWorld(in: context)
    let (music, speech) = (world.mixer.makeBus("music"), world.mixer.makeBus("speech"))
    music.duck(under: speech, Ducking(by: -12, attack: .milliseconds(50), hold: .zero, release: .milliseconds(100)))
    let song = Emitter(playing: Self.tone, in: world, on: music)
    song.repeats = .forever
    song.play()
    let voice = Emitter(playing: Self.tone, in: world, on: speech)
    voice.repeats = .forever
    voice.play()
    let begin = context.clock
    music.fade(to: .decibels(-6), Fade(.milliseconds(400)))
    try await change.happen(to: context) { try await context.advance(by: .milliseconds(100)) }
    func ducked() -> Float { world.inspector.duckedLevels.first ?? 0 }
    try await eventually("the fade and the attack are over") { music.gain == .decibels(-6) && ducked() == -12 }
    // The fade takes 38 ticks.
    #expect(context.clock - begin >= .milliseconds(380))
    voice.stop()
    try await change.happen(to: context) { try await context.advance(by: .milliseconds(100)) }
    try await eventually("the release is over") { ducked() == 0 && music.gain == .decibels(-6) }
    music.pause()
    try await change.happen(to: context) { try await context.advance(by: .milliseconds(30)) }
    #expect(music.isPaused)
    music.resume()
    try await eventually("the song has a voice") { song.inspector.source?.state == .playing }
  }

  @Test(arguments: OutputChange.allCases)
  func `Zones and several listeners keep the gains and sends of each voice`(change: OutputChange) async throws {
    let context = try change.context()
    let world = AudioWorld(in: context)
    world.listeners = [Listener(position: .zero), Listener(position: [200, 0, 0])]
    world.zones = [ReverbZone(.sphere(center: .zero, radius: 8), Reverb(.cathedral), fade: 2)]
    let emitters = [SIMD3<Float>(2, 0, -1), [203, 0, 0], [0, 0, 4]].map { position in
      let emitter = Emitter(playing: Self.tone, in: world)
      emitter.position = position
      emitter.repeats = .forever
      emitter.play()
      return emitter
    }
    /// The values that the context holds for each voice.
    func values() throws -> [SourceValues] {
      try emitters.map { emitter in
        let source = try #require(emitter.inspector.source)
        return context.state.withLock { $0.records[source.key].scene.values }
      }
    }
    /// The values after a tick that has changed none: a busy machine may mix much between two ticks.
    func settledValues() async throws -> [SourceValues] {
      var last = try values()
      while true {
        try await context.advance(by: .milliseconds(100))
        let next = try values()
        if next == last { return next }
        last = next
      }
    }
    try await eventually("all emitters have a voice") {
      emitters.allSatisfy { $0.inspector.source != nil }
    }
    let before = try await settledValues()
    try await change.happen(to: context) { try await context.advance(by: .milliseconds(60)) }
    #expect(try await settledValues() == before)
    #expect(world.snapshot().zones.first?.level != nil)
  }

  @Test(arguments: OutputChange.allCases)
  func `A beat clock reports each line once, at its moment`(change: OutputChange) async throws {
    let context = try change.context()
    let beats = BeatClock(6_000, in: AudioWorld(in: context))
    let lines = Collected<BeatClock.Tick>()
    let token = beats.observe { lines.append($0) }
    beats.start()
    for _ in 0..<3 {
      try await change.happen(to: context) { try await context.advance(by: .milliseconds(50)) }
    }
    let count = lines.all.count + 5
    try await eventually("five more lines") { lines.all.count >= count }
    beats.stop()
    let all = lines.all
    #expect(all.map(\.moment) == all.indices.map { all[0].moment + .milliseconds(10 * $0) })
    #expect(all.map(\.position) == all.indices.map(Double.init))
    withExtendedLifetime(token) {}
  }

  @Test(arguments: OutputChange.allCases)
  func `A recording holds each call and end over a change of the output`(change: OutputChange) async throws {
    let context = try change.context()
    let world = AudioWorld(in: context)
    let recording = world.record(snapshotsEach: .milliseconds(20))
    let emitters = (0..<4).map { index in
      let emitter = Emitter(playing: Self.tone, in: world)
      emitter.gain = .decibels(Decibels(Float(-index)))
      emitter.play()
      return emitter
    }
    try await context.advance(by: .milliseconds(50))
    try await change.happen(to: context) {
      for emitter in emitters.prefix(2) { emitter.stop() }
      try await context.advance(by: .milliseconds(60))
    }
    try await eventually("the emitters have ended") { emitters.allSatisfy { !$0.isPlaying } }
    recording.stop()
    let times = recording.events.map(\.time)
    #expect(times == times.sorted())
    let ends = recording.events.map(\.text).filter { $0.contains("ended") }
    #expect(ends.count == 4, "\(ends)")
    let snapshots = recording.snapshots
    #expect(zip(snapshots, snapshots.dropFirst()).allSatisfy { $0.time <= $1.time })
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let copy = AudioWorld(in: offline.context)
    recording.replay(in: copy)
    let mix = offline.render(recording.duration)
    // The duration of the recording depends on the load of the machine, and so does the level of the mix.
    #expect(mix.samples.allSatisfy(\.isFinite) && mix.samples.contains { abs($0) > 0.05 }, "\(recording.duration)")
  }
}
