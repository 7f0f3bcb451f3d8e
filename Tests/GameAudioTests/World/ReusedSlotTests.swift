import Spatial3D
import Spatial3DTesting
import Testing

@testable import GameAudio

/// The slots of emitters: a new emitter has nothing of the emitter that had its slot before.
@Suite struct ReusedSlotTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let tone = Sound(TestSignal.sine(frequency: 400, duration: .milliseconds(200), format: mono))

  /// All that a state holds about a slot, in words.
  private static func words(_ state: WorldState, _ slot: EmitterSlot) -> [String] {
    var record = state.playback.scene.emitters[slot]
    record.generation = 0
    return [
      "\(record)", "\(state.playback.scene.emitters[rare: slot])",
      "\(state.playback.scene.emitters.position(of: slot))",
      "\(state.playback.scene.emitters.weight(of: slot)), \(state.playback.scene.emitters.end(of: slot)), \(state.playback.scene.emitters.columns.bus[slot.position])",
      "\(state.playback.scene.emitters.reach(of: slot)), \(state.playback.scene.emitters.columns.rolloff[slot.position])",
      "\(state.playback.scene.emitters.observed.contains(slot)), \(state.playback.scene.emitters.followers.contains(slot)), \(state.playback.scene.emitters.deriving.contains(slot))",
      "fades \(state.playback.scene.fades.running.count), held \(state.playback.scene.limits.waiting.count), active \(state.playback.scene.emitters.activeCount)",
      "users \(state.playback.scene.sounds.entries.map(\.users).filter { $0 > 0 }), stopping \(state.playback.scene.emitters.stoppingCount)",
      slot.position < state.playback.scene.space.portals.paths.count
        ? "\(state.playback.scene.space.portals.paths[slot.position])" : "\(PortalState.EmitterPath())",
    ]
  }

  /// Gives an emitter values of its own.
  private static func change(_ emitter: Emitter, isFar: Bool) {
    (emitter.position, emitter.velocity) = ([1, 2, isFar ? 1e6 : 1], [1, 0, 0])
    (emitter.gain, emitter.pitch, emitter.priority) = (.decibels(-3), 1.5, 70)
    (emitter.direction, emitter.cone) = ([0, 0, 1], Cone(innerAngle: 10, outerAngle: 20))
    (emitter.occlusion, emitter.obstruction, emitter.radius) = (-3, -4, 2)
    (emitter.virtualBehavior, emitter.derivesVelocity) = (.stop, true)
  }

  /// The end of the first emitter's life.
  enum End: CaseIterable { case idle, playing, paused, virtual, stopping }

  @Test(arguments: End.allCases)
  func `A slot that is used again has nothing of its first emitter`(end: End) throws {
    var expected: [String] = []
    for isReused in [false, true] {
      var offline = try OfflineRenderer(format: Self.mono)
      let world = AudioWorld(in: offline.context)
      world.zones = [ReverbZone(.sphere(center: .zero, radius: 3), Reverb(.smallRoom), name: "hall")]
      world.portals = [Portal(between: "hall", and: nil, at: [3, 0, 0])]
      let (music, direct) = (world.mixer.makeBus("music"), world.mixer.makeBus("flat", kind: .direct))
      if isReused {
        let unit = try EffectUnit(.echo(Effect.Echo()), in: offline.context)
        var emitter: Emitter? = Emitter(playing: Self.tone, in: world, on: music)
        let token = emitter?.observe { _ in }
        if let emitter {
          #expect(emitter.slot == 0)
          emitter.repeats = .forever
          if end != .idle { emitter.play() }
          Self.change(emitter, isFar: end == .virtual)
          offline.render(.milliseconds(100))
          world.castRays { _ in .wall(-12) }
          emitter.send(to: unit, gain: .decibels(-6), Fade(.seconds(9)))
          emitter.fade(to: .decibels(-20), Fade(.seconds(9)))
          offline.render(.milliseconds(10))
          if end == .paused { emitter.pause(.none) }
          if end == .stopping { emitter.stop(Fade(.seconds(9))) }
          emitter.bus = direct
        }
        emitter = nil
        offline.render(.milliseconds(200))
        let state = world.inspector.state
        #expect(
          state.playback.scene.emitters.count == 1 && !state.playback.scene.emitters[0].isUsed
            && state.playback.scene.emitters.freeSlots == [0],
          "\(end)"
        )
        #expect(
          state.playback.scene.emitters.freeSettings == [1] && state.playback.scene.emitters.columns.weight == [0]
            && state.playback.scene.fades.isEmpty
        )
        #expect(
          state.playback.scene.sounds.entries.allSatisfy { $0.users == 0 }
            && state.playback.scene.emitters.stoppingCount == 0
        )
        withExtendedLifetime(token) {}
      }
      let emitter = Emitter(playing: Self.tone, in: world)
      #expect(emitter.slot == 0 && emitter.id.number == (isReused ? 2 : 1))
      let words = Self.words(world.inspector.state, 0)
      if isReused { #expect(words == expected, "\(end)") } else { expected = words }
      // The rare settings of the first emitter serve again.
      emitter.radius = 1
      let state = world.inspector.state
      #expect(
        state.playback.scene.emitters.settings.count == 2 && state.playback.scene.emitters[0].rare == 1
          && state.playback.scene.emitters.freeSettings.isEmpty
      )
      emitter.play()
      offline.render(.milliseconds(50))
      #expect(emitter.isPlaying && !emitter.isVirtual && world.voiceStatistics().real == 1)
    }
  }

  @Test func `An identity of an emitter that has gone has no effect on the next one of its slot`() throws {
    let offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let old = Emitter(playing: Self.tone, in: world).key
    let emitter = Emitter(playing: Self.tone, in: world)
    #expect(emitter.slot == old.slot && emitter.key != old)
    var state = world.inspector.state
    #expect(state.playback.scene.emitters.has(emitter.key) && !state.playback.scene.emitters.has(old))
    #expect(!state.playback.scene.emitters.has(EmitterKey(slot: old.slot, number: 9)))
    state.release(old)
    state.playback.scene.emitters.unsubscribe(Subscription(calling: { _ in }), from: old)
    #expect(
      state.playback.scene.emitters[0].isUsed && state.playback.scene.emitters[0].hasHandle
        && state.playback.scene.emitters.observed.isEmpty
    )
    let answer = EmitterRays(subject: old, occlusion: -6, obstruction: -3)
    state.playback.applyRays([answer])
    #expect(state.playback.scene.emitters[rare: 0].rays == RayAnswer())
    // The records of a slot that nobody uses belong to no emitter.
    state.playback.scene.emitters[stored: 0].occupant = .free
    #expect(!state.playback.scene.emitters.has(emitter.key))
  }

  @Test func `An observer hears the laps and the end, and one that has left nothing`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitter = Emitter(playing: Self.tone, in: world)
    emitter.repeats = .times(2)
    let events = (0..<2).map { _ in Collected<EmitterEvent>() }
    var tokens = events.map { list in emitter.observe { list.append($0) } }
    func observers() -> Int { world.inspector.state.playback.scene.emitters.settings[1].observers.subscriptions.count }
    #expect(world.inspector.state.playback.scene.emitters.observed.keys == [0] && observers() == 2)
    emitter.play()
    offline.render(frameCount: 12_000)
    tokens.removeLast()
    #expect(world.inspector.state.playback.scene.emitters.observed.keys == [0] && observers() == 1)
    offline.render(frameCount: 24_000)
    #expect(events[0].all == [.becameReal, .looped(1), .looped(1), .ended(.played)])
    #expect(events[1].all == [.becameReal, .looped(1)])
    tokens.removeAll()
    #expect(
      world.inspector.state.playback.scene.emitters.observed.isEmpty
        && world.inspector.state.playback.scene.emitters.settings[1].observers.isEmpty
    )
  }
}
