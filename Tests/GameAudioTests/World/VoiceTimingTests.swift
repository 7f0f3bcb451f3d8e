import Spatial3DTesting
import Testing

@testable import GameAudio

/// The times and the levels at which a choice gives and takes voices, to the frame.
@Suite struct VoiceTimingTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  /// The state of a world after 200 ms, whose first emitters have the voices and whose last one is silent.
  private static func state(voices: Int, real: Int, _ setUp: (Emitter) -> Void = { _ in }) throws -> WorldState {
    var offline = try OfflineRenderer(format: mono)
    let world = AudioWorld(in: offline.context, voiceLimit: voices)
    let sound = Sound(TestSignal.sine(frequency: 400, duration: .seconds(9), format: mono))
    let emitters = (0...real).map { _ in Emitter(playing: sound, in: world) }
    emitters[real].gain = .silence
    setUp(emitters[real])
    for emitter in emitters { emitter.play() }
    offline.render(.milliseconds(200))
    return withExtendedLifetime(emitters) { world.inspector.state }
  }

  /// Makes the last emitter as loud as the others, by a factor.
  private static func raise(_ state: inout WorldState, to gain: Float = 1) {
    let last = EmitterSlot(state.playback.scene.emitters.count - 1)
    state.playback.scene.emitters[stored: last].gain = gain
    state.playback.scene.updateWeight(of: last)
  }

  /// Whether the last emitter has a voice after a choice.
  private static func getsVoice(_ state: WorldState, _ change: (inout WorldState, EmitterSlot) -> Void) -> Bool {
    var copy = state
    raise(&copy)
    let last = EmitterSlot(copy.playback.scene.emitters.count - 1)
    change(&copy, last)
    copy.choose()
    return copy.playback.scene.emitters[last].voice != nil
  }

  @Test func `A voice is reserved 200 ms before a start`() throws {
    let state = try Self.state(voices: 2, real: 1)
    for (frames, isReserved) in [(0, true), (9_599, true), (9_600, true), (9_601, false), (48_000, false)] {
      #expect(
        Self.getsVoice(state) { $0.playback.scene.emitters[stored: $1].began = $0.playback.now + frames } == isReserved,
        "\(frames)"
      )
    }
  }

  @Test func `An emitter that has lost its voice has none for 50 ms, unless it goes on after a pause`() throws {
    let state = try Self.state(voices: 2, real: 1)
    for (frames, isBack) in [(0, false), (2_399, false), (2_400, true), (9_000, true)] {
      for (hasSounded, keepsPosition) in [(true, false), (true, true), (false, false)] {
        let found = Self.getsVoice(state) { state, slot in
          (
            state.playback.scene.emitters[stored: slot].hasSounded,
            state.playback.scene.emitters[stored: slot].keepsPosition
          ) = (
            hasSounded, keepsPosition
          )
          state.playback.scene.emitters[stored: slot].switched = state.playback.now - frames
        }
        #expect(found == (isBack || keepsPosition || !hasSounded), "\(frames), \(hasSounded), \(keepsPosition)")
      }
    }
  }

  @Test func `The last 100 ms of a sound get no voice, but for a beginning of the last 50 ms and after a pause`() throws
  {
    let state = try Self.state(voices: 2, real: 1)
    for (left, age, hasSounded, keepsPosition, isHeard) in [
      (4_799, 9_000, false, false, false), (4_800, 9_000, false, false, true), (4_799, 9_000, true, false, false),
      (4_799, 2_400, false, false, true), (4_799, 2_401, false, false, false), (4_799, 2_400, true, false, false),
      (1, 9_000, true, true, true), (4_800, 9_000, true, false, true),
    ] {
      let found = Self.getsVoice(state) { state, slot in
        state.playback.scene.emitters.setEnd(state.playback.now + left, of: slot)
        state.playback.scene.emitters[stored: slot].began = state.playback.now - age
        state.playback.scene.emitters[stored: slot].switched = state.playback.now - 9_000
        (
          state.playback.scene.emitters[stored: slot].hasSounded,
          state.playback.scene.emitters[stored: slot].keepsPosition
        ) = (
          hasSounded, keepsPosition
        )
      }
      #expect(found == isHeard, "\(left) frames left, \(age) after the beginning, \(hasSounded), \(keepsPosition)")
    }
  }

  @Test func `A voice of the last 100 ms is lost to one that is twice as loud alone`() throws {
    let state = try Self.state(voices: 1, real: 1)
    for (frames, gain, isLost) in [
      (4_799, 2.3, false), (4_799, 2.4, true), (4_800, 1.18, false), (4_800, 1.2, true), (48_000, 1.2, true),
    ] as [(Int, Float, Bool)] {
      let found = Self.getsVoice(state) { state, _ in
        state.playback.scene.emitters[stored: 0].switched = state.playback.now - frames
        Self.raise(&state, to: gain)
      }
      // The present voice counts 1.5 dB more.
      #expect(found == isLost, "\(frames) frames, \(gain)")
    }
  }

  @Test func `A first voice needs -80 dB, a return -77 dB, and a voice stays down to -80 dB`() throws {
    let state = try Self.state(voices: 2, real: 1)
    let last = EmitterSlot(state.playback.scene.emitters.count - 1)
    var loud = state
    Self.raise(&loud)
    let level = loud.playback.scene.audibility(of: last).audible
    for (threshold, hasSounded) in [(1e-4, false), (1.4125e-4, true)] as [(Float, Bool)] {
      for (part, isHeard) in [(0.999, false), (1.001, true)] as [(Float, Bool)] {
        let found = Self.getsVoice(state) { state, slot in
          state.playback.scene.emitters[stored: slot].hasSounded = hasSounded
          state.playback.scene.emitters[stored: slot].switched = state.playback.now - 9_000
          Self.raise(&state, to: threshold * part / level)
        }
        #expect(found == isHeard, "\(threshold) by \(part)")
      }
    }
    for (part, isHeard) in [(0.999, false), (1.001, true)] as [(Float, Bool)] {
      var copy = state
      copy.playback.scene.emitters[stored: 0].gain = 1e-4 * part / level
      copy.choose()
      #expect((copy.playback.scene.emitters[0].voice != nil) == isHeard, "\(part)")
    }
  }

  @Test func `An emitter that is to stop waits 50 ms for its first voice, and as long as its bus is paused`() throws {
    let state = try Self.state(voices: 1, real: 1) { $0.virtualBehavior = .stop }
    // It has waited for 200 ms, and has ended.
    #expect(state.playback.scene.emitters[1].status == .idle && state.playback.scene.emitters.stoppingCount == 1)
    for (age, isPaused, isPlaying) in [(2_400, false, true), (2_401, false, false), (9_000, true, true)] {
      var copy = state
      copy.play(1)
      copy.playback.scene.emitters[stored: 1].began = copy.playback.now - age
      if isPaused { copy.changeBus(0) { $0.isHalted = true } }
      copy.choose()
      #expect((copy.playback.scene.emitters[1].status == .playing) == isPlaying, "\(age) frames, \(isPaused)")
    }
    // One of another behavior waits on.
    var copy = state
    copy.playback.scene.emitters[stored: 1].behavior = .resume
    copy.play(1)
    copy.playback.scene.emitters[stored: 1].began = copy.playback.now - 9_000
    copy.choose()
    #expect(copy.playback.scene.emitters[1].status == .playing)
  }

  @Test func `A first voice within 50 ms of the play begins the sound, and a later one goes on in it`() throws {
    let state = try Self.state(voices: 2, real: 1)
    for (behavior, age, hasSounded, place) in [
      (.elapsedTime, 2_400, false, 0), (.elapsedTime, 2_401, false, 2_401), (.stop, 2_400, false, 0),
      (.elapsedTime, 2_400, true, 2_400), (.resume, 2_400, false, 2_400), (.fromBeginning, 2_400, true, 0),
      (.fromBeginning, 9_000, true, 0), (.fromBeginning, 9_000, false, 9_000), (.resume, 9_000, true, 9_000),
    ] as [(VirtualBehavior, Int, Bool, Double)] {
      for keepsPosition in [false, true] {
        var copy = state
        Self.raise(&copy)
        let course = copy.playback.scene.emitters[1].clock.course
        copy.playback.scene.emitters[stored: 1].clock = LogicalClock(course, at: copy.playback.now - age, step: 1)
        copy.playback.scene.emitters[stored: 1].began = copy.playback.now - age
        copy.playback.scene.emitters[stored: 1].behavior = behavior
        (copy.playback.scene.emitters[stored: 1].hasSounded, copy.playback.scene.emitters[stored: 1].keepsPosition) = (
          hasSounded, keepsPosition
        )
        copy.playback.promote(1)
        #expect(
          copy.playback.scene.emitters[1].clock.place(at: copy.playback.now) == (keepsPosition ? Double(age) : place),
          "\(behavior), \(age)"
        )
        #expect(
          copy.playback.scene.emitters[1].voice != nil && copy.playback.scene.emitters[1].hasSounded
            && !copy.playback.scene.emitters[1].keepsPosition
        )
        #expect(
          copy.playback.scene.emitters[1].switched == copy.playback.now
            && copy.playback.scene.emitters[1].clock.step == 1
        )
      }
    }
  }

  @Test func `Essential emitters without a voice end the fades that are furthest`() throws {
    let state = try Self.state(voices: 3, real: 3)
    for (fades, count, priority, ended) in [
      ([0.5, 0.2, 0.4], 1, 100, [1]), ([0.1, 0.2, 0.4], 1, 100, [0]), ([0.5, 0.4, 0.2], 1, 100, [2]),
      ([0.3, 0.3, 0.3], 1, 100, [0]), ([0.5, 0.2, 0.4], 1, 99, []), ([0.5, 0.2, 0.4], 0, 100, []),
    ] as [([Float], Int, Int, [Int])] {
      var copy = state
      for (slot, fade) in zip(copy.playback.scene.emitters.indices, fades) {
        copy.playback.scene.modify(slot) { $0.status = .stopping }
        copy.playback.scene.emitters[stored: slot].fade = fade
      }
      copy.playback.scene.emitters[stored: 3].priority = Priority(priority)
      if count > 0 { Self.raise(&copy) }
      copy.choose()
      #expect(
        (0..<3).filter { copy.playback.scene.emitters.records[$0].status == .idle } == ended,
        "\(fades), \(priority)"
      )
      copy.choose()
      #expect((copy.playback.scene.emitters[3].voice != nil) == !ended.isEmpty)
    }
  }

  @Test func `A silent listener leaves all emitters without a new voice, and a loud one none`() throws {
    let state = try Self.state(voices: 2, real: 1)
    for (gain, isHeard) in [(0, false), (1e-6, false), (0.01, true), (16, true)] as [(Gain, Bool)] {
      #expect(
        Self.getsVoice(state) { state, _ in state.playback.scene.space.listeners = ListenerSet(Listener(gain: gain)) }
          == isHeard,
        "\(gain)"
      )
    }
  }

  @Test func `An emitter without a place competes whatever its position and the reach of its sound are`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context, voiceLimit: 2)
    var sound = Sound(TestSignal.sine(frequency: 400, duration: .seconds(9), format: Self.mono))
    sound.silentBeyond = 5
    let emitters = (0..<40).map { index in
      let bus = world.mixer.makeBus("flat", kind: .direct)
      let emitter = Emitter(playing: sound, in: world, on: index < 2 ? bus : nil)
      emitter.position = [0, 0, index < 2 ? -1e6 : -1]
      emitter.gain = index < 2 ? .silence : .decibels(-20)
      emitter.play()
      return emitter
    }
    offline.render(.milliseconds(200))
    for emitter in emitters.prefix(2) { emitter.gain = .unity }
    offline.render(.milliseconds(200))
    #expect(emitters.indices.filter { !emitters[$0].isVirtual } == [0, 1])
  }
}
