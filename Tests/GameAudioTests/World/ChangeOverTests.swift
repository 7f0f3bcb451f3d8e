import Spatial3D
import Spatial3DTesting
import Testing

@testable import GameAudio

/// Loops whose samples are read again: they go on at the same time of their lap, whatever the new loop and its rate.
@Suite struct ChangeOverTests {
  private static func samples(_ frames: Int, rate: Int) -> PCMBuffer<Float> {
    let format = PCMFormat.mono(sampleRate: rate)
    return TestSignal.sine(frequency: 400, duration: format.duration(ofFrames: frames), format: format)
  }

  /// A state whose only emitter loops over a range of a bank's sound, and whose sound has newer samples.
  private static func superseded(
    _ old: (frames: Int, rate: Int),
    by new: (frames: Int, rate: Int),
    _ loopRange: Range<Int>?,
    after frames: Int
  ) throws -> CommandState {
    let contents = [old, new].map { frames, rate in
      SoundContent(name: "hum", source: .samples(samples(frames, rate: rate)), bank: 1)
    }
    var sound = Sound(contents: [contents[0]])
    sound.loopRange = loopRange
    var scene = try CommandState([sound], mixesByFrames: true)
    scene.state.playback.scene.sounds.addBank(1)
    scene.state.playback.scene.emitters[stored: 0].clock.setRepeats(.forever, at: 0)
    scene.state.play(0)
    scene.tick(after: frames)
    scene.state.playback.supersede(contents[0].identity, by: contents[1])
    let key = LoadKey(content: contents[1].identity, isPlaced: true, loopRange: loopRange)
    let loaded = try LoadedSound(contents[1], key, convertsRate: false, in: scene.context)
    scene.state.playback.finishLoading(loaded, for: key)
    #expect(scene.state.playback.scene.sounds.hasSuccessors && scene.state.playback.isHeard(0))
    _ = scene.takeCommands()
    return scene
  }

  @Test func `A loop goes over with the first tick of its next lap, at the same time of the lap`() throws {
    for (old, new, range, place) in [
      ((20_000, 48_000), (20_000, 48_000), nil, 480), ((20_000, 48_000), (10_000, 24_000), nil, 240),
      ((10_000, 24_000), (30_000, 48_000), nil, 480), ((26_000, 48_000), (26_000, 48_000), 6_000..<26_000, 6_480),
    ] as [((Int, Int), (Int, Int), Range<Int>?, Double)] {
      var scene = try Self.superseded(old, by: new, range, after: 512)
      // The first lap ends at 20,000 frames of the mix, or at 26,000 with an introduction.
      let end = range?.upperBound ?? 20_000
      scene.tick(after: end - 512 - 1)
      #expect(
        scene.state.playback.scene.sounds.hasSuccessors && !scene.takeCommands().contains { $0.hasPrefix("start") }
      )
      let before = scene.state.playback.scene.emitters[0].clock.course
      scene.tick(after: 481)
      #expect(!scene.state.playback.scene.sounds.hasSuccessors)
      #expect(
        abs(scene.state.playback.scene.emitters[0].clock.place(at: scene.state.playback.now) - place) < 1e-6,
        "\(old), \(new)"
      )
      #expect(scene.state.playback.scene.emitters[0].clock.laps(at: scene.state.playback.now) == 1)
      #expect(scene.state.playback.scene.emitters[0].clock.course.repeats == .forever && before.frameCount == old.0)
      #expect(scene.state.playback.scene.emitters[0].clock.course.frameCount == new.0)
      let commands = scene.takeCommands()
      #expect(commands.contains("silence 0") && commands.contains("start 1"))
      #expect(abs(scene.state.playback.scene.emitters[0].clock.step - Double(new.1) / 48_000) < 1e-9)
      #expect(scene.state.playback.scene.emitters.end(of: 0) == .max && scene.state.playback.isHeard(0))
      let entry = scene.state.playback.scene.sounds[scene.state.playback.scene.emitters[0].sound]
      #expect(entry.users == 1 && entry.loaded?.frameCount == new.0 && entry.loaded?.sampleRate == new.1)
    }
  }

  @Test func `A loop that does not play goes over with its next play, and one that is paused stands`() throws {
    let scene = try Self.superseded((20_000, 48_000), by: (30_000, 48_000), nil, after: 512)
    var idle = scene
    idle.state.stop(0, .none)
    #expect(!idle.state.playback.scene.sounds.hasSuccessors)
    idle.state.play(0)
    #expect(idle.state.playback.scene.emitters[0].clock.course.frameCount == 30_000 && idle.state.playback.isHeard(0))
    var paused = scene
    paused.state.pause(0, .none)
    paused.tick(after: 48_000)
    #expect(
      paused.state.playback.scene.sounds.hasSuccessors
        && paused.state.playback.scene.emitters[0].clock.course.frameCount == 20_000
    )
    paused.state.play(0)
    paused.tick(after: 20_000)
    #expect(
      !paused.state.playback.scene.sounds.hasSuccessors
        && paused.state.playback.scene.emitters[0].clock.course.frameCount == 30_000
    )
    // Without a voice, no other one begins.
    var virtual = scene
    virtual.state.playback.scene.emitters[stored: 0].gain = 0
    virtual.state.playback.demote(0, isStolen: false)
    _ = virtual.takeCommands()
    virtual.tick(after: 20_480)
    #expect(
      !virtual.state.playback.scene.sounds.hasSuccessors && !virtual.takeCommands().contains { $0.hasPrefix("start") }
    )
    #expect(virtual.state.playback.scene.emitters[0].clock.place(at: virtual.state.playback.now) == 992)
  }

  @Test func `The events that are taken are those since the last call, with the laps until now`() throws {
    let tone = Sound(Self.samples(10_000, rate: 48_000))
    var scene = try CommandState([tone, tone], mixesByFrames: true)
    for slot in [0, 1] as [EmitterSlot] {
      scene.state.playback.scene.emitters[stored: slot].clock.setRepeats(.forever, at: 0)
      scene.state.play(slot)
    }
    var events: [EmitterNotification] = []
    let first = Emitter.ID(scene.state.playback.scene.emitters.id(of: 0))
    events.append(EmitterNotification(emitter: first, event: .becameVirtual))
    scene.advance(by: 25_000)
    // The first call begins the collection; the laps before it are nobody's.
    scene.state.playback.takeEvents(into: &events)
    #expect(events.isEmpty && scene.state.playback.outbox.events.collected?.isEmpty == true)
    scene.advance(by: 20_000)
    scene.state.playback.takeEvents(into: &events)
    #expect(events.map(\.event) == [.looped(2), .looped(2)] && events.map(\.emitter.key.slot) == [0, 1])
    scene.state.stop(0, .none)
    scene.advance(by: 5_000)
    scene.state.playback.takeEvents(into: &events)
    #expect(events.map(\.event) == [.ended(.stopped), .looped(1)] && events.map(\.emitter.key.slot) == [0, 1])
    scene.state.playback.takeEvents(into: &events)
    #expect(events.isEmpty)
  }

  @Test func `A sound keeps its form on a bus of another kind while it plays`() throws {
    for plays in [false, true] {
      var scene = try CommandState([Sound(Self.samples(20_000, rate: 48_000))], mixesByFrames: true)
      let bus = scene.state.playback.scene.mixer.makeBus("music", in: 0, isDirect: true)
      if plays { scene.state.play(0) }
      scene.state.playback.setBus(bus, of: 0)
      #expect(scene.state.playback.outbox.jobs.map(\.key.isPlaced) == (plays ? [] : [false]))
      #expect(scene.state.playback.scene.sounds[scene.state.playback.scene.emitters[0].sound].isPlaced == plays)
    }
  }
}
