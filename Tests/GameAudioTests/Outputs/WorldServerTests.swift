import GameAudio
import Spatial3DTesting
import TestServer
import TestSupport
import Testing

/// A world whose sound server is killed and starts again, and whose output changes its rate and its sink.
@Suite(.hangLimit)
struct WorldServerTests {
  /// The frequencies of an emitter, a stream, a player, and a player on a bus that is turned down.
  private static let frequencies: [Double] = [330, 550, 880, 1_430]

  private static func tone(_ index: Int, _ format: PCMFormat = .mono(sampleRate: 48_000)) -> PCMBuffer<Float> {
    // Whole periods in a second, so that the tone goes on over the end of a loop.
    TestSignal.sine(frequency: frequencies[index], duration: .seconds(1), format: format, amplitude: 0.1)
  }

  private static func silence(milliseconds: Int) -> PCMBuffer<Float> {
    TestSignal.silence(duration: .milliseconds(milliseconds), format: .mono(sampleRate: 48_000))
  }

  /// The levels of the tones in each channel of a recording, once all are audible and two halves of a second agree.
  private static func levels(_ recording: Recording) throws -> [Float] {
    func half() throws -> [Float] {
      let mix = try recording.seconds(0.5)
      return frequencies.flatMap { tone in (0..<2).map { mix.level(at: tone, ofChannel: $0).rawValue } }
    }
    var last = try half()
    for _ in 0..<40 {
      let next = try half()
      let areAudible = stride(from: 0, to: next.count, by: 2).allSatisfy { max(next[$0], next[$0 + 1]) > -55 }
      // A machine that does not run the mixer in time leaves a gap in one recording.
      if areAudible, zip(last, next).allSatisfy({ abs($0 - $1) < 0.05 || max($0, $1) < -55 }) { return next }
      last = next
    }
    return last
  }

  private static func agree(_ levels: [Float], _ other: [Float]) -> Bool {
    zip(levels, other).allSatisfy { abs($0 - $1) < 0.1 || max($0, $1) < -55 }
  }

  @Test(.serialized, arguments: SoundServer.Kind.allCases)
  func `A game goes on over changes of its server, at the same levels`(kind: SoundServer.Kind) async throws {
    guard kind.isInstalled else { try Test.cancel("\(kind.rawValue) is not installed, or the library has no backend") }
    await #expect(processExitsWith: .success) { [kind] in
      try await recordingErrors {
        let server = try SoundServer(kind)
        try server.lendToThisProcess()
        try server.add(sink: "other")
        let context = try AudioContext()
        let world = AudioWorld(in: context, voiceLimit: 8)
        let (music, speech) = (world.mixer.makeBus("music", kind: .direct), world.mixer.makeBus("speech"))
        world.zones = [ReverbZone(.sphere(center: .zero, radius: 20), Reverb(.smallRoom, level: -20))]
        world.listeners = [Listener(position: .zero), Listener(position: [300, 0, 0])]
        let file = try TemporarySound(WorldServerTests.tone(1))
        let near = Emitter(playing: Sound(WorldServerTests.tone(0)), in: world)
        near.position = [2, 0, -1]
        let stream = Emitter(playing: Sound(file.path, streamed: true), in: world)
        stream.position = [298, 0, -1]
        let song = try SoundPlayer(
          playing: Sound(WorldServerTests.tone(2, .stereo(sampleRate: 48_000))),
          in: world,
          on: speech
        )
        let quiet = try SoundPlayer(
          playing: Sound(WorldServerTests.tone(3, .stereo(sampleRate: 48_000))),
          in: world,
          on: music
        )
        music.duck(under: speech, Ducking(by: -9))
        let ends = Collected<String>()
        let tokens = [
          near.observe { if case .ended = $0 { ends.append("near") } },
          stream.observe { if case .ended = $0 { ends.append("stream") } },
          song.observe { if case .finished = $0 { ends.append("song") } },
          quiet.observe { if case .finished = $0 { ends.append("quiet") } },
        ]
        (near.repeats, stream.repeats, song.repeats, quiet.repeats) = (.forever, .forever, .forever, .forever)
        near.play()
        stream.play()
        SoundPlayer.play([song, quiet])
        // This sound ends while the server is gone.
        let once = world.playOnce(Sound(TestSignal.silence(duration: .seconds(1), format: .mono(sampleRate: 48_000))))
        let onceToken = once.observe { if case .ended = $0 { ends.append("once") } }
        // Silence in a queue goes on over all changes, and so do the lines of a clock.
        let row = try SoundPlayer(playing: Sound(WorldServerTests.silence(milliseconds: 700)), in: world)
        for _ in 0..<4 { row.schedule(Sound(WorldServerTests.silence(milliseconds: 700))) }
        let rowToken = row.observe { if case .finished(true) = $0 { ends.append("row") } }
        row.play()
        let beats = BeatClock(600, in: world)
        let lines = Collected<BeatClock.Tick>()
        let lineToken = beats.observe { lines.append($0) }
        beats.start()
        let recording = try server.recording()
        _ = try recording.untilSound()
        try await context.advance(by: .seconds(1))
        let before = try WorldServerTests.levels(recording)
        func offset(_ position: () -> Duration) -> Double {
          let offset = ClockOffset(of: position, over: .seconds(1), from: context)
          return (offset.lowest + offset.highest) / .seconds(2)
        }
        func sourceOffset() throws -> Double {
          let source = try #require(near.inspector.source)
          return offset { source.playbackTime }
        }
        let offsetBefore = try sourceOffset()
        func isWhole(_ difference: Double) -> Bool { abs(difference - difference.rounded()) < 0.005 }

        let kinds = Collected<ContextEvent.Kind>()
        let events = context.observe { kinds.append($0.kind) }
        try server.kill()
        try await eventually("the output is lost") { kinds.all.contains(.deviceLost) }
        try await context.advance(by: .milliseconds(500))
        try server.start()
        try server.add(sink: "main")
        try server.add(sink: "other")
        try await eventually("the output is back") { kinds.all.contains(.deviceReturned) }
        let second = try server.recording()
        _ = try second.untilSound()
        let after = try WorldServerTests.levels(second)
        #expect(WorldServerTests.agree(before, after), "before \(before), after \(after)")

        let difference = try sourceOffset() - offsetBefore
        #expect(isWhole(difference), "off by \(difference) seconds")

        try context.device.reset(OutputSettings(sampleRate: 44_100))
        let third = try WorldServerTests.levels(second)
        #expect(WorldServerTests.agree(before, third), "before \(before), at 44,100 Hz \(third)")
        // WirePlumber 0.4 lets a node on the default sink follow the default. A stream that is opened again before that
        // may get a node of the same number, which follows too: the test waits for sound on this sink.
        try context.device.reset(OutputSettings(sampleRate: 48_000))
        let fourth = try WorldServerTests.levels(second)
        #expect(WorldServerTests.agree(before, fourth), "before \(before), at 48,000 Hz again \(fourth)")

        // The restarted server may report another default output after the move.
        context.device.policy = .stay
        try context.device.move(to: "other")
        let other = try server.recording(of: "other")
        _ = try other.untilSound()
        let moved = try WorldServerTests.levels(other)
        #expect(WorldServerTests.agree(before, moved), "before \(before), on another sink \(moved)")
        // Another source plays the samples of another rate. Each of the two sources began up to a mix late.
        try await eventually("the clock has the position of the source") {
          isWhole(try sourceOffset() - offset { near.playbackTime })
        }
        let move = try sourceOffset() - offsetBefore
        // Chosen: more than two of the longest mixes of a server, and far less than a lap of a second.
        #expect(abs(move - move.rounded()) < 0.15, "off by \(move) seconds")

        try await eventually("the silence and the queue have ended") {
          ends.all.contains("once") && ends.all.contains("row")
        }
        beats.stop()
        #expect(ends.all.sorted() == ["once", "row"], "\(ends.all)")
        #expect(near.isPlaying && stream.isPlaying && song.isPlaying && quiet.isPlaying)
        let all = lines.all
        #expect(all.count > 20 && all.map(\.position) == all.indices.map(Double.init))
        #expect(all.map(\.moment) == all.indices.map { all[0].moment + .milliseconds(100 * $0) })
        withExtendedLifetime((tokens, events, onceToken, rowToken, lineToken)) {}
      }
    }
  }
}
