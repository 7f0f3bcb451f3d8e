import Spatial3DTesting
import Testing

@testable import GameAudio

/// All that a world counts in frames, after a change of the rate of its output: each keeps its distance in time.
@Suite struct RateChangeTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  private static func tone(_ seconds: Double = 1, _ format: PCMFormat = mono) -> Sound {
    Sound(TestSignal.sine(frequency: 400, duration: .seconds(seconds), format: format))
  }

  /// A world in which everything that has a frame has one of its own.
  private final class Scene {
    var offline: OfflineRenderer
    let world: AudioWorld
    var emitters: [String: Emitter] = [:]
    var players: [String: SoundPlayer] = [:]
    let music: Bus

    init() throws {
      offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
      world = AudioWorld(in: offline.context, voiceLimit: 12)
      music = world.mixer.makeBus("music")
      world.zones = [ReverbZone(.sphere(center: .zero, radius: 5), Reverb(.largeHall), fade: 0)]
      try begin()
    }

    private func render(_ frameCount: Int) { _ = offline.render(frameCount: frameCount) }

    private func add(_ name: String, _ sound: Sound, on bus: Bus? = nil) -> Emitter {
      let emitter = Emitter(playing: sound, in: world, on: bus)
      emitters[name] = emitter
      return emitter
    }

    private func begin() throws {
      var forever = add("loop", RateChangeTests.tone())
      forever.repeats = .forever
      forever.play()
      render(30_000)
      // The zone rings out.
      world.listener.position = [40, 0, 0]
      render(24_000)
      forever = add("music", RateChangeTests.tone(), on: music)
      forever.repeats = 3
      forever.play()
      let stopped = add("stopped", RateChangeTests.tone())
      stopped.play()
      let cut = add("cut", RateChangeTests.tone())
      cut.play()
      let paused = try player("pausing", RateChangeTests.tone())
      paused.play()
      let queue = try player("queue", RateChangeTests.tone(0.2))
      queue.schedule(RateChangeTests.tone(0.5, .stereo(sampleRate: 48_000)))
      queue.schedule(RateChangeTests.tone(), .at(offline.context.clock + .seconds(2)))
      queue.schedule(RateChangeTests.tone(), .at(offline.context.clock + .milliseconds(2_100)))
      queue.play()
      render(1_024)
      let later = add("later", RateChangeTests.tone())
      later.repeats = .forever
      later.play(at: offline.context.clock + .milliseconds(700))
      emitters["loop"]?.fade(to: .decibels(-20), Fade(.seconds(2)))
      render(512)
      music.fade(to: .decibels(-9), Fade(.seconds(3)))
      music.duck(under: world.mixer.makeBus("speech"), Ducking(by: -6))
      render(3_000)
      var copies = RateChangeTests.tone()
      copies.loudnessOfMany = .compensated
      add("copy", copies).play()
      render(512)
      add("later copy", copies).play(at: offline.context.clock + .milliseconds(300))
      paused.pause()
      cut.stop(.none)
      stopped.stop(Fade(.milliseconds(200)))
      let held = try player("held", RateChangeTests.tone())
      held.play()
      render(256)
      held.stop()
      paused.volume = 0.5
    }

    private func player(_ name: String, _ sound: Sound) throws -> SoundPlayer {
      let player = try SoundPlayer(playing: sound, in: world)
      players[name] = player
      return player
    }
  }

  /// The frames of a state, by their names.
  private static func frames(_ state: WorldState) -> [String: Int] {
    var frames: [String: Int] = ["ducked": state.playback.scene.mixer.duckedUntil]
    for (slot, record) in state.playback.scene.emitters.records.enumerated() where record.isUsed {
      frames["begin of \(slot)"] = record.began
      frames["switch of \(slot)"] = record.switched
    }
    for (index, fade) in state.playback.scene.fades.running.enumerated() { frames["fade \(index)"] = fade.begin }
    for (index, fade) in state.playback.scene.mixer.fades.running.enumerated() {
      frames["fade of bus \(index)"] = fade.begin
    }
    for (index, beginning) in state.playback.scene.copies.beginnings.enumerated() {
      frames["copy \(index)"] = beginning.frame
    }
    for (index, beginning) in state.playback.scene.copies.planned.enumerated() {
      frames["later copy \(index)"] = beginning.frame
    }
    for (index, bus) in state.playback.scene.mixer.buses.records.enumerated() {
      frames["begin on bus \(index)"] = bus.lastBegin
    }
    for (slot, record) in state.playback.scene.emitters.records.enumerated() where record.isUsed {
      let identity = state.playback.scene.sounds[record.sound].identity
      frames["begin of the sound of \(slot)"] = state.playback.scene.sounds.plays(of: identity).lastBegin
    }
    for (index, voice) in state.playback.voices.all.enumerated() {
      frames["begin of voice \(index)"] = voice.begin
      switch voice.state {
      case .fading(let since, _): frames["fade of voice \(index)"] = since
      case .stopped(let frame): frames["stop of voice \(index)"] = frame
      default: break
      }
    }
    for (index, record) in state.playback.scene.players.records.enumerated() {
      frames["upcoming of \(index)"] = record.playlist?.upcoming?.begin
      frames["silence of \(index)"] = record.playlist?.silentSince
      for (place, scheduledSound) in (record.playlist?.scheduledSounds ?? []).enumerated() {
        frames["scheduled sound \(place) of \(index)"] = scheduledSound.begin
      }
    }
    for unit in 0..<3 {
      if case .ringing(let end) = state.playback.scene.space.zones.pool.units[unit].state {
        frames["end of unit \(unit)"] = end
      }
    }
    return frames
  }

  /// Another rate of the output, 0 to 3,000 frames of it later.
  private static func physics(_ old: MixPhysics, rate: Int, later: Int) -> MixPhysics {
    var physics = old
    physics.sampleRate = rate
    physics.frame = Int((Double(old.frame) * Double(rate) / Double(old.sampleRate)).rounded()) + later
    return physics
  }

  @Test func `Each part of a world converts its frames, or is one that has none`() throws {
    let offline = try OfflineRenderer(format: Self.mono)
    let state = AudioWorld(in: offline.context).inspector.state
    let layers: [Any] = [state, state.playback, state.playback.scene]
    let parts = layers.flatMap { Mirror(reflecting: $0).children }
    let others = parts.filter { !($0.value is any RateConvertible) }.map { $0.label ?? "" }
    // The time converts the frame of its last tick itself, and a log counts in frames of the rate at its beginning.
    #expect(others.sorted() == ["clocks", "limits", "log", "outbox", "playback", "selector", "session", "time"])
  }

  @Test(arguments: [24_000, 44_100, 96_000], [0, 1_500])
  func `Each frame is as far in time from that of the mix as before`(rate: Int, later: Int) throws {
    let scene = try Scene()
    let old = scene.world.inspector.state
    var new = old
    new.adopt(Self.physics(old.playback.scene.time.physics, rate: rate, later: later))
    let (before, after) = (Self.frames(old), Self.frames(new))
    #expect(before.count > 40)
    for kind in [
      "upcoming of", "silence of", "scheduled sound 1", "end of unit", "fade of voice", "stop of voice", "copy 0",
    ] {
      #expect(before.keys.contains { $0.hasPrefix(kind) }, "\(kind)")
    }
    #expect(before["later copy 0"] != nil && before["fade 0"] != nil && before["fade of bus 0"] != nil)
    #expect(before.keys.sorted() == after.keys.sorted())
    // The frame of the mix, as it would be without the change.
    let ratio = Double(rate) / 48_000
    let present = Double(new.playback.now) / ratio
    for (name, frame) in before {
      var expected = Double(new.playback.now) + (Double(frame) - present) * ratio
      if name.hasPrefix("stop of") { expected = min(expected, Double(new.playback.now)) }
      #expect(abs(Double(after[name] ?? .min) - expected) <= 1.5, "\(name): \(frame), then \(after[name] ?? .min)")
    }
    let (parts, now) = (new.playback.scene, new.playback.now)
    #expect(parts.space.rays.movedUntil == now && parts.emitters.derivedAt == now && parts.time.lastTick == now)
  }

  @Test(arguments: [24_000, 44_100, 96_000], [0, 1_500])
  func `Each sound goes on at its place and ends at its time`(rate: Int, later: Int) throws {
    let scene = try Scene()
    let old = scene.world.inspector.state
    var new = old
    new.adopt(Self.physics(old.playback.scene.time.physics, rate: rate, later: later))
    let ratio = Double(rate) / 48_000
    let present = Int((Double(new.playback.now) / ratio).rounded())
    var (moving, ends) = (0, 0)
    for slot in old.playback.scene.emitters.indices
    where old.playback.scene.emitters[slot].isUsed && old.playback.scene.emitters[slot].status != .idle {
      let (first, second) = (old.playback.scene.emitters[slot].clock, new.playback.scene.emitters[slot].clock)
      for seconds in [0, 0.1, 0.5, 0.9] {
        let place = first.position(at: present + Int(seconds * 48_000))
        let other = second.position(at: new.playback.now + Int((seconds * 48_000 * ratio).rounded()))
        // The mixer rounds its step.
        #expect(abs(place - other) < 14, "slot \(slot), after \(seconds) s: \(place), then \(other)")
        if place > 0 { moving += 1 }
      }
      let end = old.playback.scene.emitters.end(of: slot)
      guard end < .max else {
        #expect(new.playback.scene.emitters.end(of: slot) == .max)
        continue
      }
      ends += 1
      let expected = Double(new.playback.now) + Double(end - present) * ratio
      #expect(abs(Double(new.playback.scene.emitters.end(of: slot)) - expected) < 60, "slot \(slot)")
    }
    #expect(moving > 20 && ends > 3)
    #expect(new.playback.scene.emitters.nextEnd == new.playback.scene.emitters.columns.end.filter { $0 > .min }.min())
  }

  @Test func `A frame that another thread has read earlier does not take the mix back, but for another output`() throws
  {
    let scene = try Scene()
    let state = scene.world.inspector.state
    let frame = state.playback.now
    for (distance, rate, expected) in [
      (1, 48_000, frame), (47_999, 48_000, frame), (48_000, 48_000, frame - 48_000), (-1, 48_000, frame + 1),
      (0, 48_000, frame), (10, 44_100, frame - 10),
    ] {
      var (copy, physics) = (state, state.playback.scene.time.physics)
      (physics.frame, physics.sampleRate) = (frame - distance, rate)
      copy.adopt(physics)
      #expect(copy.playback.now == expected, "\(distance) frames earlier, at \(rate) Hz")
    }
  }
}
