import Spatial3DTesting
import Testing

@testable import GameAudio

/// The first answers of rays: a voice that no mix has rendered takes them without a glide.
@Suite struct FirstAnswerTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)

  private static func emitter(in world: AudioWorld, _ seconds: Double = 1) -> Emitter {
    let tone = TestSignal.sine(frequency: 400, duration: .seconds(seconds), format: mono)
    let emitter = Emitter(playing: Sound(tone), in: world)
    emitter.position = [0, 0, -1]
    return emitter
  }

  /// The occlusion and the obstruction of a voice after an answer some frames later; `nil` without a voice.
  private static func occlusions(
    of emitter: Emitter,
    in start: WorldState,
    after frames: Int = 0
  ) -> [Decibels]? {
    var state = start
    var physics = state.playback.scene.time.physics
    physics.frame += frames
    state.adopt(physics)
    state.playback.applyRays([EmitterRays(subject: emitter.key, occlusion: -20, obstruction: -7)])
    guard let voice = state.playback.scene.emitters[emitter.slot].voice, state.playback.voices.isSounding(voice) else {
      return nil
    }
    let isHandedOver = state.playback.outbox.commands.contains {
      if case .set(voice, _, .occlusions) = $0 { true } else { false }
    }
    #expect(isHandedOver == (state.playback.voices[voice].values.occlusion == -20))
    return [state.playback.voices[voice].values.occlusion, state.playback.voices[voice].values.obstruction]
  }

  private static func state(_ world: AudioWorld) -> WorldState { world.inspector.state }

  @Test func `A sound that begins has the answer at once, until the first mix`() throws {
    let offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitter = Self.emitter(in: world)
    emitter.play()
    let state = Self.state(world)
    #expect(Self.occlusions(of: emitter, in: state) == [-20, -7])
    #expect(Self.occlusions(of: emitter, in: state, after: 1) == [0, 0])
  }

  @Test func `A sound that gets a voice later has the answer at once, until the first mix with it`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context, voiceLimit: 1)
    let (first, second) = (Self.emitter(in: world, 0.2), Self.emitter(in: world, 2))
    (first.priority, second.repeats) = (.mustBeHeard, .forever)
    first.play()
    second.play()
    offline.render(.milliseconds(100))
    #expect(second.isVirtual)
    var state = Self.state(world)
    var physics = state.playback.scene.time.physics
    while state.playback.scene.emitters[second.slot].voice == nil, physics.frame < 48_000 {
      physics.frame += 512
      state.tick(physics)
    }
    #expect(
      state.playback.scene.emitters[second.slot].switched == state.playback.now
        && state.playback.scene.emitters[second.slot].began < state.playback.now
    )
    #expect(Self.occlusions(of: second, in: state) == [-20, -7])
    #expect(Self.occlusions(of: second, in: state, after: 1) == [0, 0])
  }

  @Test func `A sound that begins at a moment has the answer at once, until that`() throws {
    var offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitter = Self.emitter(in: world)
    emitter.play(at: .milliseconds(100))
    offline.render(.milliseconds(50))
    let state = Self.state(world)
    #expect(state.playback.scene.emitters[emitter.slot].began == 4_800)
    #expect(Self.occlusions(of: emitter, in: state) == [-20, -7])
    #expect(Self.occlusions(of: emitter, in: state, after: 4_800 - state.playback.now) == [-20, -7])
    #expect(Self.occlusions(of: emitter, in: state, after: 4_801 - state.playback.now) == [0, 0])
  }

  @Test func `A second answer glides, also before a mix`() throws {
    let offline = try OfflineRenderer(format: Self.mono)
    let world = AudioWorld(in: offline.context)
    let emitter = Self.emitter(in: world)
    emitter.play()
    world.castRays { _ in .wall(-3) }
    #expect(Self.occlusions(of: emitter, in: Self.state(world)) == [-3, 0])
  }
}
