import Spatial3D
import Spatial3DTesting
import Testing

@testable import GameAudio

/// The release of an emitter in each of its states, and the plays that follow one another.
@Suite struct EmitterReleaseTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let tone = Sound(TestSignal.sine(frequency: 400, duration: .seconds(9), format: mono))
  private static let id = EmitterKey(slot: 0, number: 1)

  /// A state with one emitter, which has played for 1,000 frames.
  private static func playing() throws -> CommandState {
    var scene = try CommandState([tone], mixesByFrames: true)
    scene.state.play(0)
    scene.tick(after: 1_000)
    return scene
  }

  @Test func `A release ends what nobody would hear at once, and fades out the rest`() throws {
    let playing = try Self.playing()
    /// What is left of an emitter after its release.
    enum Rest { case gone, stopping, plays }
    for (name, isOnce, rest, change) in [
      ("idle", false, .gone, { $0.stop(0, .none) }), ("idle, once", true, .gone, { $0.stop(0, .none) }),
      ("playing", false, .stopping, { _ in }), ("playing, once", true, .plays, { _ in }),
      ("virtual", false, .gone, { $0.playback.demote(0, isStolen: false) }),
      ("virtual, once", true, .plays, { $0.playback.demote(0, isStolen: false) }),
      ("paused", false, .gone, { $0.pause(0, .none) }), ("paused, once", true, .gone, { $0.pause(0, .none) }),
      ("pausing", false, .stopping, { $0.pause(0, .declick) }),
      ("pausing, once", true, .stopping, { $0.pause(0, .declick) }),
      ("stopping", false, .stopping, { $0.stop(0, .declick) }),
      ("stopping, once", true, .plays, { $0.stop(0, .declick) }),
      ("scheduled", false, .gone, { $0.play(0, at: .seconds(5)) }),
      ("scheduled, once", true, .plays, { $0.play(0, at: .seconds(5)) }),
      ("of another generation", false, .plays, { $0.playback.scene.emitters[stored: 0].generation = 2 }),
    ] as [(String, Bool, Rest, (inout WorldState) -> Void)] {
      var state = playing.state
      state.playback.scene.emitters[stored: 0].occupant = isOnce ? .oneShot : .emitter
      change(&state)
      let before = state.playback.scene.emitters[0].status
      state.release(Self.id)
      switch rest {
      case .gone:
        #expect(
          !state.playback.scene.emitters[0].isUsed && state.playback.scene.emitters.freeSlots == [0]
            && state.playback.scene.emitters.activeCount == 0,
          "\(name)"
        )
      case .stopping:
        #expect(
          state.playback.scene.emitters[0].isUsed && state.playback.scene.emitters[0].status == .stopping,
          "\(name)"
        )
      case .plays:
        #expect(
          state.playback.scene.emitters[0].isUsed && state.playback.scene.emitters[0].status == before
            && before != .idle,
          "\(name)"
        )
      }
      #expect(state.playback.scene.emitters[0].hasHandle == (name == "of another generation"), "\(name)")
      // What is left goes with its end.
      guard state.playback.scene.emitters[0].isUsed, !state.playback.scene.emitters[0].hasHandle else { continue }
      state.playback.end(0, .stopped)
      #expect(
        !state.playback.scene.emitters[0].isUsed && state.playback.scene.emitters.freeSlots == [0]
          && state.playback.scene.emitters.activeCount == 0,
        "\(name)"
      )
    }
  }

  @Test func `The end of all ends each emitter, with its reason`() throws {
    var scene = try CommandState([Self.tone, Self.tone, Self.tone], mixesByFrames: true)
    var events: [EmitterNotification] = []
    scene.state.playback.takeEvents(into: &events)
    for slot in [0, 1] as [EmitterSlot] { scene.state.play(slot) }
    scene.tick(after: 512)
    scene.state.playback.takeEvents(into: &events)
    scene.state.playback.endAll()
    #expect(
      scene.state.playback.scene.emitters.activeCount == 0
        && scene.state.playback.scene.emitters.records.allSatisfy { $0.status == .idle }
    )
    scene.state.playback.takeEvents(into: &events)
    #expect(events.map(\.event) == [.ended(.stopped), .ended(.stopped)])
    #expect(scene.state.playback.scene.emitters.records.map(\.hasEnded) == [true, true, false])
  }

  @Test func `A play begins all of a sound's values anew`() throws {
    var scene = try Self.playing()
    scene.state.playback.scene.emitters[stored: 0].clock.setRepeats(.forever, at: 1_000)
    scene.state.playback.scene.emitters[stored: 0].start = 0.5
    scene.state.playback.scene.emitters.changeRare(0) {
      $0.rays.take(occlusion: -9, obstruction: -3, at: 1, isHeard: true)
    }
    (scene.state.playback.scene.emitters[stored: 0].laps, scene.state.playback.scene.emitters[stored: 0].copyGain) = (
      4, 0.5
    )
    scene.state.playback.scene.emitters[stored: 0].keepsPosition = true
    let order = scene.state.playback.scene.emitters.lastOrder
    scene.state.play(0)
    let record = scene.state.playback.scene.emitters[0]
    #expect(record.order == order + 1 && record.began == 1_000 && record.switched == 1_000 && record.laps == 0)
    #expect(record.copyGain == 1 && !record.keepsPosition && !record.isLimited && record.hasEnded)
    #expect(
      record.clock.place(at: 1_000) == 24_000 && record.clock.step == 1 && record.clock.course.repeats == .forever
    )
    #expect(
      record.status == .playing && scene.state.playback.scene.emitters.activeCount == 1
        && scene.state.playback.isHeard(0) && record.hasSounded
    )
    #expect(
      scene.state.playback.scene.emitters[rare: 0].rays.isFirst
        && scene.state.playback.scene.emitters.end(of: 0) == .max
    )
    // A moment of the past is now. A moment that lies ahead keeps the sound at its position until then.
    scene.state.play(0, at: .zero)
    #expect(scene.state.playback.scene.emitters[0].began == 1_000)
    scene.state.play(0, at: .seconds(1))
    #expect(
      scene.state.playback.scene.emitters[0].began == 48_000 && scene.state.playback.scene.emitters[0].voice == nil
    )
    #expect(
      scene.state.playback.scene.emitters[0].clock.place(at: 48_000) == 24_000
        && scene.state.playback.scene.emitters[0].switched == 48_000
    )
    scene.state.play(0, at: Self.mono.duration(ofFrames: 10_600))
    #expect(
      scene.state.playback.scene.emitters[0].voice != nil && scene.state.playback.scene.emitters[0].began == 10_600
    )
    scene.state.play(0, at: Self.mono.duration(ofFrames: 10_601))
    #expect(
      scene.state.playback.scene.emitters[0].voice == nil && scene.state.playback.scene.emitters[0].began == 10_601
    )
    // A start behind the sound begins its last frame.
    scene.state.playback.scene.emitters[stored: 0].start = 99
    scene.state.play(0)
    #expect(scene.state.playback.scene.emitters[0].clock.place(at: 1_000) == 431_999)
  }

  @Test func `A seek moves what plays, and is the start of what does not`() throws {
    let playing = try Self.playing()
    for (seconds, place) in [(0, 0), (2, 96_000), (-1, 0), (100, 431_999)] as [(Double, Double)] {
      var state = playing.state
      state.playback.scene.emitters[stored: 0].laps = 3
      let voice = state.playback.scene.emitters[0].voice
      state.seek(0, to: .seconds(seconds))
      #expect(
        state.playback.scene.emitters[0].clock.place(at: 1_000) == place && state.playback.scene.emitters[0].start == 0
          && state.playback.scene.emitters[0].laps == 0
      )
      #expect(state.playback.scene.emitters[0].voice != voice && state.playback.isHeard(0))
      #expect(state.playback.scene.emitters.end(of: 0) == 1_000 + 432_000 - Int(place))
      // A virtual and a paused one move too, and get no voice by it.
      for isPaused in [false, true] {
        var other = playing.state
        if isPaused { other.pause(0, .none) } else { other.playback.demote(0, isStolen: false) }
        other.seek(0, to: .seconds(seconds))
        #expect(
          other.playback.scene.emitters[0].clock.place(at: 1_000) == place
            && other.playback.scene.emitters[0].voice == nil
        )
        #expect(other.playback.scene.emitters.end(of: 0) == (isPaused ? .max : 1_000 + 432_000 - Int(place)))
      }
      var idle = playing.state
      idle.stop(0, .none)
      idle.seek(0, to: .seconds(seconds))
      #expect(idle.playback.scene.emitters[0].start == max(seconds, 0))
    }
    // Before its start, a sound moves at its beginning.
    var later = playing.state
    later.play(0, at: .seconds(1))
    later.seek(0, to: .seconds(2))
    #expect(
      later.playback.scene.emitters[0].clock.place(at: 48_000) == 96_000
        && later.playback.scene.emitters[0].clock.place(at: 48_010) == 96_010
    )
  }

  @Test func `Another behavior lets the clock of a virtual emitter stand or run`() throws {
    for (behavior, step) in [(.resume, 0), (.fromBeginning, 0), (.elapsedTime, 1)] as [(VirtualBehavior, Double)] {
      var offline = try OfflineRenderer(format: Self.mono)
      let world = AudioWorld(in: offline.context)
      let (virtual, heard) = (Emitter(playing: Self.tone, in: world), Emitter(playing: Self.tone, in: world))
      virtual.gain = .silence
      for emitter in [virtual, heard] { emitter.play() }
      offline.render(frameCount: 1_000)
      for emitter in [virtual, heard] { emitter.virtualBehavior = behavior }
      var state = world.inspector.state
      #expect(
        state.playback.scene.emitters[0].clock.step == step && state.playback.scene.emitters[1].clock.step == 1
          && state.playback.scene.emitters.stoppingCount == 0
      )
      #expect(
        state.playback.scene.emitters.end(of: 0) == (step > 0 ? 432_000 : .max)
          && state.playback.scene.emitters.end(of: 1) == 432_000
      )
      for emitter in [virtual, heard] { emitter.virtualBehavior = .elapsedTime }
      state = world.inspector.state
      #expect(state.playback.scene.emitters.end(of: 0) == 432_000 && state.playback.scene.emitters[0].clock.step == 1)
      #expect(state.playback.scene.emitters[0].clock.place(at: 1_000) == 1_000)
      for emitter in [virtual, heard] { emitter.virtualBehavior = .stop }
      #expect(world.inspector.stoppingCount == 2)
      virtual.virtualBehavior = .stop
      #expect(world.inspector.stoppingCount == 2)
      heard.virtualBehavior = .resume
      #expect(world.inspector.stoppingCount == 1)
    }
  }
}
