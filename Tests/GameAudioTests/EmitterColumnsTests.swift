import Spatial3D
import Testing

@testable import GameAudio

/// The columns of the values that each choice reads, against the same for one emitter.
@Suite struct EmitterColumnsTests {
  private typealias Vector = SIMD3<Float>

  @Test func `The bound of each emitter is its weight by its own law, its reach and its bus`() {
    var random = RandomSequence(seed: 61)
    for count in [1, 2, 3, 15, 16, 17, 100] {
      var columns = EmitterColumns()
      var (laws, places, reaches, weights, buses) = (
        [DistanceAttenuation?](), [Vector](), [Float](), [Float](), [Int]()
      )
      for slot in 0..<count {
        columns.append()
        let place = Vector.random(in: -60...60, using: &random)
        let law = DistanceAttenuation(
          referenceDistance: Bool.random(using: &random) ? 0 : .random(in: 0.1...5, using: &random),
          maximumDistance: .random(in: 4...80, using: &random),
          rolloffFactor: .random(in: 0...3, using: &random)
        )
        let isInverse = Bool.random(using: &random)
        let reach = Bool.random(using: &random) ? Float.infinity : .random(in: 5...90, using: &random)
        let (weight, bus) = (Float.random(in: 0...2, using: &random), Int.random(in: 0...3, using: &random))
        columns.setPosition(place, of: EmitterSlot(slot))
        columns.setLaw(law, isInverseClamped: isInverse, silentBeyond: reach, of: EmitterSlot(slot))
        columns.setWeight(weight, of: EmitterSlot(slot))
        columns.setBus(BusIndex(bus), of: EmitterSlot(slot))
        #expect(columns.position(of: EmitterSlot(slot)) == place)
        laws.append(isInverse && law.maximumDistance >= law.referenceDistance ? law : nil)
        places.append(place)
        reaches.append(reach)
        weights.append(weight)
        buses.append(bus)
      }
      let (listener, factors) = (Vector.random(in: -60...60, using: &random), [1, 0.25, 0, 0.5] as [Float])
      var bounds = [Float](repeating: 99, count: Int.random(in: 0...count, using: &random))
      columns.computeBounds(listener: listener, buses: factors, into: &bounds)
      #expect(bounds.count == count)
      for slot in 0..<count {
        let distance = (places[slot] - listener).length
        // A law does not fall without a reference distance, or if it is not an inverse law.
        let gain =
          laws[slot].map { $0.referenceDistance > 0 ? $0.gain(at: distance, model: .inverseClamped).rawValue : 1 } ?? 1
        let expected = distance > reaches[slot] ? 0 : weights[slot] * gain * factors[buses[slot]]
        #expect(abs(bounds[slot] - expected) < 1e-5, "\(slot) of \(count)")
      }
    }
  }

  @Test func `A move stores each finite place in its range, and returns the first of each fault`() {
    var columns = EmitterColumns()
    for _ in 0..<6 { columns.append() }
    let places: [SIMD3<Float>] = [
      [1, 2, 3], [4, 5, 6], [.nan, 0, 0], [7, 8, 9], [0, .infinity, 0], [10, 11, 12],
    ]
    let faults = columns.move(6) { index in (index == 1 ? nil : EmitterSlot(5 - index), places[index]) }
    #expect(faults.unusable == 2 && faults.outside == nil)
    let stored = (0..<6).map { columns.position(of: EmitterSlot($0)) }
    #expect(stored == [[10, 11, 12], .zero, [7, 8, 9], .zero, .zero, [1, 2, 3]])
    #expect(columns.move(1) { _ in (0, [1, 1, 1]) } == MoveFaults() && columns.position(of: 0) == [1, 1, 1])
    // The first one is reported, also at the index 0.
    let others = columns.move(3) { index in (EmitterSlot(index), [index == 1 ? -2e9 : .nan, 0, 0]) }
    #expect(others.unusable == 0 && others.outside == 1 && columns.position(of: 1) == [-1e9, 0, 0])
  }

  @Test func `Positions stay as their runs grow, and a copy keeps its own`() {
    var random = RandomSequence(seed: 63)
    var columns = EmitterColumns()
    var places: [Vector] = []
    var copies: [(columns: EmitterColumns, places: [Vector])] = []
    for slot in 0..<400 {
      columns.append()
      #expect(columns.position(of: EmitterSlot(slot)) == .zero)
      places.append(.random(in: -60...60, using: &random))
      columns.setPosition(places[slot], of: EmitterSlot(slot))
      if slot.isMultiple(of: 50) { copies.append((columns, places)) }
      let other = Int.random(in: 0...slot, using: &random)
      places[other] = .random(in: -60...60, using: &random)
      columns.setPosition(places[other], of: EmitterSlot(other))
    }
    for (columns, places) in copies + [(columns, places)] {
      #expect(places.indices.map { columns.position(of: EmitterSlot($0)) } == places)
    }
  }

  @Test func `A move that reports changes reports no position that is as before`() {
    var columns = EmitterColumns()
    for _ in 0..<4 { columns.append() }
    let places: [Vector] = [[1, 0, 0], .zero, [.nan, 0, 0], [3e9, 0, 0]]
    for expected in [[0, 3], []] {
      var changed: [Int] = []
      let faults = columns.move(4) {
        (EmitterSlot($0), places[$0])
      } changed: { index, place in
        changed.append(index)
        #expect(place == (index == 3 ? [1e9, 0, 0] : places[index]))
      }
      #expect(changed == expected && faults.unusable == 2 && faults.outside == 3)
    }
    #expect((0..<4).map { columns.position(of: EmitterSlot($0)) } == [[1, 0, 0], .zero, .zero, [1e9, 0, 0]])
  }

  @Test func `The next end is the earliest one that lies ahead`() {
    var random = RandomSequence(seed: 62)
    var columns = EmitterColumns()
    #expect(columns.nextEnd(after: 0) == .max)
    for slot in 0..<40 {
      columns.append()
      columns.setEnd(
        Bool.random(using: &random) ? .max : Int.random(in: 0...500, using: &random),
        of: EmitterSlot(slot)
      )
      let frame = Int.random(in: 0...500, using: &random)
      #expect(columns.nextEnd(after: frame) == columns.end.filter { $0 > frame }.min() ?? .max)
    }
    #expect(columns.nextEnd(after: columns.end[3]) > columns.end[3] || columns.end[3] == .max)
  }

  @Test func `Ten thousand emitters need little more memory than their own`() {
    var columns = EmitterColumns()
    for _ in 0..<10_000 { columns.append() }
    var capacities = [columns.weight, columns.reference, columns.maximum, columns.rolloff, columns.reach]
      .map(\.capacity)
    capacities += [columns.positions.numbers.capacity / 3, columns.end.capacity, columns.bus.capacity]
    for capacity in capacities {
      #expect((10_000...10_800).contains(capacity), "\(capacity)")
    }
    var bounds: [Float] = []
    columns.computeBounds(listener: .zero, buses: [1], into: &bounds)
    #expect(bounds.count == 10_000 && bounds.capacity < 10_800)
  }
}
