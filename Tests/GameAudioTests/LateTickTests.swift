import Spatial3DTesting
import Testing

@testable import GameAudio

/// Ticks that come late: the world is then where it would be after all ticks in between.
@Suite struct LateTickTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  /// The state of a world with levels that move, without its sources.
  private static func state() throws -> WorldState {
    var offline = try OfflineRenderer(format: mono)
    let world = AudioWorld(in: offline.context, voiceLimit: 8)
    world.zones = [ReverbZone(.sphere(center: .zero, radius: 5), Reverb(.smallRoom), fade: 0)]
    let (music, speech) = (world.mixer.makeBus("music"), world.mixer.makeBus("speech"))
    music.duck(under: speech, Ducking(by: -24, attack: .seconds(2), hold: .zero, release: .seconds(4)))
    let emitters = [music, speech].map { bus in
      let emitter = Emitter(playing: Sound.tone(.seconds(1)), in: world, on: bus)
      emitter.repeats = .forever
      emitter.play()
      return emitter
    }
    let short = Emitter(playing: Sound.tone(.seconds(0.5)), in: world)
    short.play()
    world.listener.position = [30, 0, 0]
    offline.render(.milliseconds(200))
    world.castRays { _ in .clear }
    offline.render(frameCount: 512)
    world.castRays { _ in OcclusionResult(occlusion: -20, obstruction: -10) }
    emitters[0].fade(to: .decibels(-30), Fade(.seconds(1)))
    music.fade(to: .decibels(-12), Fade(.seconds(2)))
    world.listener.position = .zero
    return withExtendedLifetime(short) { world.inspector.state }
  }

  private static func tick(_ state: inout WorldState, after frames: Int) {
    var physics = state.playback.scene.time.physics
    physics.frame += frames
    state.tick(physics)
  }

  @Test(arguments: [2, 5, 40, 90])
  func `A tick that is late by some ticks moves levels and clocks as those do`(count: Int) throws {
    let start = try Self.state()
    var (each, late) = (start, start)
    for _ in 0..<count { Self.tick(&each, after: 512) }
    Self.tick(&late, after: 512 * count)
    #expect(each.playback.now == late.playback.now && late.playback.now == start.playback.now + 512 * count)
    #expect(late.playback.scene.mixer.duckers[0].level < 0)
    #expect(abs(each.playback.scene.mixer.duckers[0].level - late.playback.scene.mixer.duckers[0].level) < 0.01)
    let (music, other) = (each.playback.scene.mixer.buses[1], late.playback.scene.mixer.buses[1])
    #expect(music.gain == other.gain && abs(music.duck - other.duck) < 0.01 && music.gain < 1)
    for slot in start.playback.scene.emitters.indices {
      let (record, other) = (each.playback.scene.emitters[slot], late.playback.scene.emitters[slot])
      #expect(record.gain == other.gain && record.status == other.status)
      #expect(abs(record.clock.position(at: each.playback.now) - other.clock.position(at: each.playback.now)) < 1e-6)
      guard record.isSounding else { continue }
      let (rays, others) = (
        each.playback.scene.emitters[rare: slot].rays, late.playback.scene.emitters[rare: slot].rays
      )
      #expect(abs(rays.occlusion - others.occlusion) < 0.02 && abs(rays.obstruction - others.obstruction) < 0.02)
    }
    #expect(each.playback.scene.emitters[rare: 0].rays.occlusion < -2)
    #expect(
      each.playback.scene.emitters.activeCount == late.playback.scene.emitters.activeCount
        && each.playback.scene.emitters.activeCount == (count < 40 ? 3 : 2)
    )
  }

  @Test func `A ducker does not move by more than eight seconds at a time`() throws {
    var state = try Self.state()
    let ducking = Ducking(by: -96, attack: .seconds(16), hold: .zero, release: .seconds(4))
    let ducker = state.playback.scene.mixer.duckers[0]
    _ = state.playback.scene.mixer.duck(ducker.target, under: ducker.trigger, ducking)
    let before = ducker.level
    Self.tick(&state, after: 48_000 * 60)
    #expect(
      abs(state.playback.scene.mixer.duckers[0].level - (before - 48)) < 0.01,
      "\(state.playback.scene.mixer.duckers[0].level), after \(before)"
    )
  }

  @Test func `A tick within a tick moves a ducker by a whole one`() throws {
    var start = try Self.state()
    Self.tick(&start, after: 512)
    var (whole, part) = (start, start)
    Self.tick(&whole, after: 512)
    Self.tick(&part, after: 3)
    #expect(whole.playback.scene.mixer.duckers[0].level < start.playback.scene.mixer.duckers[0].level)
    #expect(whole.playback.scene.mixer.duckers[0].level == part.playback.scene.mixer.duckers[0].level)
  }

  @Test func `The levels of zones move by two ticks at most, and by none at the frame of the last one`() throws {
    var state = try Self.state()
    // The unit of the zone begins to sound.
    let zones = state.playback.scene.space.zones
    var pool = zones.pool
    pool.opened(0, succeeded: true)
    state.playback.scene.space.zones = ZoneState(zones.zones, zones.effects, pool, weights: zones.weights, sendLimit: 2)
    Self.tick(&state, after: 512)
    let angle = state.playback.scene.space.zones.pool.units[0].angle
    #expect(angle > 0)
    for (frames, ticks) in [(0, 0), (256, 0.5), (512, 1), (1_024, 2), (5_120, 2), (48_000, 2)] as [(Int, Float)] {
      var copy = state
      Self.tick(&copy, after: frames)
      let moved = (copy.playback.scene.space.zones.pool.units[0].angle - angle) / (.pi / 2 / 32)
      #expect(abs(moved - ticks) < 1e-3, "\(moved) ticks after \(frames) frames")
    }
  }
}
