import AudioSupport
import Synchronization
import TestSupport
import Testing

@testable import FileDecode

/// The reports of work that several threads share.
@Suite struct SharedProgressTests {
  private final class Counts: Sendable {
    let inside = Atomic(0)
    let most = Atomic(0)
    let ends = Atomic(0)
    let reports = Lock<[Int]>([])
  }

  @Test func `Reports of many threads come in order and one at a time, and the end is behind them`() async throws {
    let counts = Counts()
    let progress = SharedProgress(of: 800) { count, total in
      let now = counts.inside.add(1, ordering: .sequentiallyConsistent).newValue
      counts.most.max(now, ordering: .sequentiallyConsistent)
      counts.reports.withLock { $0.append(total == 800 ? count : -1) }
      counts.inside.subtract(1, ordering: .sequentiallyConsistent)
    }
    await withTaskGroup { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<100 {
            progress.advance {
              if counts.reports.withLock({ $0.count }) == 800 { counts.ends.add(1, ordering: .sequentiallyConsistent) }
            }
          }
        }
      }
    }
    #expect(counts.reports.withLock { $0 } == Array(1...800))
    #expect(counts.most.load(ordering: .sequentiallyConsistent) == 1)
    #expect(counts.ends.load(ordering: .sequentiallyConsistent) == 1)
  }

  @Test func `A report may advance the progress itself`() {
    let reports = Lock<[Int]>([])
    let ends = Lock(0)
    let own = Lock<SharedProgress?>(nil)
    let progress = SharedProgress(of: 3) { count, _ in
      reports.withLock { $0.append(count) }
      if count == 1 { own.withLock { $0 }?.advance { ends.withLock { $0 += 1 } } }
    }
    own.withLock { $0 = progress }
    // The closure retains the lock.
    defer { own.withLock { $0 = nil } }
    for _ in 0..<2 { progress.advance { ends.withLock { $0 += 1 } } }
    #expect(reports.withLock { $0 } == [1, 2, 3])
    #expect(ends.withLock { $0 } == 1)
  }

  @Test func `A report that takes long holds up no other thread`() async throws {
    let isHeld = Semaphore()
    let others = Atomic(0)
    let progress = SharedProgress(of: 2) { count, _ in if count == 1 { isHeld.wait() } }
    let isStarted = startThread { progress.advance {} }
    #expect(isStarted)
    try await eventually("the first report") { progress.isReporting }
    // The thread that reports takes over the second report.
    progress.advance { others.add(1, ordering: .sequentiallyConsistent) }
    #expect(others.load(ordering: .sequentiallyConsistent) == 0)
    isHeld.signal()
  }
}
