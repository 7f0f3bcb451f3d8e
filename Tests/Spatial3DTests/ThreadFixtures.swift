import Synchronization

@testable import Spatial3D

/// Raised once by one thread, seen by others.
final class Flag: Sendable {
  private let value = Atomic(false)

  var isRaised: Bool { value.load(ordering: .acquiring) }

  func raise() { value.store(true, ordering: .releasing) }
}

/// Mixes from many threads, to be compared.
final class Mixes: Sendable {
  private let all = Lock<Set<[Float]>>([])

  /// How many mixes differ from each other.
  var distinct: Int { all.withLock { $0.count } }

  func add(_ samples: [Float]) { all.withLock { _ = $0.insert(samples) } }
}
