/// The emitters that rays are cast to, in their order, within a budget.
///
/// Emitters with a voice come first, by the age of their last question, and emitters that may get a voice come after
/// them. Newcomers, which were never asked about, are older than all, but leave half of the budget to emitters that
/// wait for too long. An emitter whose rays do not fit ends the list, and the next call begins with it. Pure: no call
/// and no lock.
struct RayQueue: Sendable {
  /// An emitter that is to be asked about.
  struct Request: Equatable, Sendable {
    var slot: EmitterSlot
    var age: UInt32
    var rays: Int
  }

  private(set) var requests: [Request] = []
  /// The number of requests of emitters with a voice.
  private var realCount = 0
  /// The largest number of rays of one of them.
  private var largest = 0
  private var limit: Int

  /// The range of the limit: more rays than there can be emitters.
  ///
  /// Sums of rays stay far from the largest integer.
  static let limitRange = 0...1 << 20

  init(limit: Int) { self.limit = Self.limitRange.nearest(to: limit) }

  /// Begins again with a limit; the memory stays.
  mutating func begin(limit: Int) {
    requests.removeAll(keepingCapacity: true)
    (realCount, largest) = (0, 0)
    self.limit = Self.limitRange.nearest(to: limit)
  }

  /// Adds an emitter with a voice.
  mutating func add(real slot: EmitterSlot, age: UInt32, rays: Int) {
    insert(Request(slot: slot, age: age, rays: min(rays, limit)), from: 0)
    realCount += 1
    largest = max(largest, min(rays, limit))
  }

  /// Adds an emitter without a voice, after all of those with one.
  mutating func add(candidate slot: EmitterSlot, age: UInt32, rays: Int) {
    insert(Request(slot: slot, age: age, rays: min(rays, limit)), from: realCount)
  }

  /// Moves emitters that wait for longer than a round of all of them before the newcomers of the second half of the
  /// budget.
  ///
  /// It follows the last emitter with a voice, and precedes the first one without.
  mutating func makeRoomForOldest() {
    guard limit > 0, let first = requests.firstIndex(where: { $0.age < .max }) else { return }
    // The rays of a call that are left over do not fit the next emitter.
    let whole = max(limit - largest + 1, 1)
    let round = UInt32(clamping: (rayCount + whole - 1) / whole)
    let end = requests[first...].firstIndex { $0.age <= round } ?? requests.count
    guard end > first else { return }
    var (left, kept) = (limit / 2, 0)
    while kept < first, requests[kept].rays <= left {
      left -= requests[kept].rays
      kept += 1
    }
    // Three reversals exchange the two parts without a copy.
    requests[kept..<first].reverse()
    requests[first..<end].reverse()
    requests[kept..<end].reverse()
  }

  /// The rays of all emitters with a voice.
  var rayCount: Int { requests.reduce(0) { $0 + $1.rays } }

  /// The number of requests at the beginning of the list whose rays fit into the budget.
  var fittingCount: Int {
    var left = limit
    for (index, request) in requests.enumerated() {
      guard request.rays <= left else { return index }
      left -= request.rays
    }
    return left == limit ? 0 : requests.count
  }

  /// Keeps the oldest first; among equals the order of the calls stays.
  private mutating func insert(_ request: Request, from first: Int) {
    var place = requests.count
    while place > first, requests[place - 1].age < request.age { place -= 1 }
    requests.insert(request, at: place)
  }
}
