import AudioSupport
import Foundation
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio
@testable import Spatial3D

/// Releases in a forked child, which lacks the threads that may hold a lock.
@Suite(.hangLimit) struct ForkedChildTests {
  private static let noise = Sound(
    TestSignal.noise(duration: .seconds(1), format: .mono(sampleRate: 48_000))
  )

  /// Runs a closure in a forked child, and returns the child's wait status: 0 if the closure returns `true` in time.
  private static func status(ofChild body: () -> Bool) -> Int32 {
    // Swift hides `fork`, because the child of a process with threads may do next to nothing.
    guard let symbol = unsafe dlsym(nil, "fork") else { return -1 }
    // The symbol is the C function of that name and type.
    let fork = unsafe unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
    let child = fork()
    if child == 0 {
      // The signal ends a child that waits for a lock.
      alarm(10)
      _exit(body() ? 0 : 1)
    }
    var status: Int32 = -1
    _ = unsafe waitpid(child, &status, 0)
    return status
  }

  @Test func `The objects of a world take no lock of the world at their release`() async {
    await #expect(processExitsWith: .success) {
      try await recordingErrors {
        let offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
        let world = AudioWorld(in: offline.context)
        let emitter = Emitter(playing: ForkedChildTests.noise, in: world)
        emitter.play()
        var objects: [String: AnyObject] = [
          "an emitter": Emitter(playing: ForkedChildTests.noise, in: world),
          "a player": try SoundPlayer(playing: ForkedChildTests.noise, in: world),
          "a clock": BeatClock(120, in: world),
          "a bank": SoundBank(in: world),
          "a link": world.follow(AudioSession()),
          "a recording": world.record(),
        ]
        for name in objects.keys.sorted() {
          let status = world.inspector.whileLocked {
            ForkedChildTests.status {
              weak let object = objects[name]
              objects[name] = nil
              return object == nil
            }
          }
          #expect(status == 0, "\(name)")
        }
        withExtendedLifetime((emitter, objects)) {}
      }
    }
  }

  @Test func `A world takes no lock of its context at its release`() async {
    await #expect(processExitsWith: .success) {
      try await recordingErrors {
        let offline = try OfflineRenderer(format: .mono(sampleRate: 48_000))
        let context = offline.context
        var world: AudioWorld? = AudioWorld(in: context)
        let status = context.state.withLock { _ in
          ForkedChildTests.status {
            weak let object = world
            world = nil
            return object == nil
          }
        }
        #expect(status == 0)
        withExtendedLifetime(world) {}
      }
    }
  }
}
