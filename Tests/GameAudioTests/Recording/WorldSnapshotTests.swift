import Foundation
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// Snapshots of a world, and their differences.
@Suite struct WorldSnapshotTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let noise = Sound(TestSignal.noise(duration: .seconds(1), format: mono))

  @Test func `A snapshot has the emitters, the buses, the players and the clocks of a world`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context, voiceLimit: 1)
    let machines = world.mixer.makeBus("machines")
    machines.gain = .decibels(-6)
    let near = Emitter(playing: Self.noise, in: world, on: machines)
    let far = Emitter(playing: Self.noise, in: world)
    for emitter in [near, far] { emitter.repeats = .forever }
    (near.position, far.position, far.occlusion) = ([1, 0, 0], [30, 0, 0], -10)
    near.play()
    far.play()
    let player = try SoundPlayer(playing: Self.noise, in: world)
    player.pan = 0.5
    let beats = BeatClock(90, in: world)
    beats.start()
    offline.render(.seconds(0.5))
    let snapshot = world.snapshot()
    #expect(snapshot.emitters.map(\.id) == [1, 2])
    #expect(snapshot.emitters[0].voice != nil && snapshot.emitters[0].silence == nil)
    #expect(snapshot.emitters[0].bus == "machines")
    #expect(snapshot.emitters[0].repeats == -1)
    #expect(abs(snapshot.emitters[0].place - 0.5) < 0.001)
    #expect(snapshot.emitters[1].isVirtual && snapshot.emitters[1].silence?.kindInWords == "outranked")
    #expect(snapshot.emitters[1].occlusion == -10)
    #expect((snapshot.emitters[1].silence?.lacking ?? 0) > 10)
    #expect(snapshot.buses.map(\.name) == ["main", "machines"])
    #expect(abs((snapshot.buses[1].gain.decibels + 6).rawValue) < 1e-4)
    #expect(abs((snapshot.buses[1].level - machines.level).rawValue) < 0.001)
    #expect(snapshot.players.map(\.pan) == [0.5])
    #expect(snapshot.players.map(\.id) == [3])
    #expect(snapshot.clocks.map(\.tempo) == [90] && abs((snapshot.clocks.first?.position ?? 0) - 0.75) < 0.001)
    #expect(snapshot.time == 0.5 && snapshot.realCount == 1 && snapshot.virtualCount == 1)
    #expect(abs((snapshot.emitters[0].level - world.explain(near).level).rawValue) < 0.01)
  }

  @Test func `A snapshot survives JSON, and equal scenes give equal texts`() throws {
    var texts: [String] = []
    for _ in 0..<2 {
      var scene = try RandomScene(seed: 5)
      _ = try scene.play(frames: 30)
      let snapshot = scene.world.snapshot()
      let text = try json(snapshot)
      #expect(try decode(text) == snapshot)
      texts.append(text)
    }
    #expect(texts[0] == texts[1])
  }

  @Test func `An emitter takes at most 200 bytes of a binary property list, and comes back from it`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let emitters = (0..<500).map { number in
      let emitter = Emitter(playing: Self.noise, in: world)
      emitter.position = [Float(number) * 0.37, 1.5, Float(number % 41) * 1.13]
      emitter.velocity = [0, Float(number) * 0.1, 0]
      (emitter.gain, emitter.pitch) = (.decibels(Decibels(-Float(number) / 97)), 1 + Float(number) / 1_000)
      emitter.repeats = .forever
      emitter.play()
      return emitter
    }
    offline.render(.milliseconds(300))
    let snapshot = world.snapshot()
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    let data = try encoder.encode(snapshot)
    #expect(data.count <= 200 * emitters.count, "\(data.count / emitters.count) bytes an emitter")
    #expect(try PropertyListDecoder().decode(WorldSnapshot.self, from: data) == snapshot)
  }

  @Test func `A difference names what was added, removed and changed`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let first = Emitter(playing: Self.noise, in: world)
    var second: Emitter? = Emitter(playing: Self.noise, in: world)
    let before = world.snapshot()
    #expect(world.snapshot().difference(from: before).isEmpty)
    first.gain = .decibels(-6)
    first.position = [1, 2, 3]
    world.mixer.main.isMuted = true
    second = nil
    let third = Emitter(playing: Self.noise, in: world)
    let difference = world.snapshot().difference(from: before)
    #expect(
      difference.description == """
        bus main: muted no → yes
        removed emitter 2 (A sound in memory)
        emitter 1 (A sound in memory): position (0, 0, 0) → (1, 2, 3)
        emitter 1 (A sound in memory): gain 0.0 dB → -6.0 dB
        added emitter 3 (A sound in memory)
        """
    )
    #expect(difference.changes.map(\.kind) == [.changed, .removed, .changed, .changed, .added])
    #expect(difference.changes.map(\.description) == difference.description.split(separator: "\n").map(String.init))
    #expect(try decode(json(difference)) == difference)
    offline.render(.milliseconds(10))
    withExtendedLifetime((second, third)) {}
  }

  @Test func `A snapshot names the key of a bank, and the reason of a pause`() async throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let bank = SoundBank(in: world)
    bank.define("hum", Self.noise)
    try await bank.load("hum")
    let hum = try bank.play("hum", on: world.mixer.makeBus("menu"))
    world.mixer.makeBus("menu").pause(.none)
    offline.render(.milliseconds(50))
    let snapshot = world.snapshot()
    #expect(snapshot.emitters.map(\.key) == ["hum"])
    #expect(snapshot.emitters.first?.silence == .paused(by: "the bus menu"))
    #expect(snapshot.emitters.first?.position == nil)
    withExtendedLifetime(hum) {}
  }

  @Test func `Emitters of one slot have different numbers`() throws {
    let offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let numbers = (0..<5).map { _ in Emitter(playing: Self.noise, in: world).id.number }
    #expect(numbers == [1, 2, 3, 4, 5])
  }

  @Test func `A snapshot has the suspensions and the clocks of the moment at which the state was copied`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    var beats: BeatClock? = BeatClock(60, in: world)
    beats?.start()
    offline.render(.seconds(0.5))
    offline.context.suspend(.mute, for: .userPause)
    let physics = offline.context.physics
    var state = world.inspector.state
    state.adopt(physics)
    let copy = WorldCopy(state)
    offline.context.resume(from: .userPause)
    offline.render(.seconds(1))
    #expect(world.snapshot().suspensions.isEmpty)
    #expect(world.snapshot().clocks.map(\.position) == [1.5])
    beats = nil
    let snapshot = WorldSnapshot(copy)
    #expect(snapshot.suspensions == ["\(SuspensionReason.userPause)"])
    #expect(snapshot.clocks.map(\.position) == [0.5] && snapshot.time == 0.5)
    #expect(world.snapshot().clocks.isEmpty)
  }

  @Test func `The counts of a snapshot are those of the world's statistics`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context, voiceLimit: 1)
    let limited = world.mixer.makeBus("limited")
    limited.limit = PlaybackLimit(1, whenReached: .virtualize)
    // The world has an emitter that fades out on the only voice, two virtual, two on a muted bus with a limit, and a
    // paused one.
    let buses = [nil, nil, nil, limited, limited, nil]
    let emitters = buses.enumerated().map { index, bus in
      let emitter = Emitter(playing: Self.noise, in: world, on: bus)
      (emitter.position, emitter.repeats) = ([index == 0 ? 30 : Float(index), 0, 0], .forever)
      return emitter
    }
    limited.isMuted = true
    emitters[0].play()
    offline.render(.milliseconds(100))
    emitters[0].stop(Fade(.seconds(5)))
    for emitter in emitters.dropFirst() { emitter.play() }
    emitters[5].pause(.none)
    let late = Emitter(playing: Self.noise, in: world)
    late.play(at: offline.context.clock + .seconds(9))
    offline.render(.milliseconds(100))
    let (snapshot, statistics) = (world.snapshot(), world.voiceStatistics())
    #expect(snapshot.realCount == statistics.real && statistics.real == 1)
    #expect(snapshot.virtualCount == statistics.virtual && statistics.virtual == 3)
    #expect(snapshot.emitters.map(\.isWaiting) == [nil, nil, nil, nil, true, nil, true])
    // A suspension silences the emitter with a voice, and changes no count.
    offline.context.suspend(.mute, for: .userPause)
    #expect(world.snapshot().emitters[0].voice != nil && world.snapshot().emitters[0].silence == .suspended(.userPause))
    #expect(world.snapshot().virtualCount == 3 && world.snapshot().realCount == 1)
  }
}
