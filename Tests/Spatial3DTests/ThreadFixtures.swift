import Foundation
import Synchronization

@testable import Spatial3D

/// Raised once by one thread, seen by others.
final class Flag: Sendable {
  private let value = Atomic(false)

  var isRaised: Bool { value.load(ordering: .acquiring) }

  func raise() { value.store(true, ordering: .releasing) }
}

/// Threads of their own at work, so that a test that mixes meanwhile holds up nothing that they need.
final class Workers: Sendable {
  private let atWork: Atomic<Int>

  /// Whether all have ended.
  var areDone: Bool { atWork.load(ordering: .acquiring) == 0 }

  init(count: Int, _ work: @escaping @Sendable (_ index: Int) -> Void) {
    atWork = Atomic(count)
    for index in 0..<count {
      Thread.detachNewThread {
        work(index)
        self.atWork.subtract(1, ordering: .acquiringAndReleasing)
      }
    }
  }
}

/// Mixes from many threads, to be compared.
final class Mixes: Sendable {
  private let all = Lock<Set<[Float]>>([])

  /// How many mixes differ from each other.
  var distinct: Int { all.withLock { $0.count } }

  func add(_ samples: [Float]) { all.withLock { _ = $0.insert(samples) } }
}

/// How many descriptors this process has open.
func openFiles() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }

/// How many threads this process has.
func threads() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count }
