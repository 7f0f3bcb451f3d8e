import Spatial3DTesting
import Testing

@testable import GameAudio

/// The time that changes of zones and paths take, by the frames of the mix.
@Suite struct ZoneTimeTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let tone = Sound(
    TestSignal.sine(frequency: 440, duration: .seconds(1), format: mono, amplitude: 0.3)
  )

  private static func room(at x: Float, _ reverb: Reverb, name: String) -> ReverbZone {
    ReverbZone(.box(center: [x, 0, 0], size: [10, 4, 10]), reverb, fade: 0, name: name)
  }

  /// A jump of the listener from a room with a tone into another room.
  private struct Jump: ~Copyable {
    var offline: OfflineRenderer
    let world: AudioWorld
    let emitter: Emitter
    var samples: [Float] = []

    init() throws {
      offline = try OfflineRenderer(format: ZoneTimeTests.mono)
      world = AudioWorld(in: offline.context)
      world.zones = [
        ZoneTimeTests.room(at: 0, Reverb(.mediumRoom), name: "room"),
        ZoneTimeTests.room(at: 40, Reverb(.largeHall), name: "hall"),
      ]
      emitter = Emitter(playing: ZoneTimeTests.tone, in: world)
      (emitter.position, emitter.repeats) = ([0, 30, 0], .forever)
      emitter.play()
      offline.render(frameCount: 4_096)
      world.update {
        world.listener.position = [40, 0, 0]
        emitter.position = [40, 30, 0]
      }
    }

    /// The gain of the send to a room.
    func gain(of name: String) -> Float {
      world.explain(emitter).sends.first { "\($0.kind)" == "zone \(name)" }?.level.factor ?? 0
    }

    /// Renders frames of the game until the send to the hall has a gain; returns the number of frames of the mix.
    mutating func frames(until gain: Float, by count: Int, each: (Int) -> Void) -> Int {
      var frames = 0
      while self.gain(of: "hall") < gain, frames < 96_000 {
        each(frames)
        samples += offline.render(frameCount: count).samples
        frames += count
      }
      return frames
    }
  }

  @Test(arguments: [200, 800])
  func `Zones that move in each frame of a game fade as fast as others`(frameCount: Int) throws {
    var still = try Jump()
    let expected = still.frames(until: 0.999, by: frameCount) { _ in }
    var moving = try Jump()
    let world = moving.world
    let frames = moving.frames(until: 0.999, by: frameCount) {
      world.zones[1].shape = .box(center: [40, Float($0) / 1e6, 0], size: [10, 4, 10], yaw: 0)
    }
    // The setter opens the unit one tick earlier.
    #expect(abs(expected - 34 * 512) < 4 * 512)
    #expect(frames <= expected && expected - frames <= max(frameCount, 512), "\(frames) frames for \(expected)")
    #expect(moving.gain(of: "room") == 0 && still.gain(of: "room") == 0)
  }

  @Test func `Ticks that are late cover the time, without a click`() throws {
    var each = try Jump()
    let expected = each.frames(until: 0.999, by: 512) { _ in }
    var late = try Jump()
    let world = late.world
    var isOpen = false
    // An update that is open delays each second tick.
    let frames = late.frames(until: 0.999, by: 512) { _ in
      isOpen.toggle()
      if isOpen { world.inspector.openUpdate() } else { world.inspector.closeUpdate() }
    }
    #expect(abs(frames - expected) <= 3 * 512, "\(frames) frames for \(expected)")
    #expect(try PCMBuffer(samples: late.samples, format: Self.mono).clicks(highestFrequency: 440).isEmpty)
  }

  @Test func `A way that changes glides in the same time with late ticks, without a click`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context)
    let silent = Reverb(.smallRoom, level: -40)
    world.zones = [Self.room(at: 0, silent, name: "inner"), Self.room(at: 20, silent, name: "outer")]
    world.portals = [-5, 6].map { Portal(between: "inner", and: "outer", at: [0, 0, $0], radius: 0) }
    let emitter = Emitter(playing: Self.tone, in: world)
    (emitter.position, emitter.repeats) = ([20, 0, 0], .forever)
    emitter.play()
    offline.render(frameCount: 4_096)
    world.portals[0].openness = 0
    var samples: [Float] = []
    func isGliding() -> Bool { emitter.inspector.isPathGliding }
    var frames = 0
    while frames < 1_024 || isGliding(), frames < 48_000 {
      world.inspector.openUpdate()
      samples += offline.render(frameCount: 512).samples
      world.inspector.closeUpdate()
      samples += offline.render(frameCount: 512).samples
      frames += 1_024
    }
    #expect(abs(frames - 16 * 512) <= 2_048, "\(frames) frames")
    #expect(try PCMBuffer(samples: samples, format: .stereo(sampleRate: 48_000)).clicks(highestFrequency: 450).isEmpty)
  }

  @Test(arguments: [24_000, 96_000])
  func `A zone that rings out does so in the same time at another rate`(rate: Int) throws {
    var jump = try Jump()
    _ = jump.frames(until: 0.999, by: 512) { _ in }
    let physics = jump.offline.context.physics
    var state = jump.world.inspector.state
    func end() -> Int? {
      for index in 0..<3 {
        if case .ringing(let end) = state.playback.scene.space.zones.pool.units[index].state { return end }
      }
      return nil
    }
    state.adopt(physics)
    let seconds = end().map { Double($0 - state.playback.now) / 48_000 } ?? 0
    let own = (0..<3).map { state.playback.scene.space.zones.pool.units[$0].ringing }
    // The output counts other frames from here on.
    var other = physics
    (other.frame, other.sampleRate) = (physics.frame * rate / 48_000, rate)
    state.adopt(other)
    let left = end().map { Double($0 - state.playback.now) / Double(rate) } ?? 0
    #expect(seconds > 0.5 && abs(left - seconds) < 1e-3, "\(left) s of \(seconds) s")
    for index in 0..<3 {
      #expect(abs(state.playback.scene.space.zones.pool.units[index].ringing - own[index] * rate / 48_000) <= 1)
    }
  }

  @Test func `A pool moves by the ticks that have passed, and by none outside of them`() {
    let (pair, none) = (ZoneLaw.Pair(first: 0, firstGain: 1), ZoneLaw.Pair())
    for ticks in [0.5, 1, 2] as [Float] {
      var (pool, frame, steps) = (ZonePool(), 0, 0)
      func step(to pair: ZoneLaw.Pair) {
        frame += Int(512 * ticks)
        pool.step(to: pair, at: frame, ticks: ticks) { _ in 512 }
        for action in pool.actions { if case .open(let unit, _) = action { pool.opened(unit, succeeded: true) } }
        let after = pool.units
        for _ in 0..<3 { pool.step(to: pair, at: frame, ticks: 0) { _ in 512 } }
        for index in 0..<3 { #expect(pool.units[index].angle == after[index].angle) }
        steps += 1
      }
      step(to: pair)
      while pool.units[0].gain < 1 { step(to: pair) }
      #expect(abs(Float(steps) * ticks - 32) <= 2 * ticks)
      steps = 0
      while pool.isInUse { step(to: none) }
      // The level falls in 32 ticks, the zone rings on for one, and falls silent in 16.
      #expect(abs(Float(steps) * ticks - 49) <= 3 * ticks, "\(steps) steps of \(ticks) ticks")
    }
  }
}
