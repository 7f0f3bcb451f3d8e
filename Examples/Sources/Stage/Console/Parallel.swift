public import Foundation
import Synchronization

/// Runs a closure for each element, several at a time, and returns the results in the order of the elements.
///
/// `limit` is the largest number at a time; the default is the number of cores.
public func inParallel<Element: Sendable, Result: Sendable>(
  _ elements: [Element],
  limit: Int = ProcessInfo.processInfo.activeProcessorCount,
  _ body: @Sendable (Element) -> Result
) -> [Result] {
  let work = ParallelWork<Result>(count: elements.count)
  DispatchQueue.concurrentPerform(iterations: min(max(limit, 1), elements.count)) { _ in
    while let index = work.take() { work.finish(index, body(elements[index])) }
  }
  return work.results
}

/// The elements that are left, and the results so far.
private final class ParallelWork<Result: Sendable>: Sendable {
  private let state: Mutex<(next: Int, results: [Result?])>

  init(count: Int) {
    state = Mutex((0, Array(repeating: nil, count: count)))
  }

  /// The next element; `nil` after the last.
  func take() -> Int? {
    state.withLock { state in
      guard state.next < state.results.count else { return nil }
      defer { state.next += 1 }
      return state.next
    }
  }

  func finish(_ index: Int, _ result: Result) {
    state.withLock { $0.results[index] = result }
  }

  var results: [Result] { state.withLock { $0.results.compactMap(\.self) } }
}
