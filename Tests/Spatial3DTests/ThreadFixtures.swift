import AudioSupport
import Foundation
import Synchronization

@testable import Spatial3D

/// A flag that one thread raises once and others read.
final class Flag: Sendable {
  private let value = Atomic(false)

  var isRaised: Bool { value.load(ordering: .acquiring) }

  func raise() { value.store(true, ordering: .releasing) }
}

/// Threads that work beside a test, which can mix meanwhile without delaying them.
final class Workers: Sendable {
  private let atWork: Atomic<Int>

  /// Whether all threads have ended.
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

  /// The number of different mixes.
  var distinct: Int { all.withLock { $0.count } }

  func add(_ samples: [Float]) { all.withLock { _ = $0.insert(samples) } }
}

/// The number of open descriptors of this process.
func openFiles() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }

/// The number of threads of this process.
func threads() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count }
