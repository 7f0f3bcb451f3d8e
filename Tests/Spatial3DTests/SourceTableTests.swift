import AudioSupport
import TestSupport
import Testing

@testable import Spatial3D

@Suite struct SourceTableTests {
  @Test func `A source that reuses a slot has default values`() {
    var table = SourceTable()
    let first = table.add(SceneSource(id: 1))
    table[first].scene.values.gain = 0.5
    table[first].start.seek(to: 100, isHeld: false)
    table[first].deferred.add(.play, now: DeferredPlayback(state: .initial, frame: 0))
    table[first].library.beginRecording(QueuedSound(), isStream: false)
    table.remove(first)
    let second = table.add(SceneSource(id: 2))
    #expect(second.slot == first.slot)
    #expect(second != first)
    #expect([first, second].map { table.contains($0) } == [false, true])
    #expect(table[second].scene.values == SourceValues())
    #expect(table[second].start.nextFrame == nil)
    #expect(table[second].deferred.playback == nil)
    #expect(table[second].library.recorded == nil)
    #expect(table[second].id == 2)
  }

  @Test func `The key of a released source does not observe the next source in its slot`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    var first: SoundSource? = try SoundSource(in: offline.context)
    let released = try #require(first?.key)
    first = nil
    let second = try SoundSource(in: offline.context)
    let token = second.observe(.all) { _ in }
    #expect(second.key.slot == released.slot)
    let isObserved = offline.context.state.withLock { state in
      [released, second.key].map { state.records.isObserved($0) }
    }
    #expect(isObserved == [false, true])
    token.cancel()
  }

  @Test func `A table lists the living sources, whatever the order in which others end`() {
    var generator = SplitMix64(seed: 21)
    var table = SourceTable()
    var living: [(key: SourceKey, id: UInt32)] = []
    var ended: [SourceKey] = []
    for id in 0..<5_000 {
      if Bool.random(using: &generator), let index = living.indices.randomElement(using: &generator) {
        let key = living.remove(at: index).key
        table.remove(key)
        ended.append(key)
      } else {
        living.append((table.add(SceneSource(id: UInt32(id))), UInt32(id)))
      }
      #expect(table.count == living.count)
      guard id % 100 == 0 else { continue }
      let sorted = living.sorted { $0.key.slot < $1.key.slot }
      #expect(table.keys == sorted.map(\.key))
      #expect(table.keys { $0.id % 2 == 0 } == sorted.filter { $0.id % 2 == 0 }.map(\.key))
      #expect(living.allSatisfy { table.contains($0.key) && table[$0.key].id == $0.id })
      #expect(!ended.contains { table.contains($0) })
    }
  }

  @Test func `A queue of deferred calls runs each source once, without the sources that were released`() throws {
    let offline = try OfflineRenderer(format: Scenes.mono)
    let sources = try (0..<4).map { _ in try SoundSource(in: offline.context) }
    offline.context.state.withLock { state in
      func ids(_ runs: [DeferredCallQueue.Run]) -> [UInt32?] { runs.map { $0.reference.object?.id } }
      func deferPlay(_ source: SoundSource) {
        let now = DeferredPlayback(state: .initial, frame: 0)
        state.deferred.add(.play, of: (source.key, Weak(source)), now: now, to: &state.records)
      }
      for source in [sources[2], sources[0], sources[1], sources[0]] { deferPlay(source) }
      #expect(ids(state.deferred.run(in: &state.records)) == [sources[0], sources[1], sources[2]].map(\.id))
      // A source may be in both lists: its calls run, and more are deferred.
      for source in [sources[0], sources[3], sources[1]] { deferPlay(source) }
      state.deferred.remove(sources[1].key)
      state.deferred.pauseForDevice(in: &state.records)
      #expect(state.deferred.takePauses(in: &state.records).map(ids) == [sources[0], sources[2]].map(\.id))
      #expect(state.deferred.takePauses(in: &state.records) == nil)
      state.deferred.endRun(in: &state.records)
      #expect(ids(state.deferred.run(in: &state.records)) == [sources[0], sources[3]].map(\.id))
      state.deferred.endRun(in: &state.records)
      #expect(state.deferred.run(in: &state.records).isEmpty)
      state.deferred.endRun(in: &state.records)
    }
  }
}
