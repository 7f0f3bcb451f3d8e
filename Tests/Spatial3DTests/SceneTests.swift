import TestSupport
import Testing

@testable import Spatial3D

@Suite struct SceneTests {
  private let thread: UInt = 1

  /// Sets a gain, and returns whether it is to be handed over now.
  private func setGain(_ gain: Float, at slot: Int, of scene: inout Scene, on thread: UInt = 1) -> Bool {
    scene.change(.gain, at: slot, on: thread) { values in
      guard values.gain != gain else { return false }
      values.gain = gain
      return true
    }
  }

  /// All that a batch hands over, by source.
  private func taken(_ batch: Scene.Batch?, of scene: inout Scene) -> [UInt32: SourceProperties] {
    var all: [UInt32: SourceProperties] = [:]
    for slot in batch?.slots ?? [] {
      guard let change = scene.takeChanges(at: slot) else { continue }
      #expect(all[change.id] == nil, "source \(change.id) was handed over twice")
      #expect(change.values == scene.read(at: slot, \.self))
      all[change.id] = change.properties
    }
    return all
  }

  @Test func `Setting the value that a property has changes nothing`() {
    var scene = Scene()
    let slot = scene.addSource(id: 7)
    #expect(!setGain(1, at: slot, of: &scene))
    #expect(setGain(0.5, at: slot, of: &scene))
    #expect(!setGain(0.5, at: slot, of: &scene))
    scene.beginDeferring(on: thread)
    #expect(!setGain(0.5, at: slot, of: &scene))
    #expect(taken(scene.endDeferring(on: thread), of: &scene).isEmpty)
  }

  @Test func `A listener hands over only the parts that differ`() {
    var scene = Scene()
    #expect(scene.setListener(Listener(), on: thread).changes == [])
    #expect(scene.setListener(Listener(position: [1, 0, 0]), on: thread).changes == .position)
    scene.beginDeferring(on: thread)
    #expect(scene.setListener(Listener(position: [1, 0, 0], gain: 0.5), on: thread).changes == [])
    #expect(scene.setListener(Listener(position: [2, 0, 0], gain: 0.5), on: thread).changes == [])
    #expect(scene.endDeferring(on: thread)?.listenerChanges == [.position, .gain])
    #expect(scene.endDeferring(on: thread) == nil)
  }

  @Test func `Only the thread that defers waits, and only for itself`() {
    var scene = Scene()
    let (here, there) = (scene.addSource(id: 1), scene.addSource(id: 2))
    scene.beginDeferring(on: 1)
    scene.beginDeferring(on: 2)
    scene.beginDeferring(on: 1)
    #expect(!setGain(0.5, at: here, of: &scene, on: 1))
    #expect(!setGain(0.5, at: there, of: &scene, on: 2))
    #expect(setGain(0.25, at: here, of: &scene, on: 3))
    #expect(scene.endDeferring(on: 1) == nil)
    #expect(taken(scene.endDeferring(on: 1), of: &scene) == [1: .gain])
    #expect(taken(scene.endDeferring(on: 2), of: &scene) == [2: .gain])
  }

  @Test func `A value that another thread deferred is handed over by whoever sets it again`() {
    var scene = Scene()
    let slot = scene.addSource(id: 1)
    scene.beginDeferring(on: 1)
    #expect(!setGain(0.5, at: slot, of: &scene, on: 1))
    #expect(setGain(0.5, at: slot, of: &scene, on: 2))
  }

  @Test func `Whatever is set, removed and reused in any order, each change is handed over once and none is lost`() {
    var generator = SplitMix64(seed: 2)
    for _ in 0..<500 {
      var scene = Scene()
      var nextID: UInt32 = 1
      var depth = 0
      // A plain model: what each living source holds, and what of it was not handed over.
      var living: [(id: UInt32, slot: Int, values: SourceValues, changes: SourceProperties)] = []
      for _ in 0..<80 {
        let pick = living.isEmpty ? 0 : Int.random(in: 0..<living.count, using: &generator)
        switch Int.random(in: 0..<12, using: &generator) {
        case 0, 1:
          living.append((nextID, scene.addSource(id: nextID), SourceValues(), []))
          nextID += 1
        case 2 where !living.isEmpty:
          scene.removeSource(at: living[pick].slot)
          living.remove(at: pick)
        case 3:
          scene.beginDeferring(on: thread)
          depth += 1
        case 4 where depth > 0:
          depth -= 1
          let batch = scene.endDeferring(on: thread)
          #expect((batch == nil) == (depth > 0))
          guard let batch else { continue }
          #expect(batch.slots.count <= 80, "a source is listed once, or once more for each that had its place")
          let expected = living.filter { !$0.changes.isEmpty }.map { ($0.id, $0.changes) }
          #expect(taken(batch, of: &scene) == Dictionary(uniqueKeysWithValues: expected))
          scene.recycle(batch)
          for index in living.indices { living[index].changes = [] }
        case 5 where !living.isEmpty:
          #expect((scene.takeChanges(at: living[pick].slot)?.properties ?? []) == living[pick].changes)
          living[pick].changes = []
        default:
          guard !living.isEmpty else { continue }
          let gain = Float(Int.random(in: 0...2, using: &generator))
          let differs = living[pick].values.gain != gain
          #expect(setGain(gain, at: living[pick].slot, of: &scene) == (differs && depth == 0))
          living[pick].values.gain = gain
          if differs, depth > 0 { living[pick].changes.insert(.gain) }
        }
        for source in living { #expect(scene.read(at: source.slot, \.self) == source.values) }
        #expect(scene.sourceCount == living.count)
      }
    }
  }

  @Test func `A source that changes for ever is listed once in each batch`() {
    var scene = Scene()
    let slot = scene.addSource(id: 1)
    for frame in 0..<100 {
      for step in 0..<50 { #expect(setGain(Float(step + 100 * frame), at: slot, of: &scene)) }
      scene.beginDeferring(on: thread)
      for step in 0..<50 { #expect(!setGain(Float(step) / 100, at: slot, of: &scene)) }
      let batch = scene.endDeferring(on: thread)
      #expect(batch?.slots == [slot])
      #expect(taken(batch, of: &scene) == [1: .gain])
    }
  }
}
