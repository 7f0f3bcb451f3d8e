internal import Spatial3D

/// The first positions of a move that the columns do not store as they are, by their indices.
struct MoveFaults: Hashable, Sendable {
  /// The first position that is not finite.
  private(set) var unusable: Int?
  /// The first position of which the nearest one in the range is stored.
  private(set) var outside: Int?

  /// The position to store instead of a position outside of the range; `nil` for a position that is not finite.
  @inline(never)
  mutating func nearest(to position: SIMD3<Float>, at index: Int) -> SIMD3<Float>? {
    guard let nearest = position.usable else {
      unusable = unusable ?? index
      return nil
    }
    outside = outside ?? index
    return nearest
  }
}

/// The values of all emitters that every choice reads, one array for each.
///
/// The loop over them has no call and no branch, so that the compiler turns it into vector instructions. Each array has
/// ``count`` elements, one for each slot.
struct EmitterColumns: Sendable {
  private(set) var count = 0
  /// The number of slots that every array has memory for.
  private var capacity = 0
  private(set) var x: [Float] = []
  private(set) var y: [Float] = []
  private(set) var z: [Float] = []
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
    x.append(0)
    y.append(0)
    z.append(0)
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
    x.reserveCapacity(capacity)
    y.reserveCapacity(capacity)
    z.reserveCapacity(capacity)
    weight.reserveCapacity(capacity)
    reference.reserveCapacity(capacity)
    maximum.reserveCapacity(capacity)
    rolloff.reserveCapacity(capacity)
    reach.reserveCapacity(capacity)
    end.reserveCapacity(capacity)
    bus.reserveCapacity(capacity)
  }

  // An array literal would allocate memory.
  func position(of slot: EmitterSlot) -> SIMD3<Float> { SIMD3(x[slot.position], y[slot.position], z[slot.position]) }

  mutating func setPosition(_ position: SIMD3<Float>, of slot: EmitterSlot) {
    (x[slot.position], y[slot.position], z[slot.position]) = (position.x, position.y, position.z)
  }

  /// Stores many positions; those that are not finite, and those without a slot, are left out.
  @inline(__always)
  mutating func move(_ count: Int, _ next: (Int) -> (slot: EmitterSlot?, position: SIMD3<Float>)) -> MoveFaults {
    Self.move(count, &x, &y, &z, next)
  }

  /// Stores many positions like ``move(_:_:)``, and calls a closure with each position that has changed.
  @inline(__always)
  mutating func move(
    _ count: Int,
    _ next: (Int) -> (slot: EmitterSlot?, position: SIMD3<Float>),
    changed: (Int, SIMD3<Float>) -> Void
  ) -> MoveFaults {
    Self.move(count, &x, &y, &z, next, changed)
  }

  @inline(__always)
  private static func move(
    _ count: Int,
    _ x: inout [Float],
    _ y: inout [Float],
    _ z: inout [Float],
    _ next: (Int) -> (slot: EmitterSlot?, position: SIMD3<Float>),
    _ changed: (Int, SIMD3<Float>) -> Void
  ) -> MoveFaults {
    var faults = MoveFaults()
    var xs = x.mutableSpan
    var ys = y.mutableSpan
    var zs = z.mutableSpan
    for index in 0..<count {
      let (slot, position) = next(index)
      guard let slot else { continue }
      var place = position
      if !position.isInRange {
        guard let nearest = faults.nearest(to: position, at: index) else { continue }
        place = nearest
      }
      guard SIMD3(xs[slot.position], ys[slot.position], zs[slot.position]) != place else { continue }
      xs[slot.position] = place.x
      ys[slot.position] = place.y
      zs[slot.position] = place.z
      changed(index, place)
    }
    return faults
  }

  @inline(__always)
  private static func move(
    _ count: Int,
    _ x: inout [Float],
    _ y: inout [Float],
    _ z: inout [Float],
    _ next: (Int) -> (slot: EmitterSlot?, position: SIMD3<Float>)
  ) -> MoveFaults {
    var faults = MoveFaults()
    // Each array is checked for other owners once, not for each emitter.
    var xs = x.mutableSpan
    var ys = y.mutableSpan
    var zs = z.mutableSpan
    precondition(ys.count == xs.count && zs.count == xs.count, "Each array has an element for each slot.")
    for index in 0..<count {
      let (slot, position) = next(index)
      guard let slot else { continue }
      var place = position
      // The sum of most positions is in the range, too: one comparison is enough, which is false for NaN.
      if !(abs(position.x) + abs(position.y) + abs(position.z) <= 1e9), !position.isInRange {
        guard let nearest = faults.nearest(to: position, at: index) else { continue }
        place = nearest
      }
      xs[slot.position] = place.x
      // The arrays are equally long.
      unsafe ys[unchecked: slot.position] = place.y
      unsafe zs[unchecked: slot.position] = place.z
    }
    return faults
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
    let (x, y, z) = (x.span, y.span, z.span)
    let (weight, reach) = (weight.span, reach.span)
    let (reference, maximum, rolloff) = (reference.span, maximum.span, rolloff.span)
    var results = bounds.mutableSpan
    for slot in 0..<count {
      // Every array has `count` elements.
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
