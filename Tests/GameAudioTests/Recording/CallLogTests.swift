import AudioSupport
import Foundation
import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The snapshots of a recording: their memory, and values of the game that are released with their copies.
@Suite struct CallLogTests {
  /// A value of the game that calls a closure at its release.
  private final class Value: Sendable {
    let onRelease: @Sendable () -> Void
    init(_ onRelease: @escaping @Sendable () -> Void) { self.onRelease = onRelease }
    deinit { onRelease() }
  }

  /// A copy of a state that has the last reference to a value.
  private struct Copy: SnapshotSource {
    let state: WorldCopy
    let value: Value

    func read(into lines: inout [EmitterLine], _ names: inout SnapshotNames) -> SnapshotRest {
      state.read(into: &lines, &names)
    }
  }

  private static let noise = Sound(TestSignal.noise(duration: .seconds(1), format: .mono(sampleRate: 48_000)))

  @Test(.hangLimit) func `A value that is released with a copy may read the snapshots`() async throws {
    let offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context, voiceLimit: 1)
    let log = CallLog(interval: 1, sampleRate: 48_000, lastEffect: .max)
    let counts = Collected<Int>()
    for _ in 0..<3 {
      log.add(Copy(state: WorldCopy(world.inspector.state), value: Value { counts.append(log.snapshots.count) }))
    }
    Thread.detachNewThread { log.build {} }
    try await eventually("all copies are released") { counts.all.count == 3 }
    #expect(counts.all == [1, 2, 3] && log.snapshots.count == 3)
  }

  @Test func `A recording that has ended keeps no memory for further snapshots`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let world = AudioWorld(in: offline.context, voiceLimit: 1)
    let emitters = (0..<50).map { _ in Emitter(playing: Self.noise, in: world) }
    for emitter in emitters { (emitter.radius, _) = (2, emitter.play()) }
    let recording = world.record(snapshotsEach: .zero)
    offline.render(.milliseconds(100))
    #expect(recording.log.spareByteCount > 100 * 128)
    recording.stop()
    let last = world.snapshot()
    #expect(recording.log.spareByteCount == 0)
    #expect(recording.snapshots.last == last)
    // The tick of another thread may end behind the recording.
    for emitter in emitters { emitter.radius = 3 }
    recording.log.add(WorldCopy(world.inspector.state))
    recording.log.build {}
    #expect(recording.snapshots.last == world.snapshot() && recording.snapshots.dropLast().last == last)
    #expect(recording.log.spareByteCount == 0)
  }

  @Test func `A recording that stops behind the end of its world keeps no memory for further snapshots`() throws {
    var offline = try OfflineRenderer(format: .stereo(sampleRate: 48_000))
    let recording: WorldRecording
    weak var released: AudioWorld?
    do {
      let world = AudioWorld(in: offline.context, voiceLimit: 1)
      released = world
      let emitter = Emitter(playing: Self.noise, in: world)
      recording = world.record(snapshotsEach: .zero)
      emitter.play()
      offline.render(.milliseconds(100))
      // The copy of a tick that no thread has built before the end of the world.
      recording.log.add(WorldCopy(world.inspector.state))
    }
    #expect(released == nil)
    let (count, duration) = (recording.snapshots.count, recording.duration)
    #expect(recording.log.spareByteCount > 0 && count > 4)
    for _ in 0..<2 {
      recording.stop()
      #expect(recording.log.spareByteCount == 0)
      #expect(recording.snapshots.count == count + 1 && recording.duration == duration)
    }
  }
}
