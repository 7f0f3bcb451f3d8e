import AudioSupport
import Synchronization
import TestSupport
import Testing

@Suite struct BackgroundLoopTests {
  /// Requests that a loop's step takes, and the number of steps that run at once.
  private final class Work: Sendable {
    let requested = Atomic(0)
    let taken = Atomic(0)
    let running = Atomic(0)
    let hasOverlapped = Atomic(false)

    func step() -> BackgroundLoop.Next {
      if running.add(1, ordering: .relaxed).newValue > 1 { hasOverlapped.store(true, ordering: .relaxed) }
      taken.store(requested.load(ordering: .acquiring), ordering: .releasing)
      running.subtract(1, ordering: .relaxed)
      return .end
    }
  }

  @Test func `A request before a begin call is never lost, even while the last step ends the thread`() throws {
    let loop = BackgroundLoop()
    let work = Work()
    for count in 1...20_000 {
      work.requested.store(count, ordering: .releasing)
      #expect(loop.begin { work.step() })
      if count % 100 == 0 {
        try eventually("request \(count) is taken") { work.taken.load(ordering: .acquiring) == count }
      }
    }
    try eventually("the thread has ended") { !loop.isRunning }
    let (taken, hasOverlapped) = (work.taken.load(ordering: .acquiring), work.hasOverlapped.load(ordering: .relaxed))
    #expect(taken == 20_000)
    #expect(!hasOverlapped)
  }

  /// A step that waits for an hour three times, and then ends.
  private final class Waits: Sendable {
    let count = Atomic(0)

    func step() -> BackgroundLoop.Next {
      count.add(1, ordering: .relaxed).newValue < 4 ? .after(3_600_000_000_000) : .end
    }

    func waitForStep(_ number: Int) throws {
      try eventually("step \(number) has run") { count.load(ordering: .relaxed) == number }
    }
  }

  @Test func `A signal ends a wait, and a thread that was asked again repeats its last step`() throws {
    let loop = BackgroundLoop()
    let waits = Waits()
    #expect(loop.begin { waits.step() })
    try waits.waitForStep(1)
    loop.signal()
    try waits.waitForStep(2)
    #expect(loop.begin(wakes: true) { waits.step() })
    try waits.waitForStep(3)
    loop.signal()
    try waits.waitForStep(5)
    try eventually("the thread has ended") { !loop.isRunning }
  }
}
