import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The values and the subjects of differences between snapshots.
@Suite struct WorldDifferenceTests {
  private static let noise = Sound(TestSignal.noise(duration: .seconds(1), format: .mono(sampleRate: 48_000)))

  @Test func `A difference with a silent send survives JSON`() throws {
    let offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let unit = try EffectUnit(.reverb(Reverb(.smallRoom)), in: offline.context)
    let emitter = Emitter(playing: Self.noise, in: world)
    let before = world.snapshot()
    emitter.send(to: unit, gain: .silence)
    world.mixer.main.send(to: unit, gain: .decibels(-6))
    let difference = world.snapshot().difference(from: before)
    #expect(
      difference.description == """
        bus main: sends none → (-6.0 dB)
        emitter 1 (A sound in memory): sends none → (silence)
        """
    )
    #expect(try decode(json(difference)) == difference)
  }

  @Test func `Each value survives JSON as its own kind`() throws {
    let values: [WorldDifference.Value] = [
      .number(1), .level(-6), .level(.silence), .gain(0.5), .text("1"), .flag(true), .numbers([]), .numbers([1, -2.5]),
      .gains([]),
      .gains([.silence, 0.5]),
    ]
    #expect(try decode(json(values)) == values)
  }

  @Test func `A value that a snapshot leaves out is compared as its default`() throws {
    let offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let emitter = Emitter(playing: Self.noise, in: world)
    let player = try SoundPlayer(playing: Self.noise, in: world)
    let before = world.snapshot()
    emitter.pitch = 2
    emitter.priority = 60
    emitter.repeats = 3
    emitter.virtualBehavior = .fromBeginning
    (emitter.occlusion, emitter.obstruction) = (-6, -3)
    (player.pan, player.pitch, player.repeats) = (0.5, 2, 3)
    let changes = world.snapshot().difference(from: before).changes
    func values(of number: Int) -> [String: [WorldDifference.Value?]] {
      let own = changes.filter { $0.number == number }
      return Dictionary(uniqueKeysWithValues: own.map { ($0.property ?? "", [$0.old, $0.new]) })
    }
    #expect(
      values(of: 1) == [
        "pitch": [.number(1), .number(2)], "priority": [.number(50), .number(60)], "repeats": [.number(0), .number(3)],
        "virtual behavior": [.text("elapsedTime"), .text("fromBeginning")], "occlusion": [.level(0), .level(-6)],
        "obstruction": [.level(0), .level(-3)],
      ]
    )
    #expect(
      values(of: 2) == [
        "pan": [.number(0), .number(0.5)], "pitch": [.number(1), .number(2)], "repeats": [.number(0), .number(3)],
      ]
    )
  }

  @Test func `A listener, a way, rays, a bus and a queue that a snapshot leaves out are compared as their defaults`()
    throws
  {
    let offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let emitter = Emitter(playing: Self.noise, in: world)
    let player = try SoundPlayer(playing: Self.noise, in: world)
    let before = world.snapshot()
    var after = before
    after.emitters[0].listener = 1
    after.emitters[0].path = .init(portal: nil, length: 7, muffling: -12)
    after.emitters[0].rays = .init(occlusion: -9, obstruction: -5)
    after.players[0].queued = 2
    after.buses[0].pitch = 2
    after.buses[0].filter = .init(low: -3, high: -6)
    (after.buses[0].isMuted, after.buses[0].isSoloed, after.buses[0].isPaused) = (true, true, true)
    after.buses[0].duck = -4
    #expect(
      after.difference(from: before).description == """
        bus main: pitch 1 → 2
        bus main: low 0.0 dB → -3.0 dB
        bus main: high 0.0 dB → -6.0 dB
        bus main: muted no → yes
        bus main: soloed no → yes
        bus main: paused no → yes
        bus main: ducked by 0.0 dB → -4.0 dB
        emitter 1 (A sound in memory): listener 1 → 2
        emitter 1 (A sound in memory): path none → wall between the rooms
        emitter 1 (A sound in memory): path length none → 7
        emitter 1 (A sound in memory): path muffling 0.0 dB → -12.0 dB
        emitter 1 (A sound in memory): occlusion by rays 0.0 dB → -9.0 dB
        emitter 1 (A sound in memory): obstruction by rays 0.0 dB → -5.0 dB
        player 2 (A sound in memory): queued 0 → 2
        """
    )
    withExtendedLifetime((emitter, player)) {}
  }

  @Test func `Emitters that change in the same way have one line, and a change of each`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let emitters = (0..<6).map { _ in Emitter(playing: Self.noise, in: world) }
    for emitter in emitters { emitter.play() }
    offline.render(.milliseconds(100))
    let before = world.snapshot()
    world.mixer.main.isMuted = true
    for emitter in emitters.prefix(3) { emitter.gain = .decibels(-6) }
    let difference = world.snapshot().difference(from: before)
    let silenced = difference.changes.filter { $0.property == "silence" }
    #expect(silenced.count == 6 && silenced.map(\.number) == [1, 2, 3, 4, 5, 6])
    let lines = difference.description.split(separator: "\n")
    #expect(lines.contains("6 emitters: silence none → muted by the bus main"), "\(difference)")
    // Three with one change each are no more than three lines.
    #expect(lines.count { $0.hasSuffix(": gain 0.0 dB → -6.0 dB") } == 3)
    #expect(lines.count { $0.contains("silence") } == 1)
  }

  @Test func `Zones and portals of one name are compared in their order, also beside a name with a number`() throws {
    let offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    world.zones = ["hall", "hall", "hall 2", "outdoors"].enumerated().map { index, name in
      ReverbZone(.sphere(center: [Float(index), 0, 0], radius: 3), Reverb(.smallRoom), name: name)
    }
    world.portals = [("hall", "hall 2"), ("hall", "hall 2"), ("hall", nil), ("hall", "outdoors")].map {
      Portal(between: $0.0, and: $0.1, at: [0, 0, 1])
    }
    let before = world.snapshot()
    #expect(before.difference(from: before).isEmpty)
    world.portals[1].openness = 0.5
    world.portals[3].openness = 0.25
    world.zones[1].fade = 1
    #expect(
      world.snapshot().difference(from: before).description == """
        zone hall: fade 3 → 1
        portal hall–hall 2 2: openness 1 → 0.5
        portal hall–outdoors: openness 1 → 0.25
        """
    )
  }

  @Test func `The next sound of a player is a difference`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let player = try SoundPlayer(playing: Self.noise, in: world)
    let tone = TestSignal.sine(frequency: 440, duration: .seconds(1), format: .mono(sampleRate: 48_000))
    player.schedule(Sound(contents: [SoundContent(name: "tone", source: .samples(tone))]))
    player.play()
    offline.render(.milliseconds(100))
    let before = world.snapshot()
    offline.render(.seconds(1))
    let changes = world.snapshot().difference(from: before).changes
    let sound = try #require(changes.first { $0.property == "sound" })
    #expect(sound.old == .text("A sound in memory") && sound.new == .text("tone") && sound.number == 1)
  }

  @Test func `A clock keeps its number when another one is released, and its meter is compared`() throws {
    let offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    var first: BeatClock? = BeatClock(90, in: world)
    let second = BeatClock(120, meter: Meter(3, 4), in: world)
    let before = world.snapshot()
    #expect(before.clocks.map(\.id) == [1, 2])
    withExtendedLifetime(first) {}
    first = nil
    second.setTempo(140)
    var after = world.snapshot()
    #expect(after.difference(from: before).description == "removed clock 1\nclock 2: tempo 120 → 140")
    let third = BeatClock(60, in: world)
    #expect(world.snapshot().difference(from: after).description == "added clock 3")
    after.clocks[0].meter = [4, 4]
    #expect(after.difference(from: before).description.hasSuffix("clock 2: meter 3/4 → 4/4"))
    withExtendedLifetime(third) {}
  }
}
