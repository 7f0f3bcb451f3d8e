import Spatial3DTesting
import Testing

@testable import GameAudio

/// Zones that change while they sound, and zones with unusual reverbs.
@Suite struct ZoneChangeTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let noise = Sound(TestSignal.noise(duration: .seconds(2), format: mono))

  @Test func `A reverb with numbers out of range is limited, and one with numbers that are not finite is ignored`()
    throws
  {
    var rooms = [RoomAcoustics(), RoomAcoustics(), RoomAcoustics()]
    (rooms[0].decayTime, rooms[0].lowFrequencyDecayRatio) = (.zero, .infinity)
    rooms[1].decayTime = .seconds(-1e15)
    rooms[2].decayTime = .zero
    let reverbs = rooms.map { Reverb(room: $0) } + [Reverb(.mediumRoom, level: .init(.nan))]
    for (number, reverb) in reverbs.enumerated() {
      var offline = try OfflineRenderer(format: Self.mono)
      let world = AudioWorld(in: offline.context)
      let reports = Collected<Diagnostic>()
      offline.context.onDiagnostic = { reports.append($0) }
      let zone = ReverbZone(.sphere(center: .zero, radius: 5), reverb, name: "room")
      let isFinite = number == 1 || number == 2
      #expect(zone.isUsable == isFinite)
      if isFinite { #expect(abs(zone.ringing - 0.1) < 1e-5) }
      world.zones = [zone]
      let emitter = Emitter(playing: Self.noise, in: world)
      emitter.play()
      offline.render(.milliseconds(100))
      #expect(world.explain(emitter).sends.map(\.kind) == (isFinite ? [.zone(name: "room", index: 0)] : []))
      world.listener.position = [100, 0, 0]
      offline.render(.seconds(1))
      #expect(world.explain(emitter).sends.isEmpty)
      #expect(reports.all.map(\.code) == (isFinite ? [] : [.zoneIgnored]))
    }
  }

  private static func box(at z: Float, _ reverb: Reverb, name: String) -> ReverbZone {
    ReverbZone(.box(center: [0, 0, z], size: [10, 6, 10]), reverb, fade: 5, name: name)
  }

  private static func sends(_ emitter: Emitter, _ world: AudioWorld) -> [String: Float] {
    Dictionary(world.explain(emitter).sends.map { ("\($0.kind)", $0.level.factor) }) { $0 + $1 }
  }

  @Test func `A reverb whose level moves in each frame keeps its unit, and makes no click`() throws {
    let tone = Sound(TestSignal.sine(frequency: 440, duration: .seconds(1), format: Self.mono, amplitude: 0.3))
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    world.zones = [Self.box(at: 0, Reverb(.mediumRoom), name: ""), Self.box(at: -15, Reverb(.cathedral), name: "nave")]
    let emitter = Emitter(playing: tone, in: world)
    emitter.repeats = .forever
    emitter.play()
    offline.render(.seconds(1))
    var samples: [Float] = []
    for frame in 0..<100 {
      world.zones[0].reverb.level = Decibels(-0.1 * Float(frame))
      samples += offline.render(frameCount: 768).samples
      #expect(Self.sends(emitter, world) == ["zone 0": 1])
    }
    let mix = try PCMBuffer(samples: samples, format: Self.mono)
    #expect(mix.clicks(highestFrequency: 440).isEmpty)
    #expect(world.inspector.openedUnitCount == 1)
    #expect(world.inspector.zoneEffects[0] == .reverb(world.zones[0].reverb))
    // A zone of a name keeps its unit wherever it is, and with any reverb.
    world.zones = [Self.box(at: 0, Reverb(.largeHall), name: "room")]
    world.zones = [Self.box(at: 2, Reverb(.cathedral), name: "hut"), Self.box(at: 1, Reverb(.plate), name: "room")]
    offline.render(.seconds(1))
    #expect(world.inspector.zoneEffects.contains(.reverb(Reverb(.plate))))
  }

  @Test func `Zones of one name keep their own units when another zone comes`() throws {
    for second in [Reverb(.mediumRoom), Reverb(.largeHall)] {
      var offline = try OfflineRenderer(format: Self.mono)
      let world = AudioWorld(in: offline.context)
      world.zones = [Self.box(at: 0, Reverb(.mediumRoom), name: "hall"), Self.box(at: -15, second, name: "hall")]
      world.listener.position = [0, 0, -7.5]
      let emitter = Emitter(playing: Self.noise, in: world)
      emitter.position = [0, -20, -7.5]
      emitter.repeats = .forever
      emitter.play()
      offline.render(.milliseconds(500))
      func power() -> Float {
        world.inspector.sources.flatMap(\.effectSends).reduce(0) { $0 + $1.gain.rawValue * $1.gain.rawValue }
      }
      let before = power()
      #expect(abs(before - 1) < 0.05)
      world.zones.append(Self.box(at: 50, Reverb(.cathedral), name: "hall"))
      #expect(world.inspector.openedUnitCount == (second == Reverb(.mediumRoom) ? 1 : 2))
      offline.render(.milliseconds(500))
      #expect(abs(power() - before) < 0.05)
    }
  }

  @Test func `The sends of an emitter inside of a zone move in small steps while the listener jumps`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    world.zones = [
      Self.box(at: 0, Reverb(.mediumRoom), name: "room"), Self.box(at: -15, Reverb(.cathedral), name: "nave"),
    ]
    let emitter = Emitter(playing: Self.noise, in: world)
    emitter.position = [0, 0, -15]
    emitter.repeats = .forever
    emitter.play()
    offline.render(.milliseconds(500))
    var last = Self.sends(emitter, world)
    // The weights of the nave are 0, 0.02, 1, 0.9, 0.2 and 0.
    for z in [0, -5.1, 0, -15, -5.1, -9.5, 0, -6, -100, -5.1, -100, -15, -100] as [Float] {
      world.listener.position = [0, 0, z]
      for _ in 0..<60 {
        offline.render(frameCount: 512)
        let sends = Self.sends(emitter, world)
        for name in ["zone room", "zone nave"] {
          let step = abs((sends[name] ?? 0) - (last[name] ?? 0))
          #expect(step < 0.09, "The send to \(name) moves by \(step) at z = \(z).")
        }
        last = sends
      }
      if z == -5.1 { #expect((last["zone nave"] ?? 0) > 0.3) }
    }
  }

  @Test func `Old zones have at most one partner in a new list, the most similar one`() {
    let (a, b) = (Self.box(at: 0, Reverb(.mediumRoom), name: "hall"), Self.box(at: 9, Reverb(.plate), name: "hall"))
    let (c, d) = (Self.box(at: 20, Reverb(.plate), name: ""), Self.box(at: 30, Reverb(.plate), name: ""))
    func changed(_ zone: ReverbZone) -> ReverbZone {
      var zone = zone
      zone.reverb.level -= 1
      return zone
    }
    #expect(ZoneMatch.places(of: [a, b, c, d], in: [a, b, c, d]) == [0, 1, 2, 3])
    #expect(ZoneMatch.places(of: [a, b, c, d], in: [d, c, b, a]) == [3, 2, 1, 0])
    #expect(ZoneMatch.places(of: [a, b], in: [c, a, b]) == [1, 2])
    #expect(ZoneMatch.places(of: [a, b], in: [changed(a), changed(b)]) == [0, 1])
    #expect(ZoneMatch.places(of: [a, b], in: [changed(b)]) == [0, nil])
    #expect(ZoneMatch.places(of: [a, b], in: [b, changed(a), a]) == [2, 0])
    #expect(ZoneMatch.places(of: [c, d], in: [changed(d)]) == [nil, 0])
    #expect(ZoneMatch.places(of: [c, d], in: [changed(c), Self.box(at: 31, Reverb(.plate), name: "")]) == [0, 1])
    #expect(ZoneMatch.places(of: [], in: [a]).isEmpty && ZoneMatch.places(of: [a], in: []) == [nil])
  }
}
