import Foundation
import GameAudio
import Spatial3DTesting
import TestSupport
import Testing

/// Worlds whose ticks run on threads of their own.
@Suite struct LiveWorldTests {
  private static let mono = PCMFormat.mono(sampleRate: 48_000)
  private static let short = Sound(TestSignal.noise(duration: .milliseconds(80), format: mono))

  private func contexts() throws -> [AudioContext] {
    [try AudioContext(device: .silent), try AudioContext(device: .processed), try AudioContext()]
  }

  @Test(.hangLimit) func `A one-shot ends, and its events arrive in a loop`() async throws {
    for context in try contexts() {
      let world = AudioWorld(in: context)
      let emitter = Emitter(playing: Self.short, in: world)
      let events = emitter.events()
      emitter.play()
      var all: [EmitterEvent] = []
      for await event in events {
        all.append(event)
        if case .ended = event { break }
      }
      #expect(all == [.becameReal, .ended(.played)])
    }
  }

  @Test(.hangLimit) func `A file is loaded on another thread, and the emitter begins then`() async throws {
    // A stream that takes longer to open than to play ends without a voice.
    let path = try TemporarySound(TestSignal.noise(duration: .milliseconds(500), format: Self.mono))
    for isStreamed in [false, true] {
      for context in try contexts() {
        let world = AudioWorld(in: context)
        let emitter = Emitter(playing: Sound(path.path, streamed: isStreamed), in: world)
        let ends = Collected<EmitterEvent>()
        let token = emitter.observe { ends.append($0) }
        emitter.play()
        try await eventually("the sound has ended") { ends.all.last == .ended(.played) }
        #expect(ends.all == [.becameReal, .ended(.played)])
        withExtendedLifetime(token) {}
      }
    }
  }

  @Test(.hangLimit) func `A loop that plays a missing file and waits runs once a tick of the output at most`()
    async throws
  {
    for context in try contexts() {
      let emitter = Emitter(playing: Sound("/nowhere/missing.wav"), in: AudioWorld(in: context))
      let first = context.mixedFrames
      let count = 20
      for _ in 0..<count {
        emitter.play()
        let reason = await emitter.waitUntilEnded()
        // A tick between the call and the wait has delivered the end: the wait returns nil.
        #expect(reason != .played && reason != .stopped)
      }
      // A tick lies at each multiple of 512 frames.
      #expect(context.mixedFrames - first > (count - 2) * 512)
    }
  }

  @Test(.hangLimit) func `A start at a moment keeps it while the sound is loaded`() async throws {
    let path = try TemporarySound(TestSignal.noise(duration: .milliseconds(50), format: Self.mono))
    for context in try contexts() {
      let emitter = Emitter(playing: Sound(path.path), in: AudioWorld(in: context))
      let ends = Collected<Duration>()
      let token = emitter.observe { [weak context] event in
        if case .ended = event { ends.append(context?.clock ?? .zero) }
      }
      let moment = context.clock + .milliseconds(300)
      emitter.play(at: moment)
      try await eventually("the sound has ended") { !ends.all.isEmpty }
      #expect(ends.all[0] >= moment + .milliseconds(50))
      withExtendedLifetime(token) {}
    }
  }

  @Test(.hangLimit) func `Threads may play, move and release emitters at once`() async throws {
    for context in try contexts() {
      let world = AudioWorld(in: context, voiceLimit: 4)
      let ends = Collected<EmitterEvent>()
      await withTaskGroup { group in
        for seed in 0..<4 {
          group.addTask {
            var random = SplitMix64(seed: UInt64(seed))
            var emitters: [(Emitter, NotificationToken)] = []
            for round in 0..<40 {
              let emitter = Emitter(playing: Self.short, in: world)
              emitter.position = [.random(in: -30...30, using: &random), 0, 0]
              emitter.repeats = .times(Int.random(in: 0...2, using: &random))
              emitters.append((emitter, emitter.observe { ends.append($0) }))
              emitter.play()
              world.update { world.listener.position.x += 0.01 }
              if emitters.count > 8 { emitters.remove(at: Int.random(in: 0..<8, using: &random)).0.stop() }
              if Bool.random(using: &random) { emitters.randomElement(using: &random)?.0.pause() }
              if round.isMultiple(of: 10) { _ = (world.voiceStatistics(), world.explain(emitter).description) }
              if Int.random(in: 0..<10, using: &random) == 0 { try? await Task.sleep(for: .milliseconds(2)) }
            }
          }
        }
      }
      try await eventually("all slots are free") { world.inspector.usedSlotCount == 0 }
      try await eventually("all voices are free") { !world.inspector.needsTicks }
    }
  }

  @Test(.hangLimit) func `The release of a world releases its context`() async throws {
    for device in [try AudioDevice.silent, try AudioDevice.processed] {
      weak var context: AudioContext?
      do {
        let live = try AudioContext(device: device)
        context = live
        let world = AudioWorld(in: live)
        world.playOnce(Self.short, at: [1, 0, 0])
      }
      try await eventually("the context is gone") { context == nil }
    }
  }

  @Test(arguments: [DevicePolicy.pauseOnOutputLoss, .stay, .follow])
  func `Voices that the device has paused go on with its policy for losses alone, and only on an output`(
    policy: DevicePolicy
  )
    throws
  {
    let offline = try OfflineRenderer(format: Self.mono)
    for (context, hasOutput) in zip(try contexts() + [offline.context], [false, true, true, false]) {
      context.device.policy = policy
      let world = AudioWorld(in: context)
      world.inspector.tick()
      #expect(world.inspector.revivesVoices == (hasOutput && policy == .pauseOnOutputLoss))
    }
  }
}

/// A sound file that is removed at the end.
final class TemporarySound: Sendable {
  let path: String

  init(_ sound: PCMBuffer<Float>) throws {
    let folder = FileManager.default.temporaryDirectory
    path = folder.appending(path: "\(UUID().uuidString).wav").path(percentEncoded: false)
    var writer = try AudioFileWriter(creating: path, format: sound.format)
    try writer.write(sound)
    try writer.close()
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
