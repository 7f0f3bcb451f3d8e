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

/// Runs a closure in a forked child, and returns the wait status of the child: 0 if the closure returns in time.
func status(ofForkedChild body: () -> Void) -> Int32 {
  // Swift hides `fork`, because the child of a process with threads may do next to nothing.
  guard let symbol = unsafe dlsym(nil, "fork") else { return -1 }
  // The symbol is the C function of that name and type.
  let fork = unsafe unsafeBitCast(symbol, to: (@convention(c) () -> pid_t).self)
  let child = fork()
  if child == 0 {
    // The signal ends a child that waits for a lock. A thread that runs tasks blocks it.
    var alarms = sigset_t()
    unsafe sigemptyset(&alarms)
    unsafe sigaddset(&alarms, SIGALRM)
    unsafe pthread_sigmask(SIG_UNBLOCK, &alarms, nil)
    alarm(10)
    body()
    _exit(0)
  }
  var status: Int32 = -1
  _ = unsafe waitpid(child, &status, 0)
  return status
}

/// The number of open descriptors of this process.
func openFiles() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count }

/// The number of threads of this process.
func threads() throws -> Int { try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count }
