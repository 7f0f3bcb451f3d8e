/// The positions of all emitters: a run of all x, a run of all y and a run of all z, in one array.
///
/// A setter asks one array whether a copy of the world shares it, and not three. A loop over all positions reads a run
/// like an array of its own.
struct PositionColumns: Sendable {
  private(set) var count = 0
  /// The length of a run.
  private(set) var capacity = 0
  /// Three runs of ``capacity`` numbers.
  private(set) var numbers: [Float] = []

  /// Makes the runs longer.
  mutating func reserve(_ length: Int) {
    var longer: [Float] = []
    longer.reserveCapacity(3 * length)
    for run in 0..<3 {
      longer += numbers[run * capacity..<run * capacity + count]
      longer += repeatElement(0, count: length - count)
    }
    (numbers, capacity) = (longer, length)
  }

  /// Appends the origin; the runs have room for it.
  mutating func append() {
    count += 1
    self[count - 1] = .zero
  }

  subscript(index: Int) -> SIMD3<Float> {
    // An array literal would allocate memory.
    @inline(__always) get { SIMD3(numbers[index], numbers[capacity + index], numbers[2 * capacity + index]) }
    @inline(__always) set {
      let capacity = capacity
      var runs = numbers.mutableSpan
      Self.store(newValue, at: index, in: &runs, capacity)
    }
  }

  /// Stores many positions; those that are not finite, and those without a slot, are left out.
  ///
  /// With `skipsUnchanged`, a position that is as before is left out, and the closure receives all others.
  @inline(__always)
  mutating func move(
    _ count: Int,
    skipsUnchanged: Bool,
    _ next: (Int) -> (slot: EmitterSlot?, position: SIMD3<Float>),
    changed: (Int, SIMD3<Float>) -> Void
  ) -> MoveFaults {
    var faults = MoveFaults()
    let capacity = capacity
    // The array is checked for other owners once, not for each emitter.
    var runs = numbers.mutableSpan
    for index in 0..<count {
      let (slot, position) = next(index)
      guard let slot else { continue }
      var place = position
      if !position.isInRange {
        guard let nearest = faults.nearest(to: position, at: index) else { continue }
        place = nearest
      }
      if skipsUnchanged {
        let (x, y, z) = (slot.position, capacity + slot.position, 2 * capacity + slot.position)
        guard SIMD3(runs[x], runs[y], runs[z]) != place else { continue }
      }
      Self.store(place, at: slot.position, in: &runs, capacity)
      changed(index, place)
    }
    return faults
  }

  @inline(__always)
  private static func store(
    _ position: SIMD3<Float>,
    at index: Int,
    in runs: inout MutableSpan<Float>,
    _ capacity: Int
  ) {
    precondition(UInt(bitPattern: index) < UInt(bitPattern: capacity), "Each position has a place in its run.")
    // The span has three runs of `capacity` numbers, so no sum overflows.
    unsafe runs[unchecked: index] = position.x
    unsafe runs[unchecked: capacity &+ index] = position.y
    unsafe runs[unchecked: 2 &* capacity &+ index] = position.z
  }
}

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
