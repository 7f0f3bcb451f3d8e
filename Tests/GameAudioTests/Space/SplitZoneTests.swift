import GameAudio
import Spatial3DTesting
import Testing

/// Several listeners in a world with zones.
@Suite struct SplitZoneTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let heads = [Listener(position: .zero), Listener(position: [400, 0, 0])]
  private static let zones = [
    ReverbZone(.sphere(center: .zero, radius: 30), Reverb(.mediumRoom), name: "room"),
    ReverbZone(.sphere(center: [400, 0, 0], radius: 30), Reverb(efx: .cave), name: "cave"),
  ]

  /// The mix of two seconds with a noise beside each head, after one second.
  private static func mix(_ listeners: [Listener], _ zones: [ReverbZone]) throws -> [Float] {
    var offline = try OfflineRenderer(format: mono)
    let world = AudioWorld(in: offline.context)
    (world.listeners, world.zones) = (listeners, zones)
    let emitters = heads.indices.map { index in
      let noise = TestSignal.noise(
        seed: UInt64(index + 1),
        duration: .seconds(2),
        format: mono,
        amplitude: 0.1
      )
      let emitter = Emitter(playing: Sound(noise), in: world)
      (emitter.repeats, emitter.position) = (.forever, heads[index].position + [0, -2, 0])
      emitter.play()
      return emitter
    }
    offline.render(.seconds(1))
    let samples = offline.render(.seconds(2)).samples
    withExtendedLifetime(emitters) {}
    return samples
  }

  /// The power that the zones add to the mix of some listeners.
  private static func wet(_ listeners: [Listener], _ zones: [ReverbZone]) throws -> Float {
    let (wet, dry) = (try mix(listeners, zones), try mix(listeners, []))
    return zip(wet, dry).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) } / Float(wet.count)
  }

  @Test(arguments: [0, 1])
  func `Two listeners in two zones have the reverb that each one has alone, whatever the priorities`(priority: Int)
    throws
  {
    var zones = Self.zones
    zones[0].priority = priority
    let alone = try Self.heads.map { try Self.wet([$0], zones) }
    #expect(alone.allSatisfy { $0 > 1e-7 })
    let both = try Self.wet(Self.heads, zones)
    let error = Decibels(factor: (both / (alone[0] + alone[1])).squareRoot())
    #expect(abs(error.rawValue) < 0.2, "\(error)")
  }

  @Test func `A sound has the sends of its own listener, and a jump of that one moves them by steps`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    (world.listeners, world.zones) = (Self.heads, Self.zones)
    let tone = TestSignal.sine(frequency: 440, duration: .seconds(1), format: Self.mono, amplitude: 0.2)
    let emitters = Self.heads.map { head in
      let emitter = Emitter(playing: Sound(tone), in: world)
      (emitter.repeats, emitter.position) = (.forever, head.position + [0, -2, 0])
      emitter.play()
      return emitter
    }
    offline.render(.milliseconds(500))
    func sends(_ index: Int) -> [String] { world.explain(emitters[index]).sends.map { "\($0.kind) \($0.level)" } }
    #expect(sends(0) == ["zone room 0.0 dB"] && sends(1) == ["zone cave 0.0 dB"])
    // The second listener and its sound leave the cave.
    world.update {
      world.listeners[1].position = [800, 0, 0]
      emitters[1].position = [800, -2, 0]
    }
    var last: Float = 1
    var mix: [Float] = []
    for _ in 0..<60 {
      mix += offline.render(frameCount: 512).samples
      let gain = world.explain(emitters[1]).sends.first { $0.kind == .zone(name: "cave", index: 1) }?.level.factor ?? 0
      #expect(last - gain < 0.08 && sends(0) == ["zone room 0.0 dB"])
      last = gain
    }
    #expect(last == 0)
    #expect(try PCMBuffer(samples: mix, format: Self.mono).clicks(highestFrequency: 440).isEmpty)
  }

  @Test func `The part of a listener moves by small steps while the zone sounds on for another one`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    world.zones = [Self.zones[0]]
    world.listeners = [Self.heads[0], Listener(position: [2, 0, 0])]
    let noise = TestSignal.noise(duration: .seconds(1), format: Self.mono, amplitude: 0.1)
    let emitter = Emitter(playing: Sound(noise), in: world)
    (emitter.repeats, emitter.position) = (.forever, [29, 0, 0])
    emitter.play()
    func gain() -> Float { world.explain(emitter).sends.first?.level.factor ?? 0 }
    offline.render(.milliseconds(500))
    #expect(gain() == 1)
    // Outside of the zone, beside the sound inside of it; and back.
    for (place, end) in [(Float(31.5), Float(0.841)), (40, 0), (28, 1)] {
      world.listeners[1].position = [place, 0, 0]
      var last = gain()
      for _ in 0..<70 {
        offline.render(frameCount: 512)
        let now = gain()
        #expect(abs(now - last) < 0.06, "from \(last) to \(now) on the way to \(place)")
        last = now
      }
      #expect(abs(last - end) < 0.01, "\(last) at \(place)")
    }
  }
}
