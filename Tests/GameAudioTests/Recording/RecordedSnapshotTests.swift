import Spatial3DTesting
import TestSupport
import Testing

@testable import GameAudio

/// The snapshots of a recording beside the snapshots that the game takes.
@Suite struct RecordedSnapshotTests {
  @Test(arguments: 0..<4) func `A recorded snapshot is equal to a snapshot that the game takes behind the tick`(
    batch: UInt64
  ) throws {
    var count = 0
    for seed in batch * 12..<batch * 12 + 12 {
      var scene = try RandomScene(seed: 1_300 + seed)
      try scene.prepare()
      let recording = scene.world.record(snapshotsEach: .zero)
      let taken = Collected<WorldSnapshot>()
      for _ in 0..<40 {
        let pieceLength = try scene.call()
        // The ticks of the world may have begun in a call: this tick comes behind them.
        let token = scene.world.context.onTick(every: MixTime.tick) { [weak world = scene.world] _ in
          if let world { taken.append(world.snapshot()) }
        }
        scene.offline.render(frameCount: pieceLength)
        withExtendedLifetime(token) {}
      }
      recording.stop()
      let recorded = Dictionary(recording.snapshots.dropFirst().map { ($0.time, $0) }) { $1 }
      for snapshot in taken.all {
        guard let other = recorded[snapshot.time] else { continue }
        count += 1
        #expect(other == snapshot, "seed \(seed), \(snapshot.time) s: \(snapshot.difference(from: other))")
      }
    }
    #expect(count > 500, "\(count)")
  }

  @Test func `A recording that ends in a handler of a tick has no snapshot behind its end`() throws {
    var offline = try OfflineRenderer(format: RandomScene.format)
    let world = AudioWorld(in: offline.context)
    let (first, second) = (
      Emitter(playing: .tone(.milliseconds(100)), in: world), Emitter(playing: .tone(.seconds(1)), in: world)
    )
    let recording = world.record(snapshotsEach: .zero)
    let ends = Collected<WorldSnapshot>()
    let token = first.observe { [weak world, weak second] event in
      guard case .ended = event, let world else { return }
      recording.stop()
      ends.append(world.snapshot())
      second?.play()
    }
    first.play()
    offline.render(.milliseconds(300))
    #expect(ends.all.count == 1 && second.isPlaying)
    #expect(recording.snapshots.last == ends.all.last && recording.snapshots.count > 5)
    withExtendedLifetime(token) {}
  }

  @Test func `The snapshot of a tick has the calls of the handlers of its events`() throws {
    var offline = try OfflineRenderer(format: RandomScene.format)
    let world = AudioWorld(in: offline.context)
    let (first, second) = (
      Emitter(playing: .tone(.milliseconds(100)), in: world), Emitter(playing: .tone(.seconds(1)), in: world)
    )
    let recording = world.record(snapshotsEach: .zero)
    let token = first.observe { [weak second] event in if case .ended = event { second?.play() } }
    first.play()
    offline.render(.milliseconds(300))
    recording.stop()
    #expect(recording.snapshots.allSatisfy { $0.emitters.contains { $0.state == .playing } || $0 == recording.start })
    withExtendedLifetime(token) {}
  }
}
