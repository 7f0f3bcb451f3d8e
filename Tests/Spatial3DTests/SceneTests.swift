import Testing

@testable import Spatial3D

@Suite struct SceneTests {
  private func setGain(_ gain: Float, at slot: Int, of scene: inout Scene) -> Bool {
    scene.change(.gain, at: slot) { values in
      guard values.gain != gain else { return false }
      values.gain = gain
      return true
    }
  }

  /// All that a scene hands over, by source.
  private func taken(_ scene: inout Scene) -> [UInt32: SourceProperties] {
    var all: [UInt32: SourceProperties] = [:]
    scene.takeSourceChanges { id, _, changes in
      #expect(all[id] == nil, "source \(id) was handed over twice")
      all[id] = changes
    }
    return all
  }

  @Test func `Setting the value that a property has changes nothing`() {
    var scene = Scene()
    let slot = scene.addSource(id: 7)
    #expect(!setGain(1, at: slot, of: &scene))
    #expect(setGain(0.5, at: slot, of: &scene))
    #expect(!setGain(0.5, at: slot, of: &scene))
    #expect(taken(&scene) == [7: .gain])
    #expect(!setGain(0.5, at: slot, of: &scene))
    #expect(taken(&scene).isEmpty)
  }

  @Test func `A listener hands over only the parts that differ`() {
    var scene = Scene()
    #expect(scene.setListener(Listener()).didChange == false)
    #expect(scene.takeListenerChanges() == nil)
    #expect(scene.setListener(Listener(position: [1, 0, 0])).didChange)
    #expect(scene.setListener(Listener(position: [1, 0, 0], gain: 0.5)).didChange)
    #expect(scene.takeListenerChanges() == [.position, .gain])
    #expect(scene.takeListenerChanges() == nil)
  }

  @Test func `Whatever is set, removed and reused in any order, each change is handed over once and none is lost`() {
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<500 {
      var scene = Scene()
      var nextID: UInt32 = 1
      // A plain model: what each living source holds, and what of it was not handed over.
      var living: [(id: UInt32, slot: Int, values: SourceValues, changes: SourceProperties)] = []
      for _ in 0..<60 {
        let pick = living.isEmpty ? 0 : Int.random(in: 0..<living.count, using: &generator)
        switch Int.random(in: 0..<10, using: &generator) {
        case 0, 1:
          living.append((nextID, scene.addSource(id: nextID), SourceValues(), []))
          nextID += 1
        case 2 where !living.isEmpty:
          scene.removeSource(at: living[pick].slot)
          living.remove(at: pick)
        case 3:
          let expected = living.filter { !$0.changes.isEmpty }.map { ($0.id, $0.changes) }
          #expect(taken(&scene) == Dictionary(uniqueKeysWithValues: expected))
          for index in living.indices { living[index].changes = [] }
        case 4 where !living.isEmpty:
          var changes: SourceProperties = []
          scene.takeSourceChanges(at: living[pick].slot) { _, _, taken in changes = taken }
          #expect(changes == living[pick].changes)
          living[pick].changes = []
        default:
          guard !living.isEmpty else { continue }
          let gain = Float(Int.random(in: 0...2, using: &generator))
          let differs = living[pick].values.gain != gain
          #expect(setGain(gain, at: living[pick].slot, of: &scene) == differs)
          living[pick].values.gain = gain
          if differs { living[pick].changes.insert(.gain) }
        }
        for source in living { #expect(scene.values(at: source.slot) == source.values) }
        #expect(scene.sourceCount == living.count)
      }
    }
  }
}
