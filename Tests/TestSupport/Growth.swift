import Glibc
package import Testing

/// Checks that four times the work costs at most so many times the time.
///
/// A cost in proportion to the work has a factor of 4, and one to its square a factor of 16. The default limit is 2.5
/// for twice the work, twice in a row. The work runs on this thread. Its processor time counts, and of several runs the
/// shortest one: other tests that run at the same time do not. The runs end as soon as the factor is small enough.
package func expectGrowth(
  of work: String,
  from size: Int,
  atMost limit: Double = 6.25,
  sourceLocation: SourceLocation = #_sourceLocation,
  _ body: (Int) throws -> Void
) rethrows {
  var (small, large) = (Double.infinity, Double.infinity)
  for _ in 0..<8 {
    small = min(small, try processorTime { try body(size) })
    large = min(large, try processorTime { try body(4 * size) })
    if large < limit * small { return }
  }
  Issue.record("\(work): \(4 * size) take \(large / small) times as long as \(size).", sourceLocation: sourceLocation)
}

/// The seconds of processor time that a closure takes on this thread.
private func processorTime(of body: () throws -> Void) rethrows -> Double {
  func now() -> Double {
    var time = timespec()
    // The call writes the time, and keeps no pointer.
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
  }
  let start = now()
  try body()
  return now() - start
}
