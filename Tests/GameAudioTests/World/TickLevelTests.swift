import Spatial3D
import Spatial3DTesting
import Testing

@testable import GameAudio

/// The levels that move from tick to tick: each tick sets the level at its end, and the last level is exact.
@Suite struct TickLevelTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let tone = Sound(TestSignal.sine(frequency: 400, duration: .seconds(9), format: mono))

  private static func time(_ frames: Int) -> Duration { mono.duration(ofFrames: frames) }

  @Test(arguments: [1, 511, 512, 513, 1_024, 5_000], Fade.Curve.allCases)
  func `A fade of an emitter has the level at the end of each tick, and ends exactly`(frames: Int, curve: Fade.Curve)
    throws
  {
    var scene = try CommandState([Self.tone], mixesByFrames: true)
    scene.state.play(0)
    let fade = Fade(Self.time(frames), curve)
    scene.state.playback.scene.emitters[stored: 0].gain = Decibels(-3).factor
    scene.state.playback.complete(scene.state.playback.scene.beginFade(of: 0, .gain, to: .decibels(-20), fade))
    let from = Gain.decibels(-3)
    for tick in 0...(frames / 512 + 2) {
      #expect(scene.state.playback.scene.fades.isEmpty == ((tick - 1) * 512 >= frames), "tick \(tick)")
      scene.tick(after: tick == 0 ? 0 : 512)
      let isOver = tick * 512 >= frames
      let gain = isOver ? .decibels(-20) : fade.gain(from: from, to: .decibels(-20), after: Self.time((tick + 1) * 512))
      #expect(scene.state.playback.scene.emitters[0].gain == gain.rawValue, "tick \(tick)")
    }
    #expect(scene.state.playback.scene.fades.isEmpty && scene.state.playback.scene.emitters[0].status == .playing)
  }

  @Test(arguments: [1, 512, 513, 3_000])
  func `A fade of a bus has the level at the end of each tick, and ends exactly`(frames: Int) throws {
    let fade = Fade(Self.time(frames), .linear)
    for (value, from, to) in [
      (.gain, 0, -12), (.pitch, 0, 6), (.low, 0, -30), (.high, 0, -30), (.otherAudio, 0, -60),
    ] as [(BusFade.Value, Decibels, Decibels)] {
      var scene = try CommandState([Self.tone], mixesByFrames: true)
      func level(_ state: WorldState) -> Decibels {
        switch value {
        case .gain: Decibels(factor: state.playback.scene.mixer.buses[0].gain)
        case .pitch: Decibels(factor: state.playback.scene.mixer.buses[0].pitch)
        case .low: state.playback.scene.mixer.buses[0].filter.low
        case .high: state.playback.scene.mixer.buses[0].filter.high
        default: Decibels(factor: state.playback.scene.mixer.buses[0].otherAudioLevel)
        }
      }
      /// A level of a filter, or the factor of a gain or a pitch.
      func amount(_ level: Decibels) -> BusFade.Amount {
        value == .low || value == .high ? .level(level) : .gain(.decibels(level))
      }
      scene.state.beginFade(ofBus: 0, value, to: amount(to), fade)
      #expect(level(scene.state) == from)
      for tick in 0...(frames / 512 + 1) {
        scene.tick(after: tick == 0 ? 0 : 512)
        let expected = tick * 512 >= frames ? to : fade.level(from: from, to: to, after: Self.time((tick + 1) * 512))
        #expect(abs((level(scene.state) - expected).rawValue) < 1e-4, "\(value), tick \(tick)")
      }
      #expect(
        scene.state.playback.scene.mixer.fades.isEmpty
          && scene.state.playback.scene.mixer.buses[0].totals.gain == scene.state.playback.scene.mixer.buses[0].ownGain
      )
      scene.state.beginFade(ofBus: 0, value, to: amount(from), .none)
      #expect(abs(level(scene.state).rawValue) < 1e-4 && scene.state.playback.scene.mixer.fades.isEmpty)
    }
  }

  @Test func `A fade that ends an emitter or pauses it does so with the first tick at its end`() throws {
    for (frames, tick) in [(480, 1), (512, 1), (513, 2), (1_024, 2)] {
      let fade = Fade(Self.time(frames))
      var stopped = try CommandState([Self.tone], mixesByFrames: true)
      stopped.state.play(0)
      var paused = stopped
      stopped.state.stop(0, fade)
      paused.state.pause(0, fade)
      #expect(
        stopped.state.playback.scene.emitters[0].status == .stopping
          && paused.state.playback.scene.emitters[0].status == .pausing
      )
      for number in 0...tick {
        for scene in [stopped, paused] {
          #expect(
            scene.state.playback.scene.emitters[0].isSounding && scene.state.playback.scene.emitters.activeCount == 1,
            "tick \(number) of \(frames)"
          )
        }
        stopped.tick(after: number == 0 ? 0 : 512)
        paused.tick(after: number == 0 ? 0 : 512)
      }
      #expect(
        stopped.state.playback.scene.emitters[0].status == .idle
          && paused.state.playback.scene.emitters[0].status == .paused
      )
      for scene in [stopped, paused] {
        #expect(
          scene.state.playback.scene.fades.isEmpty && scene.state.playback.scene.emitters[0].fade == 1
            && scene.state.playback.scene.emitters[0].voice == nil
        )
        #expect(
          scene.state.playback.scene.emitters.activeCount == 0 && scene.state.playback.scene.emitters.end(of: 0) == .max
            && scene.state.playback.scene.emitters.weight(of: 0) == 0
        )
      }
      #expect(
        paused.state.playback.scene.emitters[0].clock.step == 0 && stopped.state.playback.scene.emitters[0].hasEnded
      )
      // The clock of a pause stands still.
      let place = paused.state.playback.scene.emitters[0].clock.place(at: paused.state.playback.now)
      #expect(place == Double(paused.state.playback.now))
      paused.advance(by: 5_000)
      paused.state.play(0)
      #expect(paused.state.playback.scene.emitters[0].clock.place(at: paused.state.playback.now) == place)
      #expect(
        paused.state.playback.scene.emitters[0].status == .playing
          && paused.state.playback.scene.emitters[0].clock.step == 1
      )
      #expect(paused.state.playback.scene.emitters.end(of: 0) == paused.state.playback.now + 432_000 - Int(place))
      #expect(
        paused.state.playback.scene.emitters.activeCount == 1
          && paused.state.playback.scene.emitters[0].switched == paused.state.playback.now
      )
    }
  }

  @Test func `A pause that is taken back fades in again, and one while a sound is loaded begins it later`() throws {
    var scene = try CommandState([Self.tone], mixesByFrames: true)
    scene.state.play(0)
    scene.tick(after: 512)
    scene.state.pause(0, Fade(.seconds(1)))
    scene.tick(after: 512)
    let level = scene.state.playback.scene.emitters[0].fade
    #expect(level < 1 && level > 0.5)
    scene.state.play(0)
    #expect(
      scene.state.playback.scene.emitters[0].status == .playing
        && scene.state.playback.scene.fades.running.map(\.to) == [.unity]
    )
    #expect(
      scene.state.playback.scene.fades.running.map(\.fade) == [.declick]
        && scene.state.playback.scene.emitters.activeCount == 1
    )
    for _ in 0..<2 { scene.tick(after: 512) }
    #expect(
      scene.state.playback.scene.emitters[0].fade == 1 && scene.state.playback.scene.fades.isEmpty
        && scene.state.playback.isHeard(0)
    )
    // A sound that is not loaded has no clock.
    let other = Sound(TestSignal.sine(frequency: 500, duration: .seconds(1), format: Self.mono))
    let id = scene.state.playback.add(other, isPlaced: true, bus: 0)
    let (slot, job) = (id.slot, try #require(scene.state.playback.outbox.jobs.first))
    scene.state.play(slot)
    #expect(
      scene.state.playback.scene.emitters[slot].status == .loading
        && scene.state.playback.scene.emitters.activeCount == 2
    )
    scene.state.pause(slot, .declick)
    #expect(
      scene.state.playback.scene.emitters[slot].status == .pausedBeforeStart
        && scene.state.playback.scene.emitters.activeCount == 1
    )
    scene.state.seek(slot, to: .milliseconds(250))
    #expect(scene.state.playback.scene.emitters[slot].start == 0.25)
    scene.state.play(slot)
    #expect(scene.state.playback.scene.emitters[slot].status == .loading)
    scene.state.pause(slot, .declick)
    let sound = try LoadedSound(job.content, job.key, convertsRate: true, in: scene.context)
    scene.state.playback.finishLoading(sound, for: job.key)
    #expect(
      scene.state.playback.scene.emitters[slot].status == .pausedBeforeStart
        && scene.state.playback.scene.emitters[slot].voice == nil
    )
    scene.advance(by: 700)
    scene.state.play(slot)
    #expect(
      scene.state.playback.scene.emitters[slot].status == .playing
        && scene.state.playback.scene.emitters[slot].began == scene.state.playback.now
    )
    #expect(
      scene.state.playback.scene.emitters[slot].clock.place(at: scene.state.playback.now) == 12_000
        && scene.state.playback.isHeard(slot)
    )
    #expect(scene.state.playback.scene.emitters.end(of: slot) == scene.state.playback.now + 36_000)
  }

  @Test func `Pauses of a bus count, and its emitters stand while one is left`() throws {
    var scene = try CommandState([Self.tone], mixesByFrames: true)
    scene.state.play(0)
    scene.tick(after: 512)
    scene.state.apply(.resume(.none), to: 0 as BusIndex)
    #expect(scene.state.playback.scene.mixer.buses[0].pauses == 0)
    scene.state.apply(.pause(.none), to: 0 as BusIndex)
    scene.state.apply(.pause(.none), to: 0 as BusIndex)
    #expect(
      scene.state.playback.scene.mixer.buses[0].pauses == 2 && scene.state.playback.scene.mixer.buses[0].isHalted
        && scene.state.playback.scene.mixer.buses[0].pauseLevel == 0
    )
    #expect(
      scene.state.playback.scene.emitters[0].clock.step == 0 && scene.state.playback.scene.emitters[0].keepsPosition
        && !scene.state.playback.isHeard(0)
    )
    #expect(scene.state.playback.scene.emitters.end(of: 0) == .max && !scene.state.playback.scene.emitters[0].isCounted)
    scene.tick(after: 4_096)
    #expect(
      scene.state.playback.scene.emitters[0].clock.place(at: scene.state.playback.now) == 512
        && scene.state.playback.scene.emitters[0].voice == nil
    )
    scene.state.apply(.resume(.none), to: 0 as BusIndex)
    #expect(scene.state.playback.scene.mixer.buses[0].pauses == 1 && scene.state.playback.scene.mixer.buses[0].isHalted)
    scene.state.apply(.resume(Fade(.seconds(1), .linear)), to: 0 as BusIndex)
    #expect(
      scene.state.playback.scene.mixer.buses[0].pauses == 0 && !scene.state.playback.scene.mixer.buses[0].isHalted
        && scene.state.playback.isHeard(0)
    )
    // The voice begins with the level at the end of its first tick.
    #expect(abs(scene.state.playback.scene.mixer.buses[0].pauseLevel - 512 / 48_000) < 1e-5)
    #expect(scene.state.playback.scene.emitters[0].clock.step == 1 && scene.state.playback.scene.emitters[0].isCounted)
    #expect(scene.state.playback.scene.emitters.end(of: 0) == scene.state.playback.now + 432_000 - 512)
    // A pause with a fade halts the bus at its end.
    scene.state.apply(.pause(Fade(Self.time(600))), to: 0 as BusIndex)
    #expect(!scene.state.playback.scene.mixer.buses[0].isHalted && scene.state.playback.isHeard(0))
    for isHalted in [false, true] {
      scene.tick(after: 512)
      #expect(
        scene.state.playback.scene.mixer.buses[0].isHalted == isHalted && scene.state.playback.isHeard(0) != isHalted
      )
    }
  }

  @Test func `A ducker that ends goes with its level, and one that would duck itself is refused`() throws {
    var scene = try CommandState([Self.tone], mixesByFrames: true)
    for name in ["a", "b"] { _ = scene.state.playback.scene.mixer.makeBus(name, in: 0, isDirect: false) }
    scene.state.playback.setBus(2, of: 0)
    let ducking = Ducking(by: -12, attack: .zero, hold: .zero, release: Self.time(1_024))
    #expect(scene.state.playback.scene.mixer.duck(1, under: 2, nil) && scene.state.playback.scene.mixer.duckers.isEmpty)
    #expect(
      scene.state.playback.scene.mixer.duck(1, under: 2, ducking)
        && !scene.state.playback.scene.mixer.duck(2, under: 1, ducking)
    )
    #expect(
      !scene.state.playback.scene.mixer.duck(1, under: 0, ducking)
        && scene.state.playback.scene.mixer.duckers.count == 1
    )
    #expect(scene.state.playback.scene.mixer.duck(1, under: 2, nil) && scene.state.playback.scene.mixer.duckers.isEmpty)
    #expect(
      scene.state.playback.scene.mixer.duck(1, under: 2, ducking)
        && scene.state.playback.scene.mixer.duck(1, under: 2, Ducking(by: -6, attack: .zero))
    )
    #expect(
      scene.state.playback.scene.mixer.duckers.count == 1 && scene.state.playback.scene.mixer.duck(1, under: 2, ducking)
    )
    scene.state.play(0)
    scene.tick(after: 512)
    #expect(
      scene.state.playback.scene.mixer.duckers[0].level == -12 && scene.state.playback.scene.mixer.buses[1].duck == -12
        && scene.state.playback.scene.mixer.buses[2].duck == 0
    )
    #expect(scene.state.playback.scene.mixer.buses[1].totals.gain == Decibels(-12).factor)
    #expect(
      scene.state.playback.scene.mixer.duck(1, under: 2, nil) && scene.state.playback.scene.mixer.duckers[0].isRetired
    )
    // A ducker that retires makes room for the opposite ducker, and is not in force any more.
    var other = scene
    #expect(
      other.state.playback.scene.mixer.duck(2, under: 1, ducking)
        && !other.state.playback.scene.mixer.duck(1, under: 2, ducking)
    )
    for level in [-6, 0] as [Float] {
      scene.tick(after: 512)
      #expect(abs(scene.state.playback.scene.mixer.buses[1].duck - level) < 1e-4)
    }
    #expect(
      scene.state.playback.scene.mixer.duckers.isEmpty && scene.state.playback.scene.mixer.buses[1].totals.gain == 1
    )
  }

  @Test func `The level of a bus is the power of all that sounds inside it`() throws {
    var scene = try CommandState(Array(repeating: Self.tone, count: 4), mixesByFrames: true, voices: 3)
    for (name, parent) in [("a", 0), ("inner", 1), ("b", 0)] as [(String, BusIndex)] {
      _ = scene.state.playback.scene.mixer.makeBus(name, in: parent, isDirect: false)
    }
    for (slot, bus) in [(0, 1), (1, 2), (2, 3), (3, 3)] as [(EmitterSlot, Int)] {
      scene.state.playback.setBus(BusIndex(bus), of: slot)
      scene.state.playback.scene.emitters[stored: slot].gain = Decibels(-Float(slot.position) * 2).factor
      scene.state.play(slot)
    }
    scene.tick(after: 512)
    func power(_ slots: [EmitterSlot]) -> Float {
      slots.reduce(0) { sum, slot in
        let level = scene.state.playback.scene.audibility(
          of: slot,
          envelope: scene.state.playback.scene.soundLevel(of: slot)
        ).audible
        return sum + level * level
      }
    }
    // The fourth emitter has no voice.
    for (bus, slots) in [(0, [0, 1, 2]), (1, [0, 1]), (2, [1]), (3, [2])] as [(Int, [EmitterSlot])] {
      let level = scene.state.playback.voices.level(ofBus: BusIndex(bus), in: scene.state.playback.scene)
      #expect(abs(level.rawValue - Decibels(factor: power(slots).squareRoot()).rawValue) < 1e-3, "\(bus)")
    }
    scene.state.playback.scene.emitters[stored: 2].began = scene.state.playback.now + 1
    #expect(scene.state.playback.voices.level(ofBus: 3, in: scene.state.playback.scene) == -160)
    _ = scene.state.playback.scene.mixer.duck(3, under: 1, Ducking(by: 0))
    scene.tick(after: 512)
    for (bus, slots) in [(0, [0, 1, 2]), (1, [0, 1]), (2, [1]), (3, [2])] as [(Int, [EmitterSlot])] {
      #expect(abs(scene.state.playback.scene.mixer.powers[bus] - power(slots)) < 1e-2, "\(bus)")
    }
  }
}
