internal import Spatial3D

/// The emitters that a call has moved to other positions, in the order of the call.
///
/// The list of a call that moves the same emitters as the call before shares its emitters with that list. A position
/// then takes 12 bytes.
struct MovedEmitters: Sendable, Codable {
  /// A position in 12 bytes: a vector takes 16.
  fileprivate struct Position: Sendable, Codable {
    let x, y, z: Float
  }

  /// The emitters; the program may have named an emitter twice.
  let emitters: [EmitterKey]
  private let coordinates: [Position]

  fileprivate init(_ emitters: [EmitterKey], _ coordinates: [Position]) {
    (self.emitters, self.coordinates) = (emitters, coordinates)
  }

  init(_ moves: some Sequence<(EmitterKey, SIMD3<Float>)>) {
    var list = MoveList(capacity: 0, likely: [])
    for (emitter, position) in moves { list.append(emitter, at: position) }
    self = list.finish()
  }

  var isEmpty: Bool { coordinates.isEmpty }

  /// The emitters and their positions, in their order.
  var moves: some Sequence<(EmitterKey, SIMD3<Float>)> {
    zip(emitters, coordinates).lazy.map { ($0, SIMD3($1.x, $1.y, $1.z)) }
  }
}

/// A list of moved emitters that grows.
struct MoveList: ~Copyable {
  private var emitters: [EmitterKey]
  private var coordinates: [MovedEmitters.Position] = []
  /// The number of emitters that are the first of ``emitters``, which is the list of an earlier call; `nil` for a list
  /// of its own.
  private var sharedCount: Int? = 0

  /// An empty list with memory for a number of moves, whose emitters are likely the emitters of an earlier call.
  init(capacity: Int, likely earlier: [EmitterKey]) {
    emitters = earlier
    coordinates.reserveCapacity(capacity)
  }

  @inline(__always)
  mutating func append(_ emitter: EmitterKey, at position: SIMD3<Float>) {
    coordinates.append(MovedEmitters.Position(x: position.x, y: position.y, z: position.z))
    if let shared = sharedCount {
      if shared < emitters.count, emitters[shared] == emitter {
        sharedCount = shared + 1
        return
      }
      endSharing(at: shared)
    }
    emitters.append(emitter)
  }

  /// The moves of the list.
  consuming func finish() -> MovedEmitters {
    if let shared = sharedCount, shared < emitters.count { endSharing(at: shared) }
    // The lists last as long as the recording: without the room for more. A shared list has no room of its own.
    return MovedEmitters(sharedCount == nil ? emitters.withoutRoom : emitters, coordinates.withoutRoom)
  }

  @inline(never)
  private mutating func endSharing(at count: Int) {
    var own: [EmitterKey] = []
    own.reserveCapacity(max(coordinates.capacity, count))
    own += emitters.prefix(count)
    (emitters, sharedCount) = (own, nil)
  }
}

extension Array {
  /// The array in memory for its elements; itself if its memory has room for at most as many more.
  ///
  /// An array of a whole slice would keep the memory.
  fileprivate var withoutRoom: [Element] { capacity > 2 * count ? map { $0 } : self }
}
