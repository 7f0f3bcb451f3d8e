import AudioSupport
import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// Values that leave a lock or a thread.
///
/// The thread sanitizer reports in these tests what it sees no order for.
@Suite struct HandOverTests {
  @Test(.hangLimit) func `A world is described while its ticks change it`() async throws {
    let world = AudioWorld(in: try AudioContext(device: .silent))
    let sound = Sound(TestSignal.noise(duration: .milliseconds(100), format: .mono(sampleRate: 48_000)))
    let emitters = (0..<32).map { _ in Emitter(playing: sound, in: world) }
    for emitter in emitters { (emitter.repeats, emitter.position) = (.forever, [1, 0, 0]) }
    world.update { for emitter in emitters { emitter.play() } }
    for round in 0..<6 {
      let recording = world.record(snapshotsEach: .milliseconds(10))
      #expect(world.snapshot().emitters.count == 32)
      #expect(world.explain(emitters[round]).verdict != .silent(.notPlaying))
      world.context.suspend(.mute, for: .userPause)
      #expect(world.context.suspensions == [.userPause: .mute])
      world.context.resume(from: .userPause)
      let frame = world.context.physics.frame
      try await eventually("the mix goes on") { world.context.physics.frame > frame + 2 * WorldInspector.tick }
      recording.stop()
      #expect(recording.snapshots.allSatisfy { $0.emitters.count == 32 })
    }
  }

  @Test(.hangLimit) func `A recording is read while others begin and end`() async throws {
    let format = PCMFormat.mono(sampleRate: 48_000)
    let contexts = [try AudioContext(device: .silent), try OfflineRenderer(format: format).context]
    for context in contexts {
      let world = AudioWorld(in: context)
      let sound = Sound(TestSignal.noise(duration: .milliseconds(20), format: .mono(sampleRate: 48_000)))
      let recording = world.record(snapshotsEach: .milliseconds(10))
      await withTaskGroup(of: Void.self) { group in
        group.addTask {
          for _ in 0..<40 {
            world.playOnce(sound)
            let other = world.record(snapshotsEach: .milliseconds(10))
            world.update { world.listener.position.x += 1 }
            other.stop()
          }
        }
        group.addTask {
          for _ in 0..<40 {
            #expect(!recording.snapshots.isEmpty && recording.events.count <= recording.callCount + 80)
          }
        }
      }
      recording.stop()
      #expect(recording.events.count { $0.text.hasPrefix("play") } >= 40, "\(recording.events.prefix(3))")
    }
  }

  @Test(.hangLimit) func `A snapshot reads the tempo of a clock while it changes`() async throws {
    let world = AudioWorld(in: try AudioContext(device: .silent))
    let clock = BeatClock(120, in: world)
    clock.start()
    await withTaskGroup(of: Void.self) { group in
      group.addTask { for tempo in 60..<160 { clock.setTempo(Tempo(Double(tempo))) } }
      group.addTask {
        for _ in 0..<100 { #expect(world.snapshot().clocks.allSatisfy { (60..<160).contains($0.tempo) }) }
      }
    }
    #expect(world.snapshot().clocks.map(\.tempo) == [159])
  }

  @Test(.hangLimit) func `A bank takes the samples of its threads`() async throws {
    let world = AudioWorld(in: try AudioContext(device: .silent))
    let (bank, folder) = (SoundBank(in: world), try SoundFolder())
    let keys = (0..<8).map { SoundKey("\($0)") }
    let samples = TestSignal.noise(duration: .milliseconds(20), format: .mono(sampleRate: 48_000))
    for key in keys { bank.define(key, Sound(try folder.write("\(key.name).wav", samples))) }
    try await bank.loadAll()
    for key in keys { try await bank.reload(key) }
    #expect(keys.allSatisfy { bank.isLoaded($0) })
    withExtendedLifetime(folder) {}
  }

  @Test func `A value that a thread delivers before or after the wait is received once`() async {
    for round in 0..<50 {
      let value = await receive { (deliver: @escaping @Sendable ([Int]) -> Void) in
        if round.isMultiple(of: 2) { return deliver([round]) }
        #expect(startThread { deliver([round]) })
      }
      #expect(value == [round])
    }
  }
}
