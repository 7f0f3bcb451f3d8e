/// The emitters that rays are cast to, in their order, within a budget.
///
/// Emitters with a voice come first, by the age of their last answer, and emitters that may get a voice come after them. An
/// emitter whose rays do not fit ends the list, and the next call begins with it. Pure: no call and no lock.
struct RayQueue: Sendable {
  /// An emitter that is to be asked about.
  struct Request: Equatable, Sendable {
    var slot: Int
    var age: UInt32
    var rays: Int
  }

  private(set) var requests: [Request] = []
  /// The number of requests of emitters with a voice.
  private var realCount = 0
  private let limit: Int

  /// A queue with the memory of another one.
  init(limit: Int, reusing memory: consuming [Request] = []) {
    requests = memory
    requests.removeAll(keepingCapacity: true)
    self.limit = max(limit, 0)
  }

  /// Adds an emitter with a voice.
  mutating func add(real slot: Int, age: UInt32, rays: Int) {
    insert(Request(slot: slot, age: age, rays: min(rays, limit)), from: 0)
    realCount += 1
  }

  /// Adds an emitter without a voice, after all of those with one.
  mutating func add(candidate slot: Int, age: UInt32, rays: Int) {
    insert(Request(slot: slot, age: age, rays: min(rays, limit)), from: realCount)
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
