internal import Spatial3D

/// The values of all emitters that every choice reads, one array for each; the positions have one array.
///
/// The loop over them has no call and no branch, so that the compiler turns it into vector instructions. Each array has
/// ``count`` elements, one for each slot.
struct EmitterColumns: Sendable {
  private(set) var count = 0
  /// The number of slots that every array has memory for.
  private var capacity = 0
  private(set) var positions = PositionColumns()
  /// The largest score of an emitter at its reference distance; 0 for an emitter that no choice considers.
  private(set) var weight: [Float] = []
  private(set) var reference: [Float] = []
  private(set) var maximum: [Float] = []
  private(set) var rolloff: [Float] = []
  /// The distance from which on the sound is silent.
  private(set) var reach: [Float] = []
  /// The frame of the mix at which the sound is over; `Int.max` for none.
  private(set) var end: [Int] = []
  private(set) var bus: [BusIndex] = []

  /// Appends a slot.
  ///
  /// The arrays grow by a sixteenth, not by their double: 10,000 emitters do not pay for 16,384. Chosen: by 64 slots at
  /// least, as a small world would move its arrays at nearly each new emitter.
  mutating func append() {
    if count == capacity { reserve(count + max(count / 16, 64)) }
    positions.append()
    weight.append(0)
    reference.append(1)
    maximum.append(.greatestFiniteMagnitude)
    rolloff.append(1)
    reach.append(.infinity)
    end.append(.max)
    bus.append(.main)
    count += 1
  }

  private mutating func reserve(_ capacity: Int) {
    self.capacity = capacity
    positions.reserve(capacity)
    weight.reserveCapacity(capacity)
    reference.reserveCapacity(capacity)
    maximum.reserveCapacity(capacity)
    rolloff.reserveCapacity(capacity)
    reach.reserveCapacity(capacity)
    end.reserveCapacity(capacity)
    bus.reserveCapacity(capacity)
  }

  func position(of slot: EmitterSlot) -> SIMD3<Float> { positions[slot.position] }

  @inline(__always)
  mutating func setPosition(_ position: SIMD3<Float>, of slot: EmitterSlot) { positions[slot.position] = position }

  /// Stores many positions; those that are not finite, and those without a slot, are left out.
  @inline(__always)
  mutating func move(_ count: Int, _ next: (Int) -> (slot: EmitterSlot?, position: SIMD3<Float>)) -> MoveFaults {
    positions.move(count, skipsUnchanged: false, next) { _, _ in }
  }

  /// Stores many positions like ``move(_:_:)``, and calls a closure with each position that has changed.
  @inline(__always)
  mutating func move(
    _ count: Int,
    _ next: (Int) -> (slot: EmitterSlot?, position: SIMD3<Float>),
    changed: (Int, SIMD3<Float>) -> Void
  ) -> MoveFaults {
    positions.move(count, skipsUnchanged: true, next, changed: changed)
  }

  mutating func setWeight(_ value: Float, of slot: EmitterSlot) { weight[slot.position] = value }

  mutating func setBus(_ index: BusIndex, of slot: EmitterSlot) { bus[slot.position] = index }

  mutating func setEnd(_ frame: Int, of slot: EmitterSlot) { end[slot.position] = frame }

  /// Stores the law of distance; the weight alone bounds what is not an inverse, clamped law.
  mutating func setLaw(_ law: DistanceAttenuation, isInverseClamped: Bool, silentBeyond: Float, of slot: EmitterSlot) {
    reach[slot.position] = silentBeyond
    guard isInverseClamped, law.maximumDistance >= law.referenceDistance else {
      (reference[slot.position], maximum[slot.position], rolloff[slot.position]) = (1, .greatestFiniteMagnitude, 0)
      return
    }
    reference[slot.position] = max(law.referenceDistance, .leastNormalMagnitude)
    maximum[slot.position] = max(law.maximumDistance, .leastNormalMagnitude)
    rolloff[slot.position] = law.referenceDistance > 0 ? law.rolloffFactor : 0
  }

  /// Computes the largest score that each emitter can have at a position of the listener, into an array that only
  /// grows.
  ///
  /// The weight of an emitter does not contain the factors of its bus: a bus that fades would change thousands of them
  /// at each tick.
  func computeBounds(listener: SIMD3<Float>, buses: [Float], into bounds: inout [Float]) {
    let count = count
    if bounds.count < count {
      bounds.reserveCapacity(capacity)
      bounds.append(contentsOf: repeatElement(0, count: count - bounds.count))
    }
    let (numbers, length) = (positions.numbers.span, positions.capacity)
    let (x, y) = (numbers.extracting(0..<count), numbers.extracting(length..<length + count))
    let z = numbers.extracting(2 * length..<2 * length + count)
    let (weight, reach) = (weight.span, reach.span)
    let (reference, maximum, rolloff) = (reference.span, maximum.span, rolloff.span)
    var results = bounds.mutableSpan
    for slot in 0..<count {
      // Every array and every run has `count` elements.
      let (dx, dy, dz) = unsafe (
        x[unchecked: slot] - listener.x, y[unchecked: slot] - listener.y, z[unchecked: slot] - listener.z
      )
      let distance = (dx * dx + dy * dy + dz * dz).squareRoot()
      let (first, last) = unsafe (reference[unchecked: slot], maximum[unchecked: slot])
      let place = min(max(distance, first), last)
      let gain = unsafe first / (first + rolloff[unchecked: slot] * (place - first))
      let bound = unsafe weight[unchecked: slot] * gain
      unsafe results[unchecked: slot] = distance > reach[unchecked: slot] ? 0 : bound
    }
    // A loop of its own: a table has no vector instruction.
    let (bus, factors) = (bus.span, buses.span)
    for slot in 0..<count {
      // `bus` has `count` elements.
      let index = unsafe bus[unchecked: slot].position
      unsafe results[unchecked: slot] *= factors[index]
    }
  }

  /// The earliest end of a sound after a frame of the mix; `Int.max` for none.
  func nextEnd(after frame: Int) -> Int {
    var next = Int.max
    for value in end where value > frame { next = min(next, value) }
    return next
  }
}
